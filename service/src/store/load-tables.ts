import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { connectOnce } from './connect-once.ts'
import type { ConnectionOptions } from './database.ts'
import { type DumpEntry, listColumns, listTables } from './dump-tables.ts'
import { migrate } from './migrate.ts'
import { applyMigrations, readMigrations } from './migrations.ts'

/**
 * Loads a dump of `dumpTables` into an empty database, with the tables of the version that made it, and migrates the
 * result to this version. Needs a superuser. Throws an `OperatorError` if a newer version made the dump.
 */
export async function loadTables(
  connection: ConnectionOptions,
  entries: AsyncIterable<DumpEntry>,
): Promise<{ rows: number }> {
  const client = await connectOnce(connection, 'slipway-restore')
  let rows = 0
  try {
    let insert: string | undefined
    let table: string | undefined
    for await (const entry of entries) {
      if (entry.kind === 'schema') await createTables(client, entry.lastMigration)
      else if (entry.kind === 'table') {
        table = entry.table
        insert = await buildInsert(client, table)
      } else if (entry.kind === 'rows' && insert !== undefined) {
        const rowList = `[${entry.rows.join(',')}]`
        if (table === 'trades') await client.query(CREATE_PARTITIONS, [rowList])
        await client.query(insert, [rowList])
        rows += entry.rows.length
      } else if (entry.kind === 'sequence')
        await client.query('SELECT setval($1, $2, $3)', [entry.sequence, entry.value, entry.isCalled])
    }
    await client.query('COMMIT')
    // Until the rows are counted, PostgreSQL plans for tables of a few rows, and large ones take minutes. It counts them by itself later.
    await client.query('ANALYZE').catch(() => {})
  } finally {
    await client.end().catch(() => {})
  }
  await migrate(connection)
  return { rows }
}

const CREATE_PARTITIONS = `SELECT ensure_trade_partitions(array_agg((trade ->> 'time')::timestamptz))
  FROM jsonb_array_elements($1::jsonb) AS trade`

/** Throws if a newer version has made the dump, or one from before the baseline. */
export function assertKnownSchema(lastMigration: number): void {
  const known = readMigrations().map(({ folderMillis }) => folderMillis)
  if (known.includes(lastMigration)) return
  throw new OperatorError(
    lastMigration < Math.min(...known)
      ? 'The backup was made by a Slipway from before 0.1.0 and cannot be restored. Start with an empty DATA_DIR.'
      : 'The backup was made by a newer Slipway. Upgrade this one to the version that made the backup, or newer.',
  )
}

async function createTables(client: pg.Client, lastMigration: number): Promise<void> {
  assertKnownSchema(lastMigration)
  await applyMigrations(
    client,
    readMigrations().filter(({ folderMillis }) => folderMillis <= lastMigration),
  )
  await client.query('BEGIN')
  // Turns off triggers and foreign keys: the backup already has the rows that triggers wrote.
  await client.query('SET LOCAL session_replication_role = replica')
  const tables = (await listTables(client)).map(table => `"${table}"`)
  // Some migrations insert rows.
  await client.query(`TRUNCATE ${tables.join(', ')}`)
}

async function buildInsert(client: pg.Client, table: string): Promise<string> {
  const columns = await listColumns(client, table)
  if (columns.length === 0) throw new OperatorError(`The backup has an unknown table "${table}".`)
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map(({ name, isJson }) => (isJson ? `("${name}" #>> '{}')::json` : `"${name}"`))
  return `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`
}
