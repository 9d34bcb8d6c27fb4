import { z } from 'zod'
import { AddressString } from './address.ts'
import { BaseToken } from './launch.ts'

const Skill = z
  .looseObject({
    id: z.string().min(1),
    name: z.string().min(1),
    description: z.string(),
    tags: z.array(z.string()).min(1),
  })
  .meta({ id: 'AgentSkill' })

const Interface = z.looseObject({
  url: z.string().min(1),
  protocolBinding: z.string().min(1).optional(),
  protocolVersion: z.string().min(1).optional(),
  /** The name of the binding in version 0.3. */
  transport: z.string().min(1).optional(),
})

/** An A2A AgentCard: the fields that every client needs; all others pass through. */
export const AgentCard = z
  .looseObject({
    name: z.string().min(1),
    description: z.string(),
    url: z.string().optional().meta({ description: 'URL of the card itself.' }),
    version: z.string().min(1),
    protocolVersion: z.string().optional(),
    supportedInterfaces: z.array(Interface).optional(),
    additionalInterfaces: z.array(Interface).optional(),
    iconUrl: z.string().optional(),
    provider: z.looseObject({ organization: z.string(), url: z.string() }).optional(),
    capabilities: z.looseObject({ streaming: z.boolean().optional() }),
    skills: z.array(Skill).min(1),
    defaultInputModes: z.array(z.string()).min(1),
    defaultOutputModes: z.array(z.string()).min(1),
  })
  .meta({ id: 'AgentCard', description: 'An A2A AgentCard as stored, without an envelope.' })
export type AgentCard = z.infer<typeof AgentCard>

export const Agent = z
  .looseObject({
    success: z.literal(true),
    address: AddressString,
    name: z.string(),
    description: z.string(),
    image: z.string().optional(),
    walletAddress: AddressString.meta({
      description: "The agent's wallet, an address derived from the asset.",
    }),
    owner: AddressString,
    authority: AddressString.optional().meta({ description: 'Update authority of the asset.' }),
    agentMetadataUri: z.string().optional(),
    agentToken: AddressString.optional().meta({ description: 'Mint of the primary token.' }),
    a2aCard: AgentCard.nullable().meta({
      description: 'The card hosted here, as `agent-card.json` serves it; null if there is none.',
    }),
    verifiedAt: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'When an administrator verified the agent; null if it is not verified.' }),
    tokens: z.array(BaseToken).meta({ description: 'Every token that the agent launched, newest first.' }),
    agentTokenInfo: BaseToken.optional(),
  })
  .meta({
    id: 'Agent',
    description: 'Fields of the EIP-8004 registration document appear alongside the documented ones.',
  })
export type Agent = z.infer<typeof Agent>
