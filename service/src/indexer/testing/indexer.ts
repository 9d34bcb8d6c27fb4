import type { Network } from '@slipway/schema/network'
import { onTestFinished } from 'vitest'
import { type ChainCalls, createRpc } from '../../chain/rpc/create-rpc.ts'
import type { RpcLimits } from '../../chain/rpc/limits.ts'
import type { ConnectionOptions } from '../../store/database.ts'
import { type LeaseLimits, takeIndexLease } from '../../store/index-lease.ts'
import { createIndexer, type Indexer } from '../create-indexer.ts'
import { INDEXER_LIMITS, type IndexerLimits } from '../limits.ts'
import type { IndexerObserver, IndexProgress } from '../observer.ts'

/** Everything that is done regularly is done more often, and failures cause shorter pauses, so that tests wait less. */
export const QUICK_LIMITS: Partial<IndexerLimits> = {
  pollMs: 200,
  graceMs: 400,
  sweepMs: 200,
  recheckMs: 300,
  tickMs: 200,
  unreadableMs: 1_500,
  removedMs: 500,
  retryMs: 50,
  reconnectMs: 300,
  handOverMs: 600,
  // Only tests about trades read them.
  tradesPerSecond: 0,
}
export const QUICK_LEASE: Partial<LeaseLimits> = { retryMs: 200 }

/** The indexer of one network, with a record of everything that it reports. */
export function startTestIndexer({
  network = 'chain-mainnet',
  connection,
  rpcUrl,
  wsUrl,
  limits = {},
  rpcLimits = {},
  lease = {},
  wrap = rpc => rpc,
}: {
  network?: Network
  connection: ConnectionOptions
  rpcUrl: string
  wsUrl: string
  limits?: Partial<IndexerLimits>
  rpcLimits?: Partial<RpcLimits>
  lease?: Partial<LeaseLimits>
  wrap?(rpc: ChainCalls): ChainCalls
}): { indexer: Indexer; events: string[]; progress: IndexProgress[]; stop(): Promise<void> } {
  const events: string[] = []
  const progress: IndexProgress[] = []
  const rpc = createRpc({ urls: [rpcUrl], cluster: 'any', limits: rpcLimits })
  const observer: IndexerObserver = {
    onLeading: (_, isLeading) => events.push(isLeading ? 'leading' : 'not leading'),
    onMode: (_, mode) => events.push(mode),
    onTopicRefused: (_, topic) => events.push(`refused ${topic}`),
    onChanges: (_, kind, count) => events.push(`${count} ${kind}`),
    onProgress: (_, at) => progress.push(at),
    onGap: (_, reason) => events.push(`gap: ${reason}`),
    onRepaired: (_, { reason }) => events.push(`repaired: ${reason}`),
    onRemoved: (_, kind, addresses) => events.push(`removed ${addresses.length} ${kind}`),
    onHeld: (_, held) => held && events.push(`held ${held.missing} of ${held.total} ${held.kind}`),
    onScan: (_, share) => share === 1 && events.push('complete'),
    onTradesRequest() {},
    onTrades: (_, count) => events.push(`${count} trades`),
    onFault: (_, what) => events.push(`fault: ${what}`),
  }
  const indexer = createIndexer({
    networks: [{ network, rpc: wrap(rpc), wsUrl }],
    takeLease: (leased, signal) =>
      takeIndexLease(connection, leased, {
        signal,
        observer: { onQuery() {}, onConnectionLost() {} },
        limits: { ...QUICK_LEASE, ...lease },
      }),
    refreshAgent: async () => true,
    observer,
    limits: { ...QUICK_LIMITS, unreadableMs: INDEXER_LIMITS.unreadableMs, ...limits },
  })
  const stop = async () => {
    await indexer.close()
    await rpc.close()
  }
  onTestFinished(stop)
  return { indexer, events, progress, stop }
}
