import { NETWORKS, type Network } from '@slipway/schema/network'
import { createNetworkRewards, type NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import { findWalletBuckets, saveFoundBuckets } from '../store/buckets.ts'
import { requestRecheck } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { sampleBuckets } from '../store/removed-accounts.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Chains } from './open-chains.ts'

const SAMPLE = 100

/** Opens the creator rewards of each network that is served. */
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
        // The next read must not be older than the index.
        chain.rpc.noteSlot(known.indexSlot)
        return known
      },
      sample: () => sampleBuckets(database, network, SAMPLE),
      onMissing() {
        log.warn({ network }, 'a bucket in the index is missing on the chain')
        requestRecheck(database, network).catch(() => {})
      },
      remember(found) {
        const rows = found.map(bucket => ({ network, ...bucket }))
        saveFoundBuckets(database, rows).catch(error =>
          log.warn({ err: error, network }, 'could not save buckets that were found on the chain'),
        )
      },
      observer: {
        onSearch: outcome => metrics.bucketSearches.inc({ network, outcome }),
        onRefused: error =>
          log.warn(
            { err: error, network },
            'the RPC refuses to search for the buckets of a wallet: until the index is complete, creators can claim only from buckets in the store',
          ),
      },
    })
  }
  return rewards
}
