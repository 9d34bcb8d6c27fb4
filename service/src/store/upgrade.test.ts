import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestConnection, runSql, toDatabaseUrl } from '../testing/test-database.ts'
import type { ConnectionOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'

const [BASELINE] = readMigrations()
if (!BASELINE) throw new Error('There are no migrations')
const NEXT = {
  ...BASELINE,
  sql: ['ALTER TABLE launches ADD COLUMN colour text'],
  hash: 'next',
  folderMillis: Number.MAX_SAFE_INTEGER,
}

test('a store of 0.1.0 keeps its content when it is upgraded to this version and a later one', async () => {
  const connection = await createBaseline()
  expect(await migrate(connection)).toBe(readMigrations().length - 1)
  expect(await migrate(connection, {}, [...readMigrations(), NEXT])).toBe(1)
  const { rows } = await runSql(
    connection,
    `SELECT name, search_name, colour FROM launches JOIN tokens USING (network, mint)
       JOIN launch_names ON launch_id = launches.id`,
  )
  expect(rows).toEqual([{ name: 'Heron', search_name: 'heron', colour: null }])
})

test('a migration waits for a long backup, and readers do not wait for the migration', async () => {
  const connection = await createBaseline()
  const [backup, node] = [await openSession(connection), await openSession(connection)]
  await backup.query(`SET application_name = 'pg_dump'; BEGIN ISOLATION LEVEL REPEATABLE READ;
    LOCK TABLE agents, launches IN ACCESS SHARE MODE`)
  const migrating = migrateObserved(connection)
  await expect.poll(() => migrating.reasons.length, { timeout: 30_000 }).toBeGreaterThan(0)
  for (let read = 0; read < 20; read += 1) await node.query('SELECT * FROM launches')
  expect(migrating.reasons[0]).toMatch(
    /^waiting for a lock; the oldest transaction is \d+ s old \(pg_dump, pid \d+\)$/,
  )
  await backup.query('COMMIT')
  expect(await migrating.done).toBe(1)
})

test('two nodes that start at once on an old store apply each migration once', async () => {
  const connection = await createBaseline()
  const writer = await openSession(connection)
  await writer.query('BEGIN; LOCK TABLE launches IN ROW EXCLUSIVE MODE')
  const nodes = [migrateObserved(connection), migrateObserved(connection)]
  const reasons = () => nodes.flatMap(node => node.reasons)
  await expect
    .poll(reasons, { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(/^another node is migrating/))
  await writer.query('COMMIT')
  const needed = await Promise.all(nodes.map(({ done }) => done))
  expect(Math.min(...needed)).toBe(0)
  expect(Math.max(...needed)).toBe(1)
})

test('a role with a short time limit for statements and locks can migrate', async () => {
  const connection = await createTestConnection()
  const limits = encodeURIComponent('-c statement_timeout=1ms -c lock_timeout=1ms')
  await migrate({ connectionString: `${toDatabaseUrl(connection)}&options=${limits}` })
})

test('a store from before 0.1.0 is refused in one sentence and left unchanged', async () => {
  const connection = await createTestConnection()
  await runSql(
    connection,
    `CREATE SCHEMA drizzle;
     CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);
     INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 1794714444648)`,
  )
  await expect(migrate(connection)).rejects.toThrow(
    /^The database was made by a Slipway from before 0\.1\.0, which cannot be upgraded: start with an empty one, by naming/,
  )
  const { rows } = await runSql(connection, `SELECT to_regclass('launches') AS name`)
  expect(rows[0].name).toBeNull()
})

/** A store of the first release, with one launch. */
async function createBaseline() {
  const connection = await createTestConnection()
  await migrate(connection, {}, readMigrations().slice(0, 1))
  await runSql(
    connection,
    `INSERT INTO tokens (network, mint, name, symbol) VALUES ('solana-devnet', 'mint', 'Heron', 'HRN');
     INSERT INTO launches (network, genesis_address, mint, mechanic, starts_at, ends_at, last_activity_at)
     VALUES ('solana-devnet', 'genesis', 'mint', 'presaleV2', now(), now(), now())`,
  )
  return connection
}

/** A separate session, for example of a node that serves while another one migrates. It ends with the test. */
async function openSession(connection: ConnectionOptions): Promise<pg.Client> {
  // Far longer than a migration makes a query wait, so that a blocked query fails with an error.
  const client = new pg.Client({ ...connection, statement_timeout: 10_000 })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Migrates to a later version, in the background of the test. */
function migrateObserved(connection: ConnectionOptions) {
  const reasons: string[] = []
  const migrations = [...readMigrations(), NEXT]
  const done = migrate(connection, { onWaiting: reason => reasons.push(reason) }, migrations)
  // If a test ends early, it has already reported another failure.
  done.catch(() => {})
  return { done, reasons }
}
