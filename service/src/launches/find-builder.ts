import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import { knownAgents } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import type { Markets } from './trading/markets.ts'
import type { BuilderParts } from './trading/swap.ts'

/** The parts that all endpoints need to build transactions about a launch. */
export interface BuilderSources {
  snapshots: LaunchSnapshots
  markets: Partial<Record<Network, Markets>>
  chains: Partial<Record<Network, Pick<BuilderParts, 'rpc' | 'blockhash'>>>
  database: Database
}

/** The parts for a registered launch. */
export function findBuilder(
  { snapshots, markets, chains, database }: BuilderSources,
  network: Network,
  genesis: Address,
): BuilderParts {
  const [market, chain] = [markets[network], chains[network]]
  if (!market || !chain || !snapshots.of(network).launch(genesis)) throw new ServiceError('LAUNCH_NOT_FOUND')
  return {
    markets: market,
    rpc: chain.rpc,
    blockhash: chain.blockhash,
    isKnown: knownAgents(database, network),
  }
}
