import { NETWORKS, type Network } from '@slipway/schema/network'
import { resultWithin } from '../lib/deadline.ts'
import type { Database } from '../store/database.ts'
import { areTradesRead, countTradeProgress } from '../store/trade-progress.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ReadinessPart } from '../telemetry/readiness.ts'
import type { Chains } from './open-chains.ts'

/** With very many launches, counting takes seconds. */
const COUNT_MS = 5_000
/** Maximum time that the other metrics wait for a count. */
const METRIC_MS_MAX = 1_000

/**
 * Reports for how many launches the store has all trades. The metric and `/readyz`, which the status page shows, use
 * the same count. Serving does not depend on it.
 */
export function watchTrades(
  database: Database,
  {
    chains,
    metrics,
    readsTrades,
  }: {
    chains: Chains
    metrics: Pick<Metrics, 'tradesBehind'>
    /** Whether this node is the one that should read the trades of the network. */
    readsTrades(network: Network): boolean
  },
): ReadinessPart[] {
  const count = createCounts(database)
  const networks = NETWORKS.filter(network => chains[network])

  async function measure(network: Network) {
    if (!readsTrades(network)) return metrics.tradesBehind.remove({ network })
    const counted = await resultWithin(METRIC_MS_MAX, count(network)).catch(() => undefined)
    // If the database is slow or gone, its own metrics say so.
    if (!counted) return
    const { isRead, launches, complete } = counted
    metrics.tradesBehind.set({ network }, isRead ? launches - complete : launches)
  }

  Object.assign(metrics.tradesBehind, { collect: () => Promise.all(networks.map(measure)) })
  return networks.map(network => ({
    name: `trades ${network}`,
    isOptional: true,
    async check() {
      const { isRead, launches, complete } = await count(network)
      return isRead ? `complete for ${complete} of ${launches} launches` : 'not read at the moment'
    },
  }))
}

/** Counts at most every few seconds. */
function createCounts(database: Database) {
  const counts = new Map<Network, { countedAtMs: number; result: ReturnType<typeof countNow> }>()
  const countNow = async (network: Network) => ({
    isRead: await areTradesRead(database, network),
    ...(await countTradeProgress(database, network)),
  })
  return (network: Network) => {
    const last = counts.get(network)
    if (last && performance.now() - last.countedAtMs <= COUNT_MS) return last.result
    const result = countNow(network)
    counts.set(network, { countedAtMs: performance.now(), result })
    // A failed count is not cached.
    result.catch(() => counts.delete(network))
    return result
  }
}
