import { z } from 'zod'
import { AddressString } from './address.ts'
import { AgentCard } from './agent.ts'
import { Network } from './network.ts'

const Time = z.iso.datetime({ precision: 3 })

/** An agent in the list. Missing values are null. */
export const AgentRecord = z
  .object({
    mintAddress: AddressString.meta({ description: "The agent's address: that of its asset." }),
    network: Network,
    name: z.string(),
    description: z.string(),
    image: z.string().nullable(),
    walletAddress: AddressString,
    authority: AddressString.nullable(),
    owner: AddressString,
    agentToken: AddressString.nullable(),
    agentMetadataUri: z.string().nullable(),
    metadata: z
      .looseObject({})
      .nullable()
      .meta({ description: 'The EIP-8004 registration document; null until it has been fetched.' }),
    a2aCard: AgentCard.nullable().meta({
      description:
        'The card hosted here; null if there is none. A synthesised card has no `signatures` here: fetch `agent-card.json` to verify it.',
    }),
    isActive: z.boolean().meta({ description: 'False if `active` is false in the registration document.' }),
    registrationSignature: z
      .string()
      .nullable()
      .meta({ description: 'The transaction that registered the agent; null until it is known.' }),
    indexedAt: Time.meta({ description: 'When this service first stored the agent.' }),
    spotlightedAt: Time.nullable(),
    verifiedAt: Time.nullable(),
    createdAt: Time.meta({
      description:
        'When the agent was registered on the chain; until that is known, the same as `indexedAt`.',
    }),
    updatedAt: Time.meta({ description: 'When anything above last changed here.' }),
  })
  .meta({ id: 'AgentRecord' })
export type AgentRecord = z.infer<typeof AgentRecord>
