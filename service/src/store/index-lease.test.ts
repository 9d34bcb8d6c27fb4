import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import type { ConnectionOptions } from './database.ts'
import { type IndexLease, LeaseLost, takeIndexLease } from './index-lease.ts'

const quiet = { onQuery() {}, onConnectionLost() {} }

function take(
  connection: ConnectionOptions,
  waitMs = 30_000,
  options: Partial<Parameters<typeof takeIndexLease>[2]> = {},
): Promise<IndexLease | undefined> {
  const signal = AbortSignal.timeout(waitMs)
  const lease = takeIndexLease(connection, 'chain-mainnet', { signal, observer: quiet, ...options })
  onTestFinished(async () => (await lease)?.release())
  return lease
}

const write = (lease: IndexLease | undefined) =>
  lease?.database.run('test', db => db.execute(sql`CREATE TABLE IF NOT EXISTS written (at int)`))

const endSessions = (connection: ConnectionOptions) =>
  runSql(
    connection,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'slipway-index'`,
  )

test('only one node has the lease of a network, and the next gets it on release', async () => {
  const { connection } = await createTestDatabase()
  const first = await take(connection)
  expect(first).toBeDefined()
  expect(await take(connection, 300, { limits: { retryMs: 50 } })).toBeUndefined()
  const signal = AbortSignal.timeout(30_000)
  const other = await takeIndexLease(connection, 'chain-devnet', { signal, observer: quiet })
  expect(other).toBeDefined()
  await other?.release()
  const next = take(connection)
  await first?.release()
  expect(await next).toBeDefined()
})

test("a node that lost the lease can't write, and another gets it at once", async () => {
  const { connection } = await createTestDatabase()
  const first = await take(connection)
  await write(first)
  await endSessions(connection)
  await expect.poll(() => first?.lost.aborted).toBe(true)
  await expect(write(first)).rejects.toThrow(LeaseLost)
  const second = await take(connection)
  await write(second)
  expect(second?.lost.aborted).toBe(false)
})

test.each([
  ['read-only', 'SET default_transaction_read_only = on'],
  ['without its lock', 'SELECT pg_advisory_unlock_all()'],
])('a session that is suddenly %s loses the lease at the next heartbeat', async (_, statement) => {
  const { connection } = await createTestDatabase()
  const lease = await take(connection, 30_000, { limits: { heartbeatMs: 50 } })
  await lease?.database.run('test', db => db.execute(sql.raw(statement)))
  await expect.poll(() => lease?.lost.aborted).toBe(true)
})

test('a session on another server than the pool loses the lease, and does not get it', async () => {
  const { connection } = await createTestDatabase()
  let other: string | undefined
  const options = { serverOfPool: () => other, limits: { heartbeatMs: 50, retryMs: 50 } }
  const lease = await take(connection, 30_000, options)
  other = 'another'
  await expect.poll(() => lease?.lost.aborted).toBe(true)
  expect(await take(connection, 500, options)).toBeUndefined()
  other = undefined
  expect(await take(connection, 30_000, options)).toBeDefined()
})

test('a session that waits for the lease leaves a server that the pool has left', async () => {
  const { connection } = await createTestDatabase()
  await take(connection)
  let pool: string | undefined
  const lost: string[] = []
  const waits: true[] = []
  void take(connection, 5_000, {
    serverOfPool: () => pool,
    limits: { retryMs: 50 },
    onWaiting: () => void waits.push(true),
    observer: { ...quiet, onConnectionLost: ({ message }) => void lost.push(message) },
  })
  await expect.poll(() => waits.length).toBeGreaterThan(1)
  expect(lost).toEqual([])
  pool = 'another'
  await expect.poll(() => lost[0]).toMatch('another server than the pool')
})

test('releasing the lease does not wait for a session that hangs', async () => {
  const { connection } = await createTestDatabase()
  const lease = await take(connection)
  const found = await lease?.database.run('test', db =>
    db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`),
  )
  const pid = found?.rows[0]?.pid as number
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  await lease?.release()
})

test('a statement that is running when the session ends has no effect', async () => {
  const { connection } = await createTestDatabase()
  const lease = await take(connection)
  const slow = lease?.database.transact('test', async db => {
    await db.execute(sql`CREATE TABLE half (at int)`)
    await db.execute(sql`SELECT pg_sleep(30)`)
  })
  slow?.catch(() => {})
  const running = `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND datname = current_database()`
  await expect.poll(async () => (await runSql(connection, running)).rowCount).toBe(1)
  await endSessions(connection)
  await expect(slow).rejects.toThrow()
  expect((await runSql(connection, `SELECT to_regclass('half') AS name`)).rows).toEqual([{ name: null }])
})

test('concurrent writes through one lease run one after another', async () => {
  const { connection } = await createTestDatabase()
  const lease = await take(connection)
  await lease?.database.run('test', db => db.execute(sql`CREATE TABLE counted (at int)`))
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      lease?.database.transact('test', async db => {
        await db.execute(sql`INSERT INTO counted VALUES (${at})`)
        if (at % 2 === 1) throw new Error('rolled back')
      }),
    ),
  )
  const { rows } = await runSql(connection, 'SELECT at FROM counted ORDER BY at')
  expect(rows.map(({ at }) => at)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
})
