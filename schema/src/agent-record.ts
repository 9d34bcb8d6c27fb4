import { z } from 'zod'
import { AddressString } from './address.ts'
import { AgentCard } from './agent.ts'
import { UNTRUSTED } from './marks.ts'
import { Network } from './network.ts'

const Time = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds.' })

/** An agent in the list. Missing values are null. */
export const AgentRecord = z
  .object({
    mintAddress: AddressString.meta({ description: "The agent's address: that of its asset." }),
    network: Network.meta({ description: 'The network that the agent is registered on.' }),
    name: z
      .string()
      .meta({ ...UNTRUSTED, description: "The registration document's name, or else the asset's." }),
    description: z.string().meta({
      ...UNTRUSTED,
      description: 'From the registration document; may be empty. A long one is cut and ends in `…`.',
    }),
    image: z
      .string()
      .nullable()
      .meta({
        ...UNTRUSTED,
        description: 'URI of a picture; null if there is none or it is longer than 2,048 bytes.',
      }),
    walletAddress: AddressString.meta({
      description: "The agent's wallet, an address derived from the asset.",
    }),
    authority: AddressString.nullable().meta({ description: 'Update authority of the asset.' }),
    owner: AddressString.meta({ description: 'The owner of the asset, who controls the wallet.' }),
    agentToken: AddressString.nullable().meta({
      description: "Mint of the agent's own token (its primary token).",
    }),
    agentMetadataUri: z
      .string()
      .nullable()
      .meta({ ...UNTRUSTED, description: 'URI of the registration document, as the chain has it.' }),
    metadata: z
      .looseObject({})
      .nullable()
      .meta({
        ...UNTRUSTED,
        description:
          'The EIP-8004 registration document; null until it has been fetched, and where `truncated` names it.',
      }),
    a2aCard: AgentCard.nullable().meta({
      description:
        'The hosted card; null if there is none, and where `truncated` names it. A built card comes without `signatures`: to verify it, fetch `agent-card.json`.',
    }),
    isActive: z.boolean().meta({ description: 'False if `active` is false in the registration document.' }),
    registrationSignature: z
      .string()
      .nullable()
      .meta({ description: 'The transaction that registered the agent; null until it is known.' }),
    indexedAt: Time.meta({ description: 'When this service first stored the agent.' }),
    spotlightedAt: Time.nullable().meta({
      description: 'When the operator put the agent into the spotlight; null if it is not there.',
    }),
    verifiedAt: Time.nullable().meta({
      description: 'When the operator verified the agent; null if it is not verified.',
    }),
    createdAt: Time.meta({
      description:
        'When the agent was registered on the chain; until that is known, the same as `indexedAt`.',
    }),
    updatedAt: Time.meta({ description: 'When anything else here last changed.' }),
    delegates: z.int().min(0).meta({
      description:
        'How many wallets besides the owner can spend everything in the agent’s wallet, as far as they are indexed: see `GET /v1/agents/{address}/delegates`.',
    }),
    truncated: z
      .array(z.enum(['agentMetadataUri', 'metadata', 'a2aCard']))
      .optional()
      .meta({
        description:
          'Fields that are null because they are too long for a list. `GET /v1/agents/{address}` has them.',
      }),
  })
  .meta({
    id: 'AgentRecord',
    description: 'An agent in the list, in at most 8,000 bytes. Missing values are null.',
  })
export type AgentRecord = z.infer<typeof AgentRecord>
