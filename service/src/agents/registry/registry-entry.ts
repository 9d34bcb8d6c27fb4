import { type Address, isAddress } from '@slipway/schema/address'
import { UNTRUSTED } from '@slipway/schema/marks'
import { Network } from '@slipway/schema/network'
import { z } from 'zod'
import { cardUrl } from '../agent-paths.ts'
import { type ListedRecord, listSkills } from '../agent-record.ts'
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

export function buildEntry(
  { record: agent, skills }: Pick<ListedRecord, 'record' | 'skills'>,
  publicUrl: string,
): RegistryEntry {
  const { mintAddress: address, network } = agent
  return {
    identifier: `${urnPrefix(publicUrl)}${network}:${address}`,
    displayName: agent.name || address,
    type: CARD_TYPE,
    url: cardUrl(publicUrl, network, address),
    description: agent.description,
    tags: skills.tags,
    capabilities: skills.names,
    updatedAt: agent.updatedAt,
    metadata: { network, address, verified: agent.verifiedAt !== null },
  }
}

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

const EXAMPLE_SKILLS = listSkills(EXAMPLE_RECORD.a2aCard)
export const EXAMPLE_ENTRY = buildEntry(
  { record: EXAMPLE_RECORD, skills: EXAMPLE_SKILLS },
  'https://slipway.example',
)
