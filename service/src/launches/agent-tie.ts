import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../chain/addresses/addresses.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import type { LaunchFacts } from '../chain/launch-facts.ts'

/**
 * Whether the chain ties a launch to a registered agent: its wallet made the launch or is paid by it, or it has the
 * token for its own. Nobody can lend an agent a launch by saying so.
 */
export function isTiedToAgent(
  { genesis, buckets }: LaunchFacts,
  agent: Address,
  facts: AgentFacts | undefined,
): boolean {
  if (!facts) return false
  const wallet = assetSignerAddress(agent)
  return (
    genesis.authority === wallet ||
    buckets.some(({ creatorFee }) => creatorFee?.wallet === wallet) ||
    facts.agentToken === genesis.baseMint
  )
}
