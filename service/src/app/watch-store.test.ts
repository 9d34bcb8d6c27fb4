import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { canMountDisk, mountSmallDisk } from '../testing/small-disk.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { watchStore } from './watch-store.ts'

const WAIT = { timeout: 60_000 }

/** One part's line, read after the second for which `/readyz` is cached. */
async function readLine(url: string, part: string) {
  const { status, text } = await rawRequest(url, '/readyz')
  return [status, text.split('\n').find(line => line.startsWith(`${part}:`))]
}

test('a read-only database makes the node unready until it can write again', async () => {
  const { connection } = await createTestDatabase()
  const { url, metrics } = await startTestService({
    connection,
    launches: [launchRows('listed')],
    limits: { storeProbeMs: 50 },
  })
  /** Applies to new sessions. */
  const setReadOnly = (isOn: boolean) =>
    runSql(
      connection,
      `SET TRANSACTION READ WRITE;
       ALTER DATABASE ${connection.database} SET default_transaction_read_only = ${isOn};
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'slipway'`,
    )
  await setReadOnly(true)
  await expect
    .poll(() => readLine(url, 'store'), WAIT)
    .toEqual([503, 'store: failing, the database is read-only'])
  expect(await metrics.registry.metrics()).toContain('slipway_store_writable 0\n')
  expect((await rawRequest(url, '/readyz?for=reads')).status).toBe(200)
  await setReadOnly(false)
  await expect.poll(() => readLine(url, 'store'), WAIT).toEqual([200, expect.stringMatching(/^store: ok/)])
  expect(await metrics.registry.metrics()).toContain('slipway_store_writable 1\n')
})

test.skipIf(!canMountDisk)(
  'a database on a full disk makes the node unready until there is space',
  async () => {
    const disk = mountSmallDisk('150m')
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const server = await openEmbeddedPostgres({ dataDir: join(disk.folder, 'data'), role: 'owner', log })
    onTestFinished(server.stop)
    await migrate(server.connection)
    const { url } = await startTestService({ connection: server.connection, limits: { storeProbeMs: 50 } })
    expect(await readLine(url, 'store')).toEqual([200, expect.stringMatching(/^store: ok/)])
    const readWhenFull = () => {
      disk.fill()
      return readLine(url, 'store')
    }
    await expect.poll(readWhenFull, WAIT).toEqual([503, "store: failing, the database's disk is full"])
    disk.free()
    await expect.poll(() => readLine(url, 'store'), WAIT).toEqual([200, expect.stringMatching(/^store: ok/)])
  },
)

test('a database that answers but does not write in time counts as failing, and nothing waits for the probe', async () => {
  const { connection } = await createTestDatabase()
  const quiet = { onQuery: () => {}, onConnectionLost: () => {} }
  const database = openDatabase(connection, quiet, { statementMs: 1_000 })
  onTestFinished(database.close)
  const blocker = new pg.Client(connection)
  await blocker.connect()
  onTestFinished(() => blocker.end())
  await blocker.query('BEGIN; LOCK TABLE clusters IN ACCESS EXCLUSIVE MODE')
  const logged: string[] = []
  const write = (_: object, message: string) => void logged.push(message)
  const watch = watchStore({
    database,
    metrics: createMetrics(),
    log: { info: write, error: write },
    probeMs: 20,
  })
  onTestFinished(watch.close)
  watch.start()
  expect(() => watch.assertWritable()).not.toThrow()
  await expect.poll(() => logged, WAIT).toHaveLength(1)
  expect(() => watch.assertWritable()).toThrow('the database answers but does not write in time')
  await blocker.query('ROLLBACK')
  // On a busy machine, a later probe may be late again.
  await expect
    .poll(() => logged.slice(0, 2), WAIT)
    .toEqual([expect.any(String), 'the database can write again'])
  const isWritable = () => {
    watch.assertWritable()
    return true
  }
  await vi.waitFor(isWritable, WAIT)
})

test('a probe leaves no row, no dead row and no table behind', async () => {
  const { connection } = await createTestDatabase()
  await runSql(connection, `INSERT INTO clusters (network, genesis_hash) VALUES ('chain-mainnet', 'hash')`)
  const size = async () =>
    (
      await runSql(
        connection,
        `SELECT pg_relation_size('clusters') AS size, (SELECT count(*) FROM pg_class) AS tables,
           (SELECT ctid FROM clusters) AS place`,
      )
    ).rows[0]
  const before = await size()
  const { metrics, url } = await startTestService({ connection, limits: { storeProbeMs: 1 } })
  const probes = async () => {
    const text = await metrics.registry.metrics()
    return Number(/query_duration_seconds_count\{query="probe.write",outcome="ok"\} (\d+)/.exec(text)?.[1])
  }
  await expect.poll(probes, WAIT).toBeGreaterThan(20)
  expect(await readLine(url, 'store')).toEqual([200, expect.stringMatching(/^store: ok/)])
  expect(await size()).toEqual(before)
})

test('/readyz says that the clock is two minutes off, and the node stays ready', async () => {
  const { url, metrics } = await startTestService({ limits: { storeProbeMs: 50 } })
  await expect
    .poll(() => readLine(url, 'clock'), WAIT)
    .toEqual([200, expect.stringMatching(/^clock: ok, 0\.\d s (ahead of|behind) the database's$/)])
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 120_000)
  onTestFinished(() => clock.mockRestore())
  // The database's time is known as exactly as its answer was fast.
  const line = /^clock: failing, 1(19|20)\.\d s ahead of the database's$/
  await expect.poll(() => readLine(url, 'clock'), WAIT).toEqual([200, expect.stringMatching(line)])
  expect(await metrics.registry.metrics()).toMatch(/slipway_clock_ahead_seconds 1(19|20)/)
})

test("on a node whose clock is ten minutes ahead, a launch starts by the database's clock", async () => {
  const { now } = Date
  const rows = launchRows('upcoming', { startsAt: new Date(now() + 5 * 60_000) })
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000)
  onTestFinished(() => clock.mockRestore())
  const { url, database } = await startTestService({ launches: [rows] })
  const { text } = await rawRequest(url, '/v1/launches')
  expect(JSON.parse(text).data[0].launch.status).toBe('upcoming')
  expect(Math.abs(database.nowMs() - now())).toBeLessThan(60_000)
})

test("when this machine's clock is set, the database's time goes on, and the clocks are compared again", async () => {
  const { database } = await createTestDatabase()
  const log = { info: () => {}, error: () => {} }
  const watch = watchStore({ database, metrics: createMetrics(), log, probeMs: 3_600_000 })
  onTestFinished(watch.close)
  await watch.start()
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000)
  onTestFinished(() => clock.mockRestore())
  expect(Math.abs(database.nowMs() - now())).toBeLessThan(60_000)
  const read = () => watch.clock.check().catch((error: Error) => error.message)
  await expect.poll(read, WAIT).toMatch(/^(599|600)\.\d s ahead of/)
  expect(Math.abs(database.nowMs() - now())).toBeLessThan(60_000)
})
