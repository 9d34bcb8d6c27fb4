import { NETWORKS, type Network } from '@slipway/schema/network'
import { createNetworkRewards, type NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Log } from '../telemetry/log.ts'
import { doubtIndex } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { sampleBuckets } from '../store/removed-accounts.ts'
import { findWalletBuckets, saveFoundBuckets } from '../store/wallet-buckets.ts'
import type { Chains } from './open-chains.ts'

const SAMPLE = 100

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
      async findKnown(wallet) {
        const known = await findWalletBuckets(database, network, wallet)
        // What is read now must not be older than what the index has seen.
        chain.rpc.noteSlot(known.indexSlot)
        return known
      },
      sample: () => sampleBuckets(database, network, SAMPLE),
      onMissing() {
        log.warn({ network }, 'a bucket that the index knows is missing on the chain')
        doubtIndex(database, network).catch(() => {})
      },
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
