import { expect, test } from 'vitest'
import { OperatorError } from '../operator-error.ts'
import { createTestConnection, runSql } from '../testing/test-database.ts'
import { migrate } from './migrate.ts'

test('several nodes that start at once migrate an empty database together', async () => {
  const connection = await createTestConnection()
  await Promise.all(Array.from({ length: 8 }, () => migrate(connection)))
  const { rows } = await runSql(connection, 'SELECT count(*)::int AS count FROM drizzle.__drizzle_migrations')
  expect(rows[0].count).toBeGreaterThan(0)
  await runSql(connection, 'SELECT * FROM launches')
})

test('migrating again changes nothing', async () => {
  const connection = await createTestConnection()
  await migrate(connection)
  const before = await runSql(connection, 'SELECT * FROM drizzle.__drizzle_migrations')
  await migrate(connection)
  expect((await runSql(connection, 'SELECT * FROM drizzle.__drizzle_migrations')).rows).toEqual(before.rows)
})

test('a database of a newer version is refused in one line, and left as it is', async () => {
  const connection = await createTestConnection()
  await migrate(connection)
  await runSql(
    connection,
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)`,
  )
  await expect(migrate(connection)).rejects.toThrow(OperatorError)
  await expect(migrate(connection)).rejects.toThrow(
    /^The database was made by a newer Slipway .*: upgrade this one, or/,
  )
})

test('a database that cannot be reached is one line too', async () => {
  await expect(migrate({ connectionString: 'postgres://user:hunter2@127.0.0.1:1/none' })).rejects.toThrow(
    /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  )
})

test('a migration that fails leaves nothing half done, and the next attempt finds the lock free', async () => {
  const connection = await createTestConnection()
  await runSql(connection, 'CREATE TABLE tokens (id int)')
  await expect(migrate(connection)).rejects.toThrow(
    /^The database cannot be migrated: relation "tokens" already exists$/,
  )
  const { rows } = await runSql(connection, `SELECT to_regclass('launches') AS name`)
  expect(rows[0].name).toBeNull()
  await runSql(connection, 'DROP TABLE tokens')
  await migrate(connection)
})
