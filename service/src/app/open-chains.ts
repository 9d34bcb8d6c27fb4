import { NETWORKS, type Network } from '@slipway/schema/network'
import { createReachSlot, createWaitingRoom, type ReachSlot } from '../chain/at-slot.ts'
import { createBlockhashSource, type KeptBlockhash } from '../chain/blockhash.ts'
import { createDrift, type Drift } from '../chain/drift.ts'
import {
  createHeavyReads,
  createHeldTokens,
  type HeavyReadLimits,
  type HeavyReads,
  type ReadHeldTokens,
} from '../chain/heavy-reads.ts'
import { createClusterIdentity } from '../chain/rpc/cluster.ts'
import { type ChainRpc, createRpc } from '../chain/rpc/create-rpc.ts'
import type { RpcLimits } from '../chain/rpc/limits.ts'
import { labelEndpoints } from '../chain/rpc/rpc-endpoint.ts'
import type { Config } from '../config.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findProgress } from '../store/chain-progress.ts'
import { clusterRecords } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'

const STOP_MS = 200
const ALL_BEHIND_LOG_MS = 10_000

/** The networks that are served: those with an RPC URL. */
export type Chains = Partial<
  Record<
    Network,
    {
      rpc: ChainRpc
      blockhash: KeptBlockhash
      heavyReads: HeavyReads
      heldTokens: ReadHeldTokens
      reachSlot: ReachSlot
      drift: Drift
    }
  >
>

export function openChains(
  { rpcUrls, metrics: { port: metricsPort } }: Pick<Config, 'rpcUrls' | 'metrics'>,
  {
    database,
    metrics,
    log,
    shutdown,
    limits,
    heavyReadLimits,
    shared,
  }: {
    database: Database
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
    limits: Partial<RpcLimits>
    heavyReadLimits: HeavyReadLimits
    /** Absent: this process is the whole node. */
    shared: SharedCounts | undefined
  },
): Chains {
  const chains: Chains = {}
  const heavyReads = createHeavyReads(heavyReadLimits, shared)
  const room = createWaitingRoom(shared)
  const logAllBehind = createLogSampler<{ network: Network; slot: number }>(
    (line, leftOut) =>
      log.warn({ ...line, leftOut }, 'every RPC endpoint is behind the newest slot seen, so calls fail'),
    ALL_BEHIND_LOG_MS,
  )
  for (const network of NETWORKS) {
    const urls = rpcUrls[network] ?? []
    if (urls.length === 0) continue
    // A host can contain a key, as a subdomain. Only metrics with a listener of their own show it.
    const names = new Map(
      labelEndpoints(urls).map((label, at) => [label, metricsPort === undefined ? `rpc ${at + 1}` : label]),
    )
    const nameOf = (label: string) => names.get(label) ?? 'unknown'
    const drift = createDrift((kind, sentence) => log.warn({ network, kind }, sentence))
    const rpc = createRpc({
      urls,
      limits,
      cluster: createClusterIdentity(clusterRecords(database, network)),
      observer: {
        onAttempt: ({ seconds, endpoint, ...labels }) =>
          metrics.rpcSeconds.observe({ network, endpoint: nameOf(endpoint), ...labels }, seconds),
        onRetry: labels => metrics.rpcRetries.inc({ network, ...labels }),
        onSlot: (endpoint, slot) => metrics.rpcSlot.set({ network, endpoint: nameOf(endpoint) }, slot),
        onAllBehind(slot) {
          metrics.rpcAllBehind.inc({ network })
          logAllBehind(network, { network, slot })
        },
        onReads: (reads, calls) => metrics.rpcCoalescedReads.inc({ network }, Math.max(0, reads - calls)),
        onEndpoint({ endpoint, isUp, reason, restMs }) {
          metrics.rpcUp.set({ network, endpoint: nameOf(endpoint) }, isUp ? 1 : 0)
          if (isUp) log.info({ network, endpoint }, 'an RPC endpoint works again')
          else
            log.warn(
              { network, endpoint, reason, restMs: Math.round(restMs) },
              'an RPC endpoint is paused after failures',
            )
        },
        onLacking({ endpoint, lacks }) {
          if (lacks)
            log.warn(
              { network, endpoint, lacks },
              'an RPC endpoint does not support something that is asked for',
            )
          else log.info({ network, endpoint }, 'an RPC endpoint supports everything that is asked for again')
        },
        onTooNew: drift.noteTransaction,
        onAccounts: drift.noteAccounts,
        onCluster({ endpoint, foreign }) {
          metrics.rpcForeign.set({ network, endpoint: nameOf(endpoint) }, foreign ? 1 : 0)
          if (!foreign) log.info({ network, endpoint }, 'an RPC endpoint belongs to this network again')
          else
            log.error(
              { network, endpoint, ...foreign },
              'an RPC endpoint belongs to another cluster and is not used; check the RPC URLs, or run: slipway cluster show',
            )
        },
      },
    })
    metrics.rpcAllBehind.inc({ network }, 0)
    for (const endpoint of names.values()) {
      metrics.rpcUp.set({ network, endpoint }, 1)
      metrics.rpcForeign.set({ network, endpoint }, 0)
    }
    const blockhash = createBlockhashSource(rpc)
    shutdown.add(
      `rpc ${network}`,
      () => {
        blockhash.stop()
        return rpc.close()
      },
      STOP_MS,
    )
    chains[network] = {
      rpc,
      blockhash,
      heavyReads,
      heldTokens: createHeldTokens({ rpc, heavyReads }),
      reachSlot: createReachSlot(rpc, room),
      drift,
    }
  }
  return chains
}

/** No node may use an endpoint that is behind the index, even if another node indexes. */
export async function noteIndexedSlots(chains: Chains, database: Database): Promise<void> {
  for (const [network, { rpc }] of Object.entries(chains)) {
    const progress = await findProgress(database, network as Network)
    if (progress) rpc.noteSlot(progress.slot, progress.updatedAt)
  }
}
