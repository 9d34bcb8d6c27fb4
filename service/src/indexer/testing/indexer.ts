import type { Network } from '@slipway/schema/network'
import { onTestFinished } from 'vitest'
import { type ChainRpc, createRpc } from '../../chain/rpc/create-rpc.ts'
import type { ConnectionOptions } from '../../store/database.ts'
import { takeIndexLease } from '../../store/index-lease.ts'
import { createIndexer, type Indexer } from '../create-indexer.ts'
import type { IndexerLimits } from '../limits.ts'
import type { IndexerObserver, IndexProgress } from '../observer.ts'

/** The indexer of one network, with a record of everything that it reports. */
export function startTestIndexer({
  network = 'chain-mainnet',
  connection,
  rpcUrl,
  wsUrl,
  limits = {},
  wrap = rpc => rpc,
}: {
  network?: Network
  connection: ConnectionOptions
  rpcUrl: string
  wsUrl: string
  limits?: Partial<IndexerLimits>
  wrap?(rpc: ChainRpc): ChainRpc
}): { indexer: Indexer; said: string[]; progress: IndexProgress[]; stop(): Promise<void> } {
  const said: string[] = []
  const progress: IndexProgress[] = []
  const rpc = createRpc({ urls: [rpcUrl], cluster: 'any' })
  const observer: IndexerObserver = {
    onLeading: (_, isLeading) => said.push(isLeading ? 'leading' : 'not leading'),
    onMode: (_, mode) => said.push(mode),
    onTopicRefused: (_, topic) => said.push(`refused ${topic}`),
    onChanges: (_, kind, count) => said.push(`${count} ${kind}`),
    onProgress: (_, at) => progress.push(at),
    onGap: (_, reason) => said.push(`gap: ${reason}`),
    onRepaired: (_, { reason }) => said.push(`repaired: ${reason}`),
    onRemoved: (_, kind, addresses) => said.push(`removed ${addresses.length} ${kind}`),
    onHeld: (_, held) => held && said.push(`held ${held.missing} of ${held.total} ${held.kind}`),
    onScan: (_, share) => share === 1 && said.push('complete'),
    onFault: (_, what) => said.push(`fault: ${what}`),
  }
  const indexer = createIndexer({
    networks: [{ network, rpc: wrap(rpc), wsUrl }],
    takeLease: (asked, signal) =>
      takeIndexLease(connection, asked, { signal, observer: { onQuery() {}, onConnectionLost() {} } }),
    refreshAgent: async () => true,
    observer,
    limits,
  })
  const stop = async () => {
    await indexer.close()
    await rpc.close()
  }
  onTestFinished(stop)
  return { indexer, said, progress, stop }
}
