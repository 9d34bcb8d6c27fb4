import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import type { ConnectionOptions } from './database.ts'
import { prepareSearch } from './prepare-search.ts'

/** Advisory lock key: the node that holds it migrates, and the others wait and find nothing to do. */
const MIGRATION_LOCK = 0x51_1b_3a_79
const POSTGRES_MINIMUM = 140_000

/**
 * Migrates the database to this version, and returns the number of migrations that it needed. Refuses a database that a
 * newer version has migrated.
 */
export async function migrate(
  connection: ConnectionOptions,
  { onPending = () => {} }: { onPending?: (count: number) => void } = {},
): Promise<number> {
  const client = await connect(connection).catch(error => {
    throw new OperatorError(`The database cannot be reached: ${reason(error)}`, { cause: error })
  })
  try {
    await assertVersion(client)
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const pending = await countPending(client)
    if (pending > 0) onPending(pending)
    await applyMigrations(drizzle(client), { migrationsFolder: migrationsFolder() })
    await prepareSearch(client)
    return pending
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database cannot be migrated: ${reason(error)}`, { cause: error })
  } finally {
    // Ends the session, and with it the lock.
    await client.end().catch(() => {})
  }
}

/** Also rejects for an unusable URL: `pg` reads certificates while parsing it and throws if they are missing. */
async function connect(connection: ConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: 'slipway-migrate',
    connectionTimeoutMillis: 5_000,
  })
  // An unhandled error event would end the process; the running query reports the error too.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  )
  const { number = 0, name = 'unknown' } = rows[0] ?? {}
  if (number < POSTGRES_MINIMUM)
    throw new OperatorError(`The database is PostgreSQL ${name}; Slipway needs 14 or newer`)
}

/** Throws if a newer version has migrated the database. */
async function countPending(client: pg.Client): Promise<number> {
  const known = JSON.parse(readFileSync(join(migrationsFolder(), 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  const newest = known.entries.at(-1)
  const { rows: tables } = await client.query(`SELECT to_regclass('drizzle.__drizzle_migrations') AS name`)
  if (!newest || !tables[0]?.name) return known.entries.length
  const { rows } = await client.query<{ last: string | null; ahead: number }>(
    `SELECT max(created_at) AS last, (count(*) FILTER (WHERE created_at > $1))::int AS ahead
     FROM drizzle.__drizzle_migrations`,
    [newest.when],
  )
  const { last = null, ahead = 0 } = rows[0] ?? {}
  if (ahead > 0)
    throw new OperatorError(
      `The database was made by a newer Slipway (${ahead} migration${ahead === 1 ? '' : 's'} past ${newest.tag}): upgrade this one, or use another database`,
    )
  return known.entries.filter(({ when }) => when > Number(last ?? 0)).length
}

/** The folder is next to both `src` and `dist`. */
function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations')
    if (existsSync(join(candidate, 'meta/_journal.json'))) return candidate
    if (folder === dirname(folder))
      throw new OperatorError('The migrations folder is missing from this installation')
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  // Drizzle puts the whole statement before the server's message; the operator needs the message.
  return error.cause instanceof Error ? reason(error.cause) : error.message.split('\n', 1)[0] || error.name
}
