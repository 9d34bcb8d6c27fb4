import { z } from 'zod'
import { AddressString } from './address.ts'
import { BaseToken } from './launch.ts'
import { UNTRUSTED } from './marks.ts'
import { Success } from './transaction.ts'

/** A field that the author of a card or document wrote. It is passed through as it is, so it can be anything. */
const passedThrough = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ ...UNTRUSTED, description })

const Skill = z
  .looseObject({
    id: z.string().min(1).meta({ description: 'Unique within the card.' }),
    name: z.string().min(1).meta({ description: 'What the skill is called.' }),
    description: z.string().meta({ description: 'What the skill does.' }),
    tags: z.array(z.string()).min(1).meta({ description: 'Keywords.' }),
    examples: passedThrough('Usually prompts that the skill can handle, as strings.'),
  })
  .meta({
    id: 'AgentSkill',
    description: 'Something that the agent can do. Further fields are passed through.',
  })

const Interface = z
  .looseObject({
    url: z.string().min(1).meta({ description: 'Where the agent answers.' }),
    protocolBinding: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Such as `JSONRPC`, `GRPC` or `HTTP+JSON` (A2A 1.0).' }),
    protocolVersion: z.string().min(1).optional().meta({ description: 'A2A version, such as `1.0`.' }),
    transport: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The name of `protocolBinding` in A2A 0.3.' }),
  })
  .meta({
    id: 'AgentInterface',
    description: 'A URL and protocol of the agent. Further fields are passed through.',
  })

/** An A2A AgentCard: the fields that every client needs; all others pass through. */
export const AgentCard = z
  .looseObject({
    name: z.string().min(1).meta({ description: "The agent's name." }),
    description: z.string().meta({ description: 'What the agent does.' }),
    url: z.string().optional().meta({
      description:
        "In a card built here, the card's own URL; in an authored A2A 0.3 card, the agent's main endpoint.",
    }),
    version: z.string().min(1).meta({ description: "The agent's own version." }),
    protocolVersion: z.string().optional().meta({ description: 'A2A version of the card (A2A 0.3).' }),
    supportedInterfaces: z
      .array(Interface)
      .optional()
      .meta({ description: 'Where the agent answers, preferred first (A2A 1.0).' }),
    additionalInterfaces: z.array(Interface).optional().meta({ description: 'The same in A2A 0.3.' }),
    iconUrl: z.string().optional().meta({ description: 'URL of a picture.' }),
    provider: z
      .looseObject({
        organization: z.string().meta({ description: 'Who runs the agent.' }),
        url: z.string().meta({ description: 'Their website.' }),
      })
      .optional()
      .meta({ description: 'Who runs the agent.' }),
    capabilities: z
      .looseObject({ streaming: z.boolean().optional().meta({ description: 'Whether it can stream.' }) })
      .meta({ description: 'Optional parts of A2A that the agent supports.' }),
    skills: z.array(Skill).min(1).meta({ description: 'What the agent can do.' }),
    defaultInputModes: z.array(z.string()).min(1).meta({ description: 'Media types that it accepts.' }),
    defaultOutputModes: z.array(z.string()).min(1).meta({ description: 'Media types that it answers with.' }),
    documentationUrl: passedThrough('Usually the URL of a documentation page.'),
    preferredTransport: passedThrough('Usually the transport of `url` (A2A 0.3).'),
    securitySchemes: passedThrough('Usually how the agent authenticates its callers, by name.'),
    security: passedThrough('Usually the security schemes that a call needs (A2A 0.3).'),
    securityRequirements: passedThrough('Usually the security schemes that a call needs (A2A 1.0).'),
    signatures: passedThrough(
      'JSON web signatures of the card (A2A 1.0, section 8.4). A built card has the signature of this service if it signs cards.',
    ),
  })
  .meta({
    ...UNTRUSTED,
    id: 'AgentCard',
    description:
      'An A2A AgentCard as stored, without an envelope. All fields that its author wrote are passed through, including those without a type here, which are not checked.',
  })
export type AgentCard = z.infer<typeof AgentCard>

/** The fields that the author of a registration document sets. An agent's other fields are never taken from it. */
export const RegistrationFields = {
  type: passedThrough('Usually the type of the registration document.'),
  services: passedThrough('Usually a list of `{name, endpoint, …}`: where to reach the agent.'),
  active: passedThrough('Usually a boolean: whether the agent is in use.'),
  registrations: passedThrough('Usually a list of `{agentId, agentRegistry}`: where it is registered.'),
  supportedTrust: passedThrough('Usually a list of trust models, as strings.'),
}

export const Agent = z
  .looseObject({
    success: Success,
    address: AddressString.meta({ description: "The agent's address: that of its asset." }),
    name: z
      .string()
      .meta({ ...UNTRUSTED, description: "The registration document's name, or else the asset's." }),
    description: z
      .string()
      .meta({ ...UNTRUSTED, description: 'From the registration document; may be empty.' }),
    image: z
      .string()
      .optional()
      .meta({ ...UNTRUSTED, description: 'URI of a picture.' }),
    walletAddress: AddressString.meta({
      description: "The agent's wallet, an address derived from the asset.",
    }),
    owner: AddressString.meta({ description: 'The owner of the asset, who controls the wallet.' }),
    authority: AddressString.optional().meta({ description: 'Update authority of the asset.' }),
    agentMetadataUri: z
      .string()
      .optional()
      .meta({ ...UNTRUSTED, description: 'URI of the registration document, as the chain has it.' }),
    agentToken: AddressString.optional().meta({
      description: "Mint of the agent's own token (its primary token).",
    }),
    a2aCard: AgentCard.nullable().meta({
      description: 'The card hosted here, as `agent-card.json` serves it; null if there is none.',
    }),
    verifiedAt: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'When the operator verified the agent; null if it is not verified.' }),
    tokens: z
      .array(BaseToken)
      .meta({ description: 'Every token that the agent launched, newest first, as in lists.' }),
    agentTokenInfo: BaseToken.optional().meta({ description: "The agent's own token, if it is known here." }),
    ...RegistrationFields,
  })
  .meta({
    id: 'Agent',
    description:
      'An agent. All fields of its EIP-8004 registration document are passed through alongside the ones from the chain. Those without a type here are as their author wrote them, and not checked.',
  })
export type Agent = z.infer<typeof Agent>
