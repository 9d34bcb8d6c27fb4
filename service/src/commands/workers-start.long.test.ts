import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { insertLaunches } from '../store/launches.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, runSql, toDatabaseUrl } from '../testing/test-database.ts'

const POLL = { timeout: 240_000, interval: 100 }

test('the first worker reads the launches, and the others take them from its file', async () => {
  const { connection, database } = await createTestDatabase()
  await insertLaunches(
    database,
    Array.from({ length: 2_100 }, (_, at) => launchRows(`launch ${at}`)),
  )
  // The events of so many new launches are read by a query that is slow without statistics.
  await runSql(connection, 'TRUNCATE events; ANALYZE')
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-workers-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const running = runSlipway(['serve'], {
    DATABASE_URL: toDatabaseUrl(connection),
    DATA_DIR: dataDir,
    PORT: port,
    METRICS_PORT: metricsPort,
    WORKERS: '2',
    TRUST_PROXY: 'loopback',
    // Nothing listens there.
    RPC_URL_MAINNET: 'http://127.0.0.1:9',
    INDEXER: 'off',
    SOCIAL_TOKEN_SECRET: 'a secret that only the tests know of',
  })
  await running.serving()
  expect(await readdir(dataDir)).toContain('listings.cache')
  const metrics = async () => (await rawRequest(`http://127.0.0.1:${metricsPort}`, '/metrics')).text
  const countWorkers = async () => (await metrics()).match(/^slipway_worker_info/gm)?.length
  await expect.poll(countWorkers, POLL).toBe(2)
  const reads = /^slipway_store_query_duration_seconds_count\{query="launches.read",outcome="ok"\} (\d+)$/m
  // 500 at a time, once.
  expect(reads.exec(await metrics())?.[1]).toBe('5')
  const tags = new Set<string | undefined>()
  for (let request = 0; request < 4; request += 1) {
    const { headers } = await rawRequest(`http://127.0.0.1:${port}`, '/v1/launches')
    tags.add(headers.etag)
  }
  expect([...tags]).toEqual([expect.any(String)])
}, 300_000)
