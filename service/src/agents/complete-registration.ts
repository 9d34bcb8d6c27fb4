import type { Address } from '@slipway/schema/address'
import type { MintAgentBody } from '@slipway/schema/mint'
import { isObject } from '../metadata/parse-json-object.ts'

/** The name of the registry of agents on this chain, in registration documents. */
const AGENT_REGISTRY = 'solana:101:metaplex'

/**
 * Completes a registration document: it names the agent, its card unless it names another A2A service, and the hash of the
 * authored card if there is one. The hash of any other card is dropped, because that card is not hosted here.
 */
export function completeRegistration(
  { a2aCardSha256: _, ...metadata }: MintAgentBody['agentMetadata'],
  { asset, cardUrl, cardSha256 }: { asset: Address; cardUrl: string; cardSha256: string | undefined },
): Record<string, unknown> {
  const { services = [], registrations = [] } = metadata
  const isNamed = registrations.some(
    one => isObject(one) && one.agentId === asset && one.agentRegistry === AGENT_REGISTRY,
  )
  const hasCard = services.some(({ name }) => /^a2a$/i.test(name))
  return {
    ...metadata,
    services: hasCard ? services : [...services, { name: 'A2A', endpoint: cardUrl }],
    registrations: isNamed
      ? registrations
      : [{ agentId: asset, agentRegistry: AGENT_REGISTRY }, ...registrations],
    ...(cardSha256 !== undefined && { a2aCardSha256: cardSha256 }),
  }
}
