import type { ConnectionOptions } from '@slipway/service/store/database'
import { startChild } from '../lib/child.ts'
import { printTable } from '../lib/report.ts'
import type { BackfillCost } from './measure-backfill.ts'
import type { IndexNodeUrls } from './serve-index-node.ts'

/** `0` skips this measurement. */
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 100_000)

/** Reads a whole chain into an empty store, and then again into the full one. */
export async function benchBackfill(connection: ConnectionOptions): Promise<void> {
  if (ACCOUNTS === 0) return
  const chain = startChild()
  const node = await chain.call<IndexNodeUrls>('serveIndexNode', {
    launches: ACCOUNTS / 2,
    agents: ACCOUNTS / 4,
  })
  const rows: string[][] = []
  for (const name of ['first time', 'again']) {
    const child = startChild()
    const cost = await child.call<BackfillCost>('measureBackfill', { connection, rpcUrl: node.rpcUrl })
    child.stop()
    rows.push([
      name,
      cost.seconds.toFixed(1),
      (ACCOUNTS / cost.seconds).toFixed(0),
      cost.rpcSeconds.toFixed(1),
      cost.storeSeconds.toFixed(1),
      cost.cpuSeconds.toFixed(1),
      cost.peakMegabytes.toFixed(0),
    ])
  }
  chain.stop()
  printTable(
    `Reading ${ACCOUNTS.toLocaleString('en')} accounts into the store`,
    [
      '',
      'seconds',
      'accounts per second',
      'waiting for the RPC, s',
      'for the store, s',
      'our CPU, s',
      'peak memory, MB',
    ],
    rows,
  )
}
