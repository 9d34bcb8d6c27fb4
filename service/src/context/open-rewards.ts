import { NETWORKS, type Network } from '@slipway/schema/network'
import { createNetworkRewards, type NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { findWalletBuckets, saveFoundBuckets } from '../store/wallet-buckets.ts'
import type { Chains } from './open-chains.ts'

/** The creators of each network that is served. */
export function openRewards(
  chains: Chains,
  { database, metrics, log }: { database: Database; metrics: Metrics; log: Log },
): Partial<Record<Network, NetworkRewards>> {
  const rewards: Partial<Record<Network, NetworkRewards>> = {}
  for (const network of NETWORKS) {
    const chain = chains[network]
    if (!chain) continue
    rewards[network] = createNetworkRewards({
      reader: chain.rpc,
      blockhash: chain.blockhash,
      findKnown: wallet => findWalletBuckets(database, network, wallet),
      remember(found) {
        const rows = found.map(bucket => ({ network, ...bucket }))
        saveFoundBuckets(database, rows).catch(error =>
          log.warn({ err: error, network }, 'buckets that were found on the chain could not be remembered'),
        )
      },
      observer: {
        onSearch: outcome => metrics.bucketSearches.inc({ network, outcome }),
        onRefused: error =>
          log.warn(
            { err: error, network },
            'the RPC does not search for the buckets of a wallet: until the index is complete, creators can claim only from those that the store knows',
          ),
      },
    })
  }
  return rewards
}
