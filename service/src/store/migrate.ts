import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { applyMigrations, readMigrationState } from './apply-migrations.ts'
import { connectOnce, reasonOf } from './connect-once.ts'
import type { ConnectionOptions } from './database.ts'
import { estimateSeconds } from './estimate-migrations.ts'
import { fillAllWords } from './fill-words.ts'
import { prepareSearch } from './prepare-search.ts'
import { type Migration, readMigrations } from './read-migrations.ts'
import { describeOldest, reportWaits } from './report-waits.ts'

/** Advisory lock key: the node that holds it migrates, and the others wait and find nothing to do. */
const MIGRATION_LOCK = 0x51_1b_3a_79
const APPLICATION = 'slipway-migrate'
export const POSTGRES_MINIMUM = 140_000
const NO_LIMITS =
  'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0'
const TURN_MS = 100
const RETRY_MS = { first: 250, max: 5_000 }
/** A lock was not free in time, or PostgreSQL ended the statement to resolve a deadlock. */
const BLOCKED = new Set(['55P03', '40P01'])

export interface MigrationObserver {
  onPending?: (pending: { count: number; seconds: number }) => void
  /** Another node is migrating, or a transaction holds a lock that a migration needs. */
  onWaiting?: (reason: string) => void
}

/**
 * Migrates the database to this version, and returns the number of migrations that it needed. Refuses a database that a
 * newer version has migrated. Nodes of the earlier version keep serving: a migration waits for them, however long their
 * transactions take, and makes them wait only for a moment.
 */
export async function migrate(
  connection: ConnectionOptions,
  { onPending = () => {}, onWaiting = () => {} }: MigrationObserver = {},
): Promise<number> {
  const client = await connectOnce(connection, APPLICATION).catch(error => {
    throw new OperatorError(`The database cannot be reached: ${reasonOf(error)}`, { cause: error })
  })
  try {
    // The role's time limits are meant for queries. A migration takes longer the larger the table is.
    await client.query(NO_LIMITS)
    await assertVersion(client)
    const pid = await readPid(client)
    const migrations = readMigrations()
    let needed: number | undefined
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS.max)) {
      await waitForTurn(client, onWaiting)
      const pending = await findPending(client, migrations)
      if (pending.length > 0 && needed === undefined)
        onPending({ count: pending.length, seconds: await estimateSeconds(client, pending) })
      needed ??= pending.length
      try {
        const apply = async () => {
          await applyMigrations(client, pending)
          await prepareSearch(client)
          await fillAllWords(client)
        }
        await reportWaits(apply, { pid, connect: () => connectOnce(connection, APPLICATION), onWaiting })
        return needed
      } catch (error) {
        if (!BLOCKED.has((error as { code?: string }).code ?? '')) throw error
      }
      // A node of an earlier version may be waiting for the lock in a statement, and an index waits for that
      // statement to end.
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
      onWaiting(await describeOldest(client, pid))
      await sleep(pauseMs)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database cannot be migrated: ${reasonOf(error)}`, { cause: error })
  } finally {
    // Ends the session, and with it the lock.
    await client.end().catch(() => {})
  }
}

/**
 * Polls, because a waiting statement would hold a snapshot, and the other node's index build waits for all snapshots.
 */
async function waitForTurn(client: pg.Client, onWaiting: (reason: string) => void): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS locked', [MIGRATION_LOCK])
    if (rows[0]?.locked) return
    if (isFirst) onWaiting('another node is migrating the database')
    await sleep(TURN_MS)
  }
}

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
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
async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { last } = await readMigrationState(client)
  const newest = migrations.at(-1)
  if (newest && last > newest.when) {
    const { rows } = await client.query<{ ahead: number }>(
      'SELECT count(*)::int AS ahead FROM drizzle.__drizzle_migrations WHERE created_at > $1',
      [newest.when],
    )
    const { ahead = 0 } = rows[0] ?? {}
    throw new OperatorError(
      `The database was made by a newer Slipway (${ahead} migration${ahead === 1 ? '' : 's'} past ${newest.tag}): upgrade this one, or use another database`,
    )
  }
  return migrations.filter(({ when }) => when > last)
}
