import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOldDatabase, migrateObserved, openSession } from '../testing/old-database.ts'
import { runSql, toDatabaseUrl } from '../testing/test-database.ts'
import type { ConnectionOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './read-migrations.ts'

/** The first migration that nodes of the first version don't have. */
const AFTER_FIRST_VERSION = 'clusters'

test('a migration waits for a long backup, and readers do not wait for the migration', async () => {
  const connection = await createOldDatabase(AFTER_FIRST_VERSION)
  const [backup, node] = [await openSession(connection), await openSession(connection)]
  await backup.query(`SET application_name = 'pg_dump'; BEGIN ISOLATION LEVEL REPEATABLE READ;
    LOCK TABLE chain_progress, authored_cards, agents, launches IN ACCESS SHARE MODE`)
  const migrating = migrateObserved(connection)
  await migrating.waits()
  for (let read = 0; read < 20; read += 1) await node.query('SELECT * FROM chain_progress')
  expect(migrating.reasons[0]).toMatch(
    /^waiting for a lock; the oldest transaction is \d+ s old \(pg_dump, pid \d+\)$/,
  )
  await backup.query('COMMIT')
  expect(await migrating.done).toBe(migrating.pending[0]?.count)
})

test('a migration holds no lock while the next one waits for its own', async () => {
  const connection = await createOldDatabase(AFTER_FIRST_VERSION)
  const [writer, node] = [await openSession(connection), await openSession(connection)]
  await writer.query('BEGIN; LOCK TABLE launches IN ROW EXCLUSIVE MODE')
  const migrating = migrateObserved(connection)
  await migrating.waits()
  // These tables are changed by earlier migrations, and by later steps of this one.
  await node.query('SELECT * FROM chain_progress, authored_cards, verified_agents')
  await node.query('UPDATE chain_progress SET slot = 1; DELETE FROM authored_cards; DELETE FROM agents')
  await node.query('UPDATE launches SET spotlight = true')
  await writer.query('COMMIT')
  await migrating.done
  expect(await findApplied(connection)).toEqual(readMigrations().map(({ when }) => `${when}`))
})

test('while an index waits for a transaction, other nodes can write', async () => {
  const connection = await createOldDatabase('agents-owner')
  const [writer, node] = [await openSession(connection), await openSession(connection)]
  await writer.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE')
  const { done } = migrateObserved(connection)
  await expect.poll(() => isValid(connection, 'agents_owner'), { timeout: 30_000 }).toBe(false)
  await node.query(insertAgent('written meanwhile'))
  await writer.query('COMMIT')
  await done
  expect(await isValid(connection, 'agents_owner')).toBe(true)
})

test('while an index waits for a transaction, the migration says again and again which one', async () => {
  const connection = await createOldDatabase('agents-owner')
  const writer = await openSession(connection)
  await writer.query(`SET application_name = 'long writer'; BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE`)
  const { done, reasons } = migrateObserved(connection)
  await expect.poll(() => reasons.length, { timeout: 30_000 }).toBeGreaterThan(1)
  for (const reason of reasons)
    expect(reason).toMatch(
      /^waiting for a lock; the oldest transaction is \d+ s old \(long writer, pid \d+\)$/,
    )
  expect(await isValid(connection, 'agents_owner')).toBe(false)
  await writer.query('COMMIT')
  await done
  // The connection that looked at the transactions is closed too.
  await expect.poll(() => countMigrating(connection), { timeout: 30_000 }).toBe(0)
})

test('an index whose build was interrupted is built again', async () => {
  const connection = await createOldDatabase('agents-owner')
  const writer = await openSession(connection)
  await writer.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE')
  const { done } = migrateObserved(connection)
  await expect.poll(() => isValid(connection, 'agents_owner'), { timeout: 30_000 }).toBe(false)
  await endMigration(connection)
  await expect(done).rejects.toThrow(/^The database cannot be migrated: /)
  await writer.query('COMMIT')
  expect(await isValid(connection, 'agents_owner')).toBe(false)
  await migrate(connection)
  expect(await findApplied(connection)).toEqual(readMigrations().map(({ when }) => `${when}`))
  expect(await isValid(connection, 'agents_owner')).toBe(true)
})

test('an interrupted migration continues where it stopped', async () => {
  const connection = await createOldDatabase('find-agents')
  await runSql(connection, insertAgent('one'))
  const writer = await openSession(connection)
  await writer.query('BEGIN; SELECT FROM agents FOR UPDATE')
  const migrating = migrateObserved(connection)
  await migrating.waits()
  const before = await findApplied(connection)
  await endMigration(connection)
  await expect(migrating.done).rejects.toThrow(/^The database cannot be migrated: /)
  await writer.query('COMMIT')
  await runSql(connection, 'SELECT FROM agent_listing')
  expect(await migrate(connection)).toBe(readMigrations().length - before.length)
  const { rows } = await runSql(connection, 'SELECT address FROM agent_listing')
  expect(rows).toEqual([{ address: 'one' }])
})

test('two nodes that start at once on an old database apply each migration once', async () => {
  const connection = await createOldDatabase(AFTER_FIRST_VERSION)
  const nodes = [migrateObserved(connection), migrateObserved(connection)]
  const needed = await Promise.all(nodes.map(({ done }) => done))
  expect(Math.min(...needed)).toBe(0)
  expect(nodes.flatMap(({ pending }) => pending)).toEqual([{ count: Math.max(...needed), seconds: 2 }])
  expect(nodes.flatMap(({ reasons }) => reasons)).toContain('another node is migrating the database')
  expect(await findApplied(connection)).toEqual(readMigrations().map(({ when }) => `${when}`))
})

test('a node of an earlier version that waits for its turn inside a statement does not block an index build', async () => {
  const connection = await createOldDatabase('agents-owner')
  const [writer, earlier] = [await openSession(connection), await openSession(connection)]
  await writer.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE')
  const { done } = migrateObserved(connection)
  await expect.poll(() => isValid(connection, 'agents_owner'), { timeout: 30_000 }).toBe(false)
  // This statement waits for the migration, and the index waits for this statement. It acts as if its deadlock check
  // were over.
  await earlier.query(`SET deadlock_timeout = '1h'`)
  const turn = earlier.query(`SELECT pg_advisory_lock(${0x51_1b_3a_79})`)
  await expect.poll(() => countWaiting(connection), { timeout: 30_000 }).toBe(1)
  await writer.query('COMMIT')
  await turn
  await earlier.query(`SELECT pg_advisory_unlock(${0x51_1b_3a_79})`)
  await done
  expect(await isValid(connection, 'agents_owner')).toBe(true)
})

test('the expected duration grows with the rows that the migrations touch', async () => {
  const connection = await createOldDatabase(AFTER_FIRST_VERSION)
  await runSql(connection, insertAgent(`'agent ' || n FROM generate_series(1, 3000) AS n`, ''))
  const { pending, done } = migrateObserved(connection)
  await done
  const count = readMigrations().length - 5
  expect(pending).toEqual([{ count, seconds: expect.any(Number) }])
  // Each migration takes a twentieth of a second, even without rows.
  expect(pending[0]?.seconds).toBeGreaterThan(Math.ceil(count / 20))
})

test('documents of agents that were burnt earlier expire, while other nodes can write agents', async () => {
  const connection = await createOldDatabase('document-budgets')
  await runSql(connection, insertAgent('kept'))
  await runSql(
    connection,
    `INSERT INTO documents (sha256, network, asset, body, size, named_at)
     SELECT lpad(to_hex(n), 64, '0'), 'chain-mainnet', CASE WHEN n % 2 = 0 THEN 'kept' ELSE 'burnt' END, '', 0,
       CASE WHEN n > 2 THEN now() END
     FROM generate_series(1, 2500) AS n`,
  )
  const [writer, other, node] = await Promise.all([1, 2, 3].map(() => openSession(connection)))
  await writer?.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE')
  const migrating = migrateObserved(connection)
  await migrating.waits()
  // By now, only the triggers and the batches are left. The last batch waits for this transaction.
  await other?.query('BEGIN; SELECT FROM documents ORDER BY sha256 DESC LIMIT 1 FOR UPDATE')
  await writer?.query('COMMIT')
  const findUnnamed = async () => {
    const { rows } = await runSql(
      connection,
      `SELECT sha256, asset, unnamed_at::text FROM documents WHERE unnamed_at IS NOT NULL ORDER BY sha256`,
    )
    return rows
  }
  await expect.poll(async () => (await findUnnamed()).length, { timeout: 30_000 }).toBe(999)
  await node?.query(insertAgent('written meanwhile'))
  const before = await findUnnamed()
  await other?.query('COMMIT')
  await migrating.done
  const after = await findUnnamed()
  expect(after.length).toBe(1_249)
  expect(new Set(after.map(({ asset }) => asset))).toEqual(new Set(['burnt']))
  // The batches ran again and skipped the rows that they had written.
  expect(after.slice(0, before.length)).toEqual(before)
})

test('the expected duration includes the documents', async () => {
  const connection = await createOldDatabase('document-budgets')
  await runSql(
    connection,
    `INSERT INTO documents (sha256, network, asset, body, size)
     SELECT n, 'chain-mainnet', 'asset', '', 0 FROM generate_series(1, 12000) AS n`,
  )
  const { pending, done } = migrateObserved(connection)
  await done
  // 0.5 s for four indexes, and 1.8 s for the batches.
  expect(pending).toMatchObject([{ seconds: 3 }])
})

test('a role with short time limits can migrate', async () => {
  const connection = await createOldDatabase('agents-owner')
  const writer = await openSession(connection)
  await writer.query('BEGIN; LOCK TABLE agents IN ROW EXCLUSIVE MODE')
  const limits = encodeURIComponent('-c statement_timeout=1s -c lock_timeout=1s')
  const { done } = migrateObserved({ connectionString: `${toDatabaseUrl(connection)}&options=${limits}` })
  await expect.poll(() => isValid(connection, 'agents_owner'), { timeout: 30_000 }).toBe(false)
  // By now the statement that builds the index would have been cancelled.
  await sleep(1_400)
  await writer.query('COMMIT')
  await done
  expect(await isValid(connection, 'agents_owner')).toBe(true)
})

const insertAgent = (address: string, quote = `'`) =>
  `INSERT INTO agents (network, owner, name, uri, identity_version, slot, address)
   SELECT 'chain-mainnet', 'owner', 'Heron', '', 2, 1, ${quote}${address}${quote}`

async function findApplied(connection: ConnectionOptions): Promise<string[]> {
  const { rows } = await runSql(
    connection,
    'SELECT created_at FROM drizzle.__drizzle_migrations ORDER BY created_at',
  )
  return rows.map(row => row.created_at)
}

async function isValid(connection: ConnectionOptions, index: string): Promise<boolean | undefined> {
  const { rows } = await runSql(
    connection,
    `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${index}')`,
  )
  return rows[0]?.indisvalid
}

/** Ends the session, as if its node had been killed. */
const endMigration = (connection: ConnectionOptions) =>
  runSql(
    connection,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'slipway-migrate' AND datname = current_database()`,
  )

async function countMigrating(connection: ConnectionOptions): Promise<number> {
  const { rows } = await runSql(
    connection,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'slipway-migrate' AND datname = current_database()`,
  )
  return rows[0].count
}

async function countWaiting(connection: ConnectionOptions): Promise<number> {
  const { rows } = await runSql(
    connection,
    `SELECT count(*)::int AS count FROM pg_locks JOIN pg_database ON pg_database.oid = database
     WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  )
  return rows[0].count
}
