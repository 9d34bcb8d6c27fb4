import { dirname } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgSession } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { findInstalled } from '../lib/find-installed.ts'
import { OperatorError } from '../operator-error.ts'

/** `folderMillis` identifies a migration in the database. */
export type Migration = MigrationMeta

const findFolder = () => dirname(dirname(findInstalled('migrations/meta/_journal.json')))

/** The migrations that this version knows, oldest first. The first one is the baseline, which creates all tables. */
export const readMigrations = (): Migration[] => readMigrationFiles({ migrationsFolder: findFolder() })

/** Applies those that the database does not have, all in one transaction. */
export async function applyMigrations(client: pg.Client, migrations: Migration[]): Promise<void> {
  const session = drizzle(client)._.session as unknown as PgSession
  await new PgDialect().migrate(migrations, session, { migrationsFolder: findFolder() })
}

interface MigrationState {
  /** The newest migration that the database has. 0 if it has none. */
  last: number
  pending: Migration[]
  /** How many the database has that this version doesn't know. */
  ahead: number
  isBeforeBaseline: boolean
}

export async function readMigrationState(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  const { rows: found } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') AS name`,
  )
  const { rows } = found[0]?.name
    ? await client.query<{ at: string }>('SELECT created_at AS at FROM drizzle.__drizzle_migrations')
    : { rows: [] }
  const applied = rows.map(({ at }) => Number(at))
  const last = Math.max(0, ...applied)
  const baseline = migrations[0]?.folderMillis ?? 0
  const newest = migrations.at(-1)?.folderMillis ?? 0
  return {
    last,
    pending: migrations.filter(({ folderMillis }) => folderMillis > last),
    ahead: applied.filter(at => at > newest).length,
    isBeforeBaseline: applied.some(at => at < baseline),
  }
}

/** Throws if a newer version has migrated the database, or a version from before the baseline. */
export async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { pending, ahead, isBeforeBaseline } = await readMigrationState(client, migrations)
  if (isBeforeBaseline)
    throw new OperatorError(
      'The database was made by a Slipway from before 0.1.0, which cannot be upgraded: start with an empty one, by naming another database in DATABASE_URL or moving DATA_DIR aside',
    )
  if (ahead > 0)
    throw new OperatorError(
      `The database was made by a newer Slipway (${ahead} migration${ahead === 1 ? '' : 's'} ahead): upgrade this one, or use another database`,
    )
  return pending
}
