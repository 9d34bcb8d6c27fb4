import type { Network } from '@slipway/schema/network'
import { webSocketUrl } from '../chain/rpc/web-socket-url.ts'
import type { Config } from '../config.ts'
import { createIndexer, type Indexer } from '../indexer/create-indexer.ts'
import type { RefreshAgent } from '../indexer/follow-network.ts'
import type { IndexerObserver } from '../indexer/observer.ts'
import { findProgress } from '../store/chain-progress.ts'
import type { ConnectionOptions, Database } from '../store/database.ts'
import { takeIndexLease } from '../store/index-lease.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ReadinessPart } from '../telemetry/readiness.ts'
import type { ServiceLimits } from './limits.ts'
import type { Chains } from './open-chains.ts'

const SCAN_LOG_MS = 2_000
/** While an RPC node is down, logging the same line every second does not help. */
const FAULT_LOG_MS = 10_000
/** A smaller lag is usual, and soon over. */
const CATCHING_UP_SECONDS = 20

/** Opens the indexer of this node; undefined if indexing is turned off. */
export function openIndexer(
  config: Pick<Config, 'indexer' | 'rpcUrls' | 'rpcWsUrls' | 'tradesPerSecond'>,
  connection: ConnectionOptions,
  {
    serverOfPool,
    nowMs,
    chains,
    refreshAgent,
    metrics,
    log,
    limits,
  }: {
    serverOfPool(): string | undefined
    /** The time by the database's clock. */
    nowMs(): number
    chains: Chains
    refreshAgent: RefreshAgent
    metrics: Metrics
    log: Log
    limits: Pick<ServiceLimits, 'indexer' | 'lease'>
  },
): Indexer | undefined {
  // Without a value, nothing would show that no node indexes a network.
  for (const network of Object.keys(chains)) metrics.indexLeading.set({ network }, 0)
  if (!config.indexer) return undefined
  return createIndexer({
    networks: Object.entries(chains).map(([name, { rpc }]) => {
      const network = name as Network
      const wsUrl = config.rpcWsUrls[network] ?? webSocketUrl(config.rpcUrls[network]?.[0] as string)
      return { network, rpc: rpc.patient, wsUrl }
    }),
    takeLease: (network, signal) =>
      takeIndexLease(connection, network, {
        signal,
        serverOfPool,
        nowMs,
        limits: limits.lease,
        observer: {
          onQuery: (query, seconds, failed) =>
            metrics.storeSeconds.observe({ query, outcome: failed ? 'failed' : 'ok' }, seconds),
          onConnectionLost: error =>
            log.warn({ err: error, network }, 'lost the database session that indexes; retrying soon'),
        },
      }),
    refreshAgent,
    observer: observeIndexer(metrics, log),
    limits: { tradesPerSecond: config.tradesPerSecond, ...limits.indexer },
  })
}

/** Turns the indexer's events into metrics and log lines. */
export function observeIndexer(metrics: Metrics, log: Log): IndexerObserver {
  const scans = new Map<Network, { loggedMs: number; percent: number }>()
  const faults = new Map<string, number>()
  return {
    onLeading(network, isLeading) {
      metrics.indexLeading.set({ network }, isLeading ? 1 : 0)
      if (isLeading) return log.info({ network }, 'this node indexes the network')
      log.info({ network }, 'this node no longer indexes the network')
      scans.delete(network)
      // Otherwise the last values would look current.
      for (const gauge of [metrics.indexSlot, metrics.indexLagSlots, metrics.indexLagSeconds])
        gauge.remove({ network })
      for (const gauge of [metrics.indexBacklog, metrics.indexPolling, metrics.indexHeld])
        gauge.remove({ network })
    },
    onMode(network, mode, reason) {
      metrics.indexPolling.set({ network }, mode === 'polling' ? 1 : 0)
      if (mode === 'live') log.info({ network }, 'receiving chain changes through subscriptions')
      else log.warn({ network, reason }, 'subscriptions are unavailable; polling the chain instead')
    },
    onTopicRefused: (network, topic, reason) =>
      log.warn({ network, topic, reason }, 'a subscription was refused; polling these accounts instead'),
    onChanges: (network, kind, count) => metrics.indexChanges.inc({ network, kind }, count),
    onProgress(network, { slot, lagSlots, lagSeconds, backlog }) {
      metrics.indexSlot.set({ network }, slot)
      metrics.indexLagSlots.set({ network }, lagSlots)
      metrics.indexLagSeconds.set({ network }, lagSeconds)
      metrics.indexBacklog.set({ network }, backlog)
    },
    onRemoved(network, kind, addresses) {
      metrics.indexRemovals.inc({ network, kind }, addresses.length)
      log.warn({ network, kind, addresses }, 'removed accounts from the index: the chain no longer has them')
    },
    onHeld(network, held) {
      metrics.indexHeld.set({ network }, held?.missing ?? 0)
      if (held)
        log.error(
          { network, ...held },
          'too many accounts are missing on the chain; nothing was removed, and everything will be read again soon',
        )
    },
    onGap: (network, reason) => log.warn({ network, reason }, 'lost the subscriptions; subscribing again'),
    onRepaired(network, { reason, isGap, seconds, accounts }) {
      if (isGap) metrics.indexGaps.inc({ network })
      log.info({ network, reason, seconds, accounts }, 'read the whole chain')
    },
    onScan(network, share) {
      const nowMs = performance.now()
      // The line of `onRepaired` reports the end.
      const last = scans.get(network) ?? { loggedMs: Number.NEGATIVE_INFINITY, percent: 0 }
      if (share >= 1 || nowMs - last.loggedMs < SCAN_LOG_MS) return
      const percent = Math.floor(share * 100)
      scans.set(network, { loggedMs: nowMs, percent: Math.max(percent, last.percent) })
      // A read that starts again after a failure has no percentage until it is past the last one.
      if (percent < last.percent) log.info({ network }, 'still reading the whole chain for the first time')
      else log.info({ network, percent }, 'reading the whole chain for the first time')
    },
    onTradesRequest: network => metrics.tradesRequests.inc({ network }),
    onTrades: (network, count) => metrics.trades.inc({ network }, count),
    onFault(network, what, error) {
      const nowMs = performance.now()
      if (nowMs - (faults.get(`${network} ${what}`) ?? Number.NEGATIVE_INFINITY) < FAULT_LOG_MS) return
      faults.set(`${network} ${what}`, nowMs)
      log.warn({ network, err: error }, `${what}; retrying`)
    },
  }
}

/** Reports how far the store has followed each chain, whichever node indexes it. Serving does not depend on it. */
export function indexerReadiness(
  database: Database,
  chains: Chains,
  indexerOf: () => Indexer | undefined,
): ReadinessPart[] {
  return Object.entries(chains).map(([name, { rpc }]) => ({
    name: `indexer ${name}`,
    async check() {
      const network = name as Network
      const indexer = indexerOf()
      const held = indexer?.held(network)
      const isLeading = indexer?.isLeading(network) ?? false
      const who = [
        isLeading ? 'indexed by this node' : 'not indexed by this node',
        ...(held ? [`${held.missing} of ${held.total} ${held.kind} missing on the chain but kept`] : []),
      ].join(', ')
      const usable = rpc.states().filter(({ isUp }) => isUp)
      const newest = usable.length > 0 ? Math.max(0, ...usable.map(({ slot }) => slot ?? 0)) : undefined
      return `${who}, ${describeProgress(await findProgress(database, network), { newest, isLeading })}`
    },
  }))
}

/** `newest` is the chain's newest known slot; undefined while no endpoint answers. */
export function describeProgress(
  progress: Awaited<ReturnType<typeof findProgress>>,
  { newest, isLeading }: { newest: number | undefined; isLeading: boolean },
): string {
  if (!progress) return 'nothing read yet'
  if (!progress.isComplete)
    return `catching up, ${Math.floor((progress.scanShare ?? 0) * 100)} % of the first read done`
  const seconds = Math.max(0, (Date.now() - progress.updatedAt.getTime()) / 1_000)
  if (newest === undefined) return `reached slot ${progress.slot} ${seconds.toFixed(1)} s ago`
  const slots = Math.max(0, newest - progress.slot)
  // Only the node that indexes knows that the work goes on.
  const isCatchingUp = isLeading && seconds > CATCHING_UP_SECONDS
  return `${slots} slots (${seconds.toFixed(1)} s) behind${isCatchingUp ? ', catching up' : ''}`
}
