import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { connectOnce } from './connect-once.ts'
import type { ConnectionOptions } from './database.ts'
import { migrate } from './migrate.ts'
import { applyMigrations, readMigrationState, readMigrations } from './migrations.ts'

/** A part of the store, in the order in which it has to be loaded. Rows are JSON objects as text. */
export type DumpEntry =
  /** The last migration that the store has. */
  | { kind: 'schema'; lastMigration: number }
  | { kind: 'table'; table: string }
  | { kind: 'rows'; rows: string[] }
  | { kind: 'sequence'; sequence: string; value: string; isCalled: boolean }

/** Rows of open transactions, and files that every node stores again when it starts. */
const LEFT_OUT = ['event_drafts', 'site_files']
/** A document may have 64 KiB. */
const ROWS_PER_FETCH = 200

/** Reads everything as of one moment, while others write. */
export async function* dumpTables(connection: ConnectionOptions): AsyncGenerator<DumpEntry> {
  const client = await connectOnce(connection, 'slipway-backup')
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    yield { kind: 'schema', lastMigration: (await readMigrationState(client, readMigrations())).last }
    for (const table of await listTables(client)) {
      yield { kind: 'table', table }
      for await (const rows of readRows(client, table)) yield { kind: 'rows', rows }
    }
    // Sequences are not part of the snapshot. They are read last, so that no id of a row is drawn again.
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
    )
    for (const { name } of rows) {
      const { rows: state } = await client.query(`SELECT last_value, is_called FROM ${name}`)
      yield { kind: 'sequence', sequence: name, value: state[0].last_value, isCalled: state[0].is_called }
    }
    await client.query('COMMIT')
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Every table with data of its own, in the order of their names, with its partitions in it. Loading checks no
 * references.
 */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($1)
     ORDER BY 1`,
    [LEFT_OUT],
  )
  return rows.map(({ name }) => name)
}

interface Column {
  name: string
  isJson: boolean
}

/** Without columns that PostgreSQL computes. */
async function listColumns(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name, type }) => ({ name, isJson: type === 'json' }))
}

async function* readRows(client: pg.Client, table: string): AsyncGenerator<string[]> {
  const columns = await listColumns(client, table)
  // Rows are dumped as jsonb, which doesn't keep the order of keys. Columns of type json are dumped as text to keep it.
  const list = columns.map(({ name, isJson }) => (isJson ? `"${name}"::text AS "${name}"` : `"${name}"`))
  await client.query(
    `DECLARE dump NO SCROLL CURSOR FOR SELECT to_jsonb(r)::text FROM (SELECT ${list} FROM "${table}") AS r`,
  )
  for (;;) {
    const { rows } = await client.query<[string]>({
      text: `FETCH ${ROWS_PER_FETCH} FROM dump`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    yield rows.map(([row]) => row)
  }
  await client.query('CLOSE dump')
}

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
