import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestConnection, createTestDatabase, runSql } from '../testing/test-database.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { canSearchFuzzily } from './prepare-search.ts'

test('if the extension may not be created, the database is migrated without it, and a later start adds the search', async () => {
  const connection = await createTestConnection()
  await runSql(
    connection,
    `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS
       'BEGIN RAISE insufficient_privilege; END';
     CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION') EXECUTE FUNCTION refuse()`,
  )
  const database = openDatabase(connection, { onQuery: () => {}, onConnectionLost: () => {} })
  onTestFinished(() => database.close())
  await migrate(connection)
  expect(await canSearchFuzzily(database, 'launches')).toBe(false)

  await runSql(connection, 'DROP EVENT TRIGGER refuse')
  await migrate(connection)
  expect(await canSearchFuzzily(database, 'launches')).toBe(true)
})

test('the embedded PostgreSQL has the extension', async () => {
  const { database } = await createTestDatabase()
  expect(await canSearchFuzzily(database, 'launches')).toBe(true)
})

test('an index whose build was interrupted is built again, without blocking writes', async () => {
  const { connection, database } = await createTestDatabase()
  const writer = new pg.Client(connection)
  await writer.connect()
  onTestFinished(() => writer.end())
  await runSql(connection, 'DROP INDEX launch_names_search')
  await writer.query('BEGIN; LOCK TABLE launch_names IN ROW EXCLUSIVE MODE')
  const interrupted = migrate(connection)
  interrupted.catch(() => {})
  const isValid = async () => (await runSql(connection, VALID)).rows[0]?.valid
  await expect.poll(isValid, { timeout: 30_000 }).toBe(false)
  await runSql(connection, 'DELETE FROM launch_names')
  await runSql(
    connection,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'slipway-migrate' AND datname = current_database()`,
  )
  await expect(interrupted).rejects.toThrow(/^The database cannot be migrated: /)
  await writer.query('COMMIT')
  expect(await canSearchFuzzily(database, 'launches')).toBe(false)
  await migrate(connection)
  expect(await canSearchFuzzily(database, 'launches')).toBe(true)
})

const VALID = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('launch_names_search')`
