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

test('a database of a newer version is refused in one line and left unchanged', async () => {
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

test('a PostgreSQL that is too old is refused in one line', async () => {
  const connection = await createTestConnection()
  const old = (name: string) => `CASE ${name} WHEN 'server_version_num' THEN '130009' ELSE '13.9' END`
  await runSql(
    connection,
    `CREATE SCHEMA old;
     CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT ${old('$1')} $$;
     ALTER DATABASE ${connection.database} SET search_path = old, pg_catalog`,
  )
  await expect(migrate(connection)).rejects.toThrow(
    /^The database is PostgreSQL 13\.9; Slipway needs 14 or newer$/,
  )
})

test('an unreachable database is reported in one line', async () => {
  await expect(migrate({ connectionString: 'postgres://user:hunter2@127.0.0.1:1/none' })).rejects.toThrow(
    /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Start the database server, or correct/,
  )
})

test('a URL with a missing certificate is reported in one line', async () => {
  const connectionString = 'postgres://user:hunter2@127.0.0.1:1/none?sslrootcert=/nowhere/ca.pem'
  await expect(migrate({ connectionString })).rejects.toThrow(
    /^The database cannot be reached: ENOENT: no such file or directory, open '\/nowhere\/ca\.pem'\. Correct DATABASE_URL/,
  )
})

test('a failed migration leaves no partial change and releases the lock', async () => {
  const connection = await createTestConnection()
  await runSql(connection, 'CREATE TABLE tokens (id int)')
  await expect(migrate(connection)).rejects.toThrow(
    /^The database cannot be migrated: relation "tokens" already exists\./,
  )
  const { rows } = await runSql(connection, `SELECT to_regclass('launches') AS name`)
  expect(rows[0].name).toBeNull()
  await runSql(connection, 'DROP TABLE tokens')
  await migrate(connection)
})
