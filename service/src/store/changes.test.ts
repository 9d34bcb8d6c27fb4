import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgresProxy } from '../testing/freezing-proxy.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { startMovingAddress } from '../testing/replicated-postgres.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { saveAuthoredCard, setVerified } from './agents.ts'
import { listenForChanges } from './changes.ts'
import { type Database, openDatabase, type PooledDatabase } from './database.ts'
import { insertLaunches } from './launches.ts'

async function listen(heartbeatMs?: number) {
  const { connection, database } = await createTestDatabase()
  const proxy = await startPostgresProxy(connection)
  const received: string[] = []
  let everything = 0
  let lost = 0
  const listener = {
    onChanged: (kind: string, network: string, addresses: string[]) =>
      void received.push(...addresses.map(address => `${kind} ${network} ${address}`)),
    onEverything: () => {
      everything += 1
    },
    onLost: () => {
      lost += 1
    },
  }
  let reached: Database = database
  const pool: PooledDatabase = {
    ...database,
    run: (name, work) => reached.run(name, work),
    reconnect: () => {},
  }
  const changes = listenForChanges(proxy.connection, pool, listener, heartbeatMs)
  onTestFinished(() => changes.close())
  await changes.started
  /** Moves the pool to another database, which stands in for another server. */
  const movePool = (to: Database) => {
    reached = to
  }
  return { connection, database, proxy, changes, received, movePool, counts: () => ({ everything, lost }) }
}

test('every changed launch is announced with its network and address, even if one statement changes a thousand', async () => {
  const { database, received } = await listen()
  const many = Array.from({ length: 1_000 }, (_, at) => launchRows(`many ${at}`))
  await insertLaunches(database, [...many, launchRows('devnet', { network: 'chain-devnet' })])
  await expect.poll(() => received.length).toBe(1_001)
  expect(new Set(received)).toContain(`launches chain-mainnet ${addressOf('launch many 999')}`)
  expect(new Set(received)).toContain(`launches chain-devnet ${addressOf('launch devnet')}`)
  expect(new Set(received).size).toBe(1_001)
})

test('once delivered, every change committed before the call has been announced', async () => {
  const { database, changes, received } = await listen()
  for (let at = 0; at < 20; at += 1) {
    await insertLaunches(database, [launchRows(`delivered ${at}`)])
    await changes.delivered()
    expect(received.at(-1)).toBe(`launches chain-mainnet ${addressOf(`launch delivered ${at}`)}`)
  }
})

test('truncating a table is announced as a change of everything', async () => {
  const { connection, counts, received } = await listen()
  await runSql(connection, 'TRUNCATE agents')
  await expect.poll(counts).toEqual({ everything: 2, lost: 0 })
  await runSql(connection, 'TRUNCATE launches')
  await expect.poll(counts).toEqual({ everything: 3, lost: 0 })
  expect(received).toEqual([])
})

test('a rolled-back change is not announced', async () => {
  const { connection, database, received } = await listen()
  await insertLaunches(database, [launchRows('kept')])
  await runSql(connection, `BEGIN; UPDATE launches SET website = 'https://gone.example'; ROLLBACK`)
  await insertLaunches(database, [launchRows('later')])
  await expect
    .poll(() => received)
    .toEqual([
      `launches chain-mainnet ${addressOf('launch kept')}`,
      `launches chain-mainnet ${addressOf('launch later')}`,
    ])
})

test('a cut connection is re-established, and the listener has to reload everything', async () => {
  const { connection, changes, counts } = await listen()
  expect(counts()).toEqual({ everything: 1, lost: 0 })
  await runSql(
    connection,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'slipway-listen' AND datname = current_database()`,
  )
  await expect.poll(counts, { timeout: 10_000 }).toEqual({ everything: 2, lost: 1 })
  expect(changes.listening).toBe(true)
})

test('a connection that does not hear what the pool announces is dropped, and used again once it hears it', async () => {
  const { database, changes, movePool, counts } = await listen(50)
  expect(changes.server).toMatch(/^\d+\.\d+$/)
  const other = await createTestDatabase()
  movePool(other.database)
  await expect.poll(() => changes.listening).toBe(false)
  await expect.poll(() => counts().lost).toBeGreaterThan(2)
  expect(changes).toMatchObject({ listening: false, server: undefined })
  expect(counts().everything).toBe(1)
  movePool(database)
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ everything: 2 })
  expect(changes.listening).toBe(true)
})

test('two heartbeats in a row that the pool can not announce disprove nothing, but three do', async () => {
  const { database, changes, movePool, counts } = await listen(50)
  let calls = 0
  let isDown = false
  const run: Database['run'] = (name, work) => {
    calls += 1
    if (!isDown && calls % 3 === 0) return database.run(name, work)
    return Promise.reject(new Error('timeout exceeded when trying to connect'))
  }
  movePool({ ...database, run })
  await expect.poll(() => calls, { timeout: 10_000 }).toBeGreaterThan(6)
  expect(changes.listening).toBe(true)
  expect(counts()).toEqual({ everything: 1, lost: 0 })
  isDown = true
  await expect.poll(() => changes.listening, { timeout: 10_000 }).toBe(false)
  movePool(database)
  await expect.poll(counts, { timeout: 10_000 }).toMatchObject({ everything: 2 })
})

test('a half-open connection is noticed at the next heartbeat and re-established', async () => {
  const { database, proxy, changes, received, counts } = await listen(100)
  proxy.isFrozen = true
  await setVerified(database, 'chain-mainnet', addressOf('unheard'), true)
  await expect.poll(counts, { timeout: 30_000 }).toMatchObject({ lost: 1 })
  expect(changes.listening).toBe(false)
  proxy.isFrozen = false
  await expect.poll(counts, { timeout: 30_000 }).toMatchObject({ everything: 2 })
  await setVerified(database, 'chain-mainnet', addressOf('received'), true)
  await expect.poll(() => received).toEqual([`agents chain-mainnet ${addressOf('received')}`])
})

test('connections of the pool that no longer answer are replaced at once, not one after another', async () => {
  const { connection } = await createTestDatabase()
  const target = { connection: connection as { host: string; user: string; database: string } }
  const address = await startMovingAddress(target)
  const pool = openDatabase(
    address.connection,
    { onQuery() {}, onConnectionLost() {} },
    { statementMs: 500, connections: 6 },
  )
  onTestFinished(() => pool.close())
  const lost: unknown[] = []
  const listener = { onChanged() {}, onEverything() {}, onLost: (error: unknown) => void lost.push(error) }
  const changes = listenForChanges(address.connection, pool, listener, 50)
  onTestFinished(() => changes.close())
  await changes.started
  const use = () => pool.run('test', db => db.execute(sql`SELECT pg_sleep(0.2)`))
  await Promise.all(Array.from({ length: 6 }, use))
  address.move(target, 'frozen')
  await expect.poll(() => changes.listening, { timeout: 30_000 }).toBe(false)
  await expect.poll(() => changes.listening, { timeout: 30_000 }).toBe(true)
  expect(lost).toHaveLength(1)
})

test('every write about an agent is announced: row, verification and card', async () => {
  const { database, received } = await listen()
  const agent = addressOf('agent')
  await setVerified(database, 'chain-devnet', agent, true)
  await saveAuthoredCard(database, 'chain-mainnet', agent, Buffer.from('{}'))
  await setVerified(database, 'chain-devnet', agent, false)
  await expect
    .poll(() => received)
    .toEqual([
      `agents chain-devnet ${agent}`,
      `agents chain-mainnet ${agent}`,
      `agents chain-devnet ${agent}`,
    ])
})
