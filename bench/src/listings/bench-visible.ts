import type { Database } from '@slipway/service/store/database'
import { sql } from 'drizzle-orm'
import { insertSampleLaunches, withStore } from '../lib/bench-store.ts'
import { type Child, startChild } from '../lib/child.ts'
import type { LoadResult } from '../lib/load.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'

const CHANGES = 20
const LOAD_SECONDS = 5

/**
 * Measures, with a real PostgreSQL, how long after its commit a change is in the served listing, and what the listing
 * would cost if it were queried and serialised for each request.
 */
export async function benchVisible(sizes: string[]): Promise<void> {
  const rows: string[][] = []
  await withStore(async (database, connection) => {
    for (const launches of sizes.length > 0 ? sizes.map(Number) : [100, 10_000, 100_000]) {
      await database.run('bench.truncate', db => db.execute(sql`TRUNCATE launches, tokens`))
      await insertSampleLaunches(database, launches)
      const node = startChild()
      const port = await node.call<number>('serveNode', connection)
      const delays = await measureDelays(database, port, launches)
      const snapshots = await measureRate(port)
      node.stop()
      const queries = startChild()
      const rate = await measureRate(await queries.call<number>('serveQueries', connection))
      queries.stop()
      rows.push([
        launches.toLocaleString('en'),
        median(delays).toFixed(0),
        Math.max(...delays).toFixed(0),
        snapshots.toFixed(1),
        // No response arrived during the measurement.
        rate === 0 ? `< ${1 / LOAD_SECONDS}` : rate.toFixed(2),
        rate === 0 ? `< ${(1 / LOAD_SECONDS / snapshots).toFixed(4)}` : (rate / snapshots).toFixed(4),
      ])
    }
  })
  printTable(
    'Time from commit to visible, and the cost of one query per request',
    [
      'launches',
      'visible after, ms (median)',
      'ms (longest)',
      'snapshots per second',
      'queries per second',
      'queries / snapshots',
    ],
    rows,
  )
}

async function measureDelays(database: Database, port: number, launches: number): Promise<number[]> {
  const delays: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    const before = await fetchETag(port)
    const { genesisAddress } = sampleLaunch((change * 7_919) % launches)
    await database.run('bench.change', db =>
      db.execute(sql`UPDATE launches SET last_activity_at = now() WHERE genesis_address = ${genesisAddress}`),
    )
    const start = performance.now()
    while ((await fetchETag(port)) === before) await new Promise(resolve => setTimeout(resolve, 1))
    delays.push(performance.now() - start)
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return delays
}

async function fetchETag(port: number): Promise<string | null> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/launches`, { method: 'HEAD' })
  return response.headers.get('etag')
}

async function measureRate(port: number): Promise<number> {
  const load: Child = startChild()
  const { perSecond } = await load.call<LoadResult>('generateLoad', {
    port,
    request: 'GET /v1/launches HTTP/1.1\r\nHost: localhost\r\n\r\n',
    connections: 8,
    seconds: LOAD_SECONDS,
    warmUpSeconds: 1,
  })
  load.stop()
  return perSecond
}
