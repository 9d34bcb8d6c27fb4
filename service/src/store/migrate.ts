import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { connectOnce } from './connect-once.ts'
import type { ConnectionOptions } from './database.ts'
import { isPooledByTransaction, POOLED } from './detect-pooling.ts'
import { explainStoreFault, hasCode, reasonOf } from './errors.ts'
import { applyMigrations, findPending, readMigrations } from './migrations.ts'
import { prepareSearch } from './prepare-search.ts'

/** Advisory lock key: the node that holds it migrates, and the others wait and find nothing to do. */
const MIGRATION_LOCK = 0x51_1b_3a_79
const APPLICATION = 'slipway-migrate'
export const POSTGRES_MINIMUM = 140_000
const NO_LIMITS =
  'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0'
/** While a migration waits for a lock on a table, requests for the table wait too. After this time, it lets them go first. */
const LOCK_WAIT = 'SET lock_timeout = 200'
const TURN_MS = 100
const RETRY_MS = { first: 250, max: 5_000 }
/** A lock was not free in time, or PostgreSQL ended the statement to resolve a deadlock. */
const BLOCKED = ['55P03', '40P01']

export interface MigrationObserver {
  onPending?: (count: number) => void
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
  migrations = readMigrations(),
): Promise<number> {
  const connect = () => connectOnce(connection, APPLICATION)
  const client = await connect().catch(error => {
    throw explain('The database cannot be reached', error)
  })
  try {
    if (await isPooledByTransaction(client, connect))
      throw new OperatorError(`The database cannot be used: ${POOLED.reason}. ${POOLED.remedy}`)
    // The role's time limits are meant for queries. A migration takes longer the larger the table is.
    await client.query(NO_LIMITS)
    await assertVersion(client)
    let needed: number | undefined
    for (let pauseMs = RETRY_MS.first; ; pauseMs = Math.min(2 * pauseMs, RETRY_MS.max)) {
      await waitForTurn(client, onWaiting)
      const pending = await findPending(client, migrations)
      if (pending.length > 0 && needed === undefined) onPending(pending.length)
      needed ??= pending.length
      try {
        await client.query(LOCK_WAIT)
        if (pending.length > 0) await applyMigrations(client, pending)
        await client.query(NO_LIMITS)
        await prepareSearch(client)
        return needed
      } catch (error) {
        if (!hasCode(error, BLOCKED)) throw error
      }
      onWaiting(await describeOldest(client))
      // Another node may be waiting for its turn inside a statement, and an index waits for that statement to end.
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
      await sleep(pauseMs)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw explain('The database cannot be migrated', error)
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

/**
 * The transaction that most likely holds the lock that the migration needs. Roles without the right to see its details
 * see only that it exists.
 */
async function describeOldest(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string | null; seconds: number }>(
    `SELECT pid, nullif(application_name, '') AS name, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
  )
  const oldest = rows[0]
  if (!oldest) return 'waiting for a lock that another transaction holds'
  const { name, seconds } = oldest
  return `waiting for a lock; the oldest transaction is ${seconds} s old (${name ?? 'unnamed'}, pid ${oldest.pid})`
}

const explain = (what: string, error: unknown) =>
  new OperatorError(`${what}: ${reasonOf(error)}. ${explainStoreFault(error).remedy}`, { cause: error })

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name`,
  )
  const { number = 0, name = 'unknown' } = rows[0] ?? {}
  if (number < POSTGRES_MINIMUM)
    throw new OperatorError(`The database is PostgreSQL ${name}; Slipway needs 14 or newer`)
}
