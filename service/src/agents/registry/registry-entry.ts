import { type Address, isAddress } from '@slipway/schema/address'
import type { AgentRecord } from '@slipway/schema/agent-record'
import { UNTRUSTED } from '@slipway/schema/marks'
import { Network } from '@slipway/schema/network'
import { z } from 'zod'
import { cardUrl } from '../agent-paths.ts'
import { EXAMPLE_RECORD } from '../examples.ts'

/** Where the registry is, below the public URL. */
export const REGISTRY_PATH = '/ard'
export const CARD_TYPE = 'application/a2a-agent-card+json'

const words = (description: string) => z.array(z.string()).meta({ ...UNTRUSTED, description })

/** An entry of a catalog, as the ARD specification has it. */
export const RegistryEntry = z
  .object({
    identifier: z.string().meta({
      description: '`urn:air:<host>:agent:<network>:<address>`, with the host of this deployment.',
    }),
    displayName: z.string().meta({ ...UNTRUSTED, description: "The agent's name." }),
    type: z.literal(CARD_TYPE).meta({ description: 'What `url` leads to: an A2A AgentCard.' }),
    url: z.string().meta({ description: "The agent's card." }),
    description: z.string().meta({ ...UNTRUSTED, description: 'What the agent does; may be shortened.' }),
    tags: words('Keywords of its skills.'),
    capabilities: words('The names of its skills.'),
    updatedAt: z.iso.datetime().meta({ description: 'When it last changed here.' }),
    metadata: z
      .object({
        network: Network.meta({ description: 'The network that the agent is registered on.' }),
        address: z.string().meta({ description: "The agent's address." }),
        verified: z.boolean().meta({ description: 'Whether the operator has verified the agent.' }),
      })
      .meta({ description: 'What the chain and this deployment say about it.' }),
  })
  .meta({ id: 'RegistryEntry', description: 'An agent that offers a service.' })
export type RegistryEntry = z.infer<typeof RegistryEntry>

const DESCRIPTION_LENGTH_MAX = 500
const WORDS_MAX = 20
const WORD_LENGTH_MAX = 64

export function buildEntry(agent: AgentRecord, publicUrl: string): RegistryEntry {
  const { mintAddress: address, network, a2aCard } = agent
  const skills = Array.isArray(a2aCard?.skills) ? a2aCard.skills : []
  return {
    identifier: `${urnPrefix(publicUrl)}${network}:${address}`,
    displayName: agent.name || address,
    type: CARD_TYPE,
    url: cardUrl(publicUrl, network, address),
    description: agent.description.slice(0, DESCRIPTION_LENGTH_MAX),
    tags: listWords(skills.flatMap(skill => skill?.tags ?? [])),
    capabilities: listWords(skills.map(skill => skill?.name)),
    updatedAt: agent.updatedAt,
    metadata: { network, address, verified: agent.verifiedAt !== null },
  }
}

/** An authored card may have other values than strings here. */
const listWords = (given: readonly unknown[]): string[] =>
  [
    ...new Set(given.filter(word => typeof word === 'string').map(word => word.slice(0, WORD_LENGTH_MAX))),
  ].slice(0, WORDS_MAX)

/** Without the port, which a URN can't have. */
export const publisherOf = (publicUrl: string): string =>
  new URL(publicUrl).hostname.replace(/[^a-z0-9.-]/gi, '-')

const urnPrefix = (publicUrl: string) => `urn:air:${publisherOf(publicUrl)}:agent:`

/** Undefined unless it is the URN of an agent of this deployment. */
export function parseUrn(urn: string, publicUrl: string): { network: Network; address: Address } | undefined {
  const prefix = urnPrefix(publicUrl)
  if (!urn.toLowerCase().startsWith(prefix.toLowerCase())) return undefined
  const [name, address = '', ...rest] = urn.slice(prefix.length).split(':')
  const network = Network.safeParse(name)
  return network.success && isAddress(address) && rest.length === 0
    ? { network: network.data, address }
    : undefined
}

export const EXAMPLE_ENTRY = buildEntry(EXAMPLE_RECORD, 'https://slipway.example')
