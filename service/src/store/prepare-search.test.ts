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
