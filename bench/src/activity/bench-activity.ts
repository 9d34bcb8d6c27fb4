import { once } from 'node:events'
import { request } from 'node:http'
import { createService } from '@slipway/service/app/create-service'
import { parseConfig } from '@slipway/service/config'
import { createShutdownList } from '@slipway/service/shutdown'
import { compactActivity } from '@slipway/service/store/compact-activity'
import { type ConnectionOptions, type Database, openDatabase } from '@slipway/service/store/database'
import { createLog } from '@slipway/service/telemetry/log'
import { sql } from 'drizzle-orm'
import { insertSampleLaunches, withStore } from '../lib/bench-store.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { RATE_LIMITS, SOCIAL_SETTINGS } from '../lib/server-parts.ts'

const CHANGES = Number(process.env.BENCH_CHANGES ?? 1_000_000)
const DAYS = 60
const RUNS = 30
const STATEMENT_MS = 600_000

/** A launch with a million changes, before and after compaction. */
export async function benchActivity(): Promise<void> {
  await withStore(async (_, connection) => {
    const observer = { onQuery: () => {}, onConnectionLost: () => {} }
    const database = openDatabase(connection, observer, { statementMs: STATEMENT_MS })
    await insertSampleLaunches(database, 2)
    // All within the last day, where nothing is compacted.
    await insertChanges(database, sampleLaunch(0).genesisAddress, 1)
    await insertChanges(database, sampleLaunch(1).genesisAddress, DAYS)
    const node = await startNode(connection)
    const rows = [
      ...(await measureRequests(node.url, 0, `${CHANGES.toLocaleString('en')} changes within a day`)),
      ...(await measureRequests(node.url, 1, `the same within ${DAYS} days, before the compaction`)),
    ]
    await measureCompaction(database)
    rows.push(...(await measureRequests(node.url, 1, 'afterwards')))
    await node.stop()
    await database.close()
    printTable(
      'Activity of a launch with many changes',
      ['', 'interval', 'points', 'ms (median, nothing cached)', 'ms (from memory)', 'bytes', 'bytes in gzip'],
      rows,
    )
  })
}

async function insertChanges(database: Database, genesisAddress: string, days: number): Promise<void> {
  await database.run('bench.fill', db =>
    db.execute(sql`
      INSERT INTO launch_activity (launch_id, time, slot, raised, sold, supply, price_quote, price_base, progress, creator_fees)
      SELECT id, now() - make_interval(secs => (${CHANGES} - n) * ${days} * 86400.0 / ${CHANGES}), n,
        n * 85000, n * 800000000, 800000000000000, 30000000000 + n * 85000, 1073000000000000 - n * 800000000,
        (n * 1000000 / ${CHANGES})::int, n * 850
      FROM launches, generate_series(1::bigint, ${CHANGES}) AS n WHERE genesis_address = ${genesisAddress}`),
  )
  await database.run('bench.fill', db =>
    db.execute(sql`
      INSERT INTO activity_sources SELECT id, 'So11111111111111111111111111111111111111112', 9, 6
      FROM launches WHERE genesis_address = ${genesisAddress}`),
  )
  await database.run('bench.analyze', db => db.execute(sql`VACUUM ANALYZE launch_activity`))
}

async function measureRequests(url: string, launch: number, title: string): Promise<string[][]> {
  const { genesisAddress } = sampleLaunch(launch)
  const rows: string[][] = []
  for (const [interval, minutes] of [
    ['hour', 24 * 60],
    ['minute', 499],
    ['day', 499 * 24 * 60],
  ] as const) {
    const toMs = Math.floor(Date.now() / 60_000) * 60_000
    const uncached: number[] = []
    const cached: number[] = []
    let points = 0
    let bytes = 0
    let packed = 0
    for (let run = 0; run < RUNS; run += 1) {
      // Another start of the range, so that the answer is not in memory.
      const from = new Date(toMs - (minutes - (interval === 'minute' ? run : 0)) * 60_000)
      const path = `${url}/v1/launches/${genesisAddress}/activity?interval=${interval}&from=${from.toISOString()}`
      if (interval !== 'minute') await new Promise(resolve => setTimeout(resolve, 1_050))
      const first = await get(path)
      const second = await get(path, 'gzip')
      uncached.push(first.ms)
      cached.push(second.ms)
      points = JSON.parse(first.body.toString()).data.points.length
      bytes = first.body.length
      packed = second.body.length
      if (interval !== 'minute' && run === 9) break
    }
    rows.push([
      rows.length === 0 ? title : '',
      interval,
      `${points}`,
      median(uncached).toFixed(1),
      median(cached).toFixed(1),
      bytes.toLocaleString('en'),
      packed.toLocaleString('en'),
    ])
  }
  return rows
}

async function get(url: string, encoding = 'identity'): Promise<{ ms: number; body: Buffer }> {
  const startMs = performance.now()
  const sent = request(url, { headers: { 'accept-encoding': encoding } }).end()
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { ms: performance.now() - startMs, body: Buffer.concat(chunks) }
}

async function measureCompaction(database: Database): Promise<void> {
  const size = async () => {
    const { rows } = await database.run('bench.size', db =>
      db.execute<{ rows: number; bytes: number }>(sql`
        SELECT count(*)::int AS rows, pg_total_relation_size('launch_activity')::float8 AS bytes
        FROM launch_activity JOIN launches ON launches.id = launch_id
        WHERE genesis_address = ${sampleLaunch(1).genesisAddress}`),
    )
    return rows[0] ?? { rows: 0, bytes: 0 }
  }
  const before = await size()
  const batches: number[] = []
  const startMs = performance.now()
  for (let count = 1; count > 0; ) {
    const batchMs = performance.now()
    count = await compactActivity(database)
    batches.push(performance.now() - batchMs)
  }
  const seconds = (performance.now() - startMs) / 1_000
  const after = await size()
  printTable(
    'Compaction',
    [
      'rows before',
      'rows after',
      'seconds',
      'ms per batch of 2,000 (median)',
      'ms (longest)',
      'rows per second',
    ],
    [
      [
        before.rows.toLocaleString('en'),
        after.rows.toLocaleString('en'),
        seconds.toFixed(1),
        median(batches).toFixed(0),
        Math.max(...batches).toFixed(0),
        ((before.rows - after.rows) / seconds).toFixed(0),
      ],
    ],
  )
}

async function startNode(connection: ConnectionOptions) {
  const shutdown = createShutdownList(() => {})
  const { app, load } = createService(
    { ...parseConfig({ LOG_LEVEL: 'silent' }), rateLimits: RATE_LIMITS, indexer: false },
    connection,
    { log: createLog('silent'), shutdown, social: SOCIAL_SETTINGS },
  )
  await load()
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, stop: () => shutdown.run() }
}
