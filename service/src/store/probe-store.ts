import { sql } from 'drizzle-orm'
import { type Database, isPoolFull, isUnanswered, READ_ONLY } from './database.ts'
import { isStoreOutage } from './errors.ts'
import { clusters } from './tables.ts'

/** The result of probing a database that answers. */
export interface StoreProbe {
  /** How far this node's clock is ahead of the database's; negative if it is behind. */
  clockAheadMs: number
  /** Set if the database can't write. */
  refusal: WriteRefusal | undefined
}

export interface WriteRefusal {
  /** May be public, because it contains no part of the error. */
  reason: string
  error: unknown
}

/** Finds out whether the database can write, and compares the clocks. Rejects if the database can't be reached. */
export async function probeStore(database: Database, nowMs: () => number = Date.now): Promise<StoreProbe> {
  const clockAheadMs = await compareClocks(database, nowMs)
  const refusal = await tryToWrite(database).then(
    () => undefined,
    error => ({ reason: explainRefusal(error), error }),
  )
  return { clockAheadMs, refusal }
}

async function compareClocks(database: Database, nowMs: () => number): Promise<number> {
  const sentMs = nowMs()
  const { rows } = await database.run('probe.clock', db =>
    db.execute<{ ms: number }>(sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`),
  )
  const receivedMs = nowMs()
  const ms = rows[0]?.ms ?? sentMs
  // The database read its clock at some point between the two, so a slow answer alone is not a difference.
  if (ms < sentMs) return sentMs - ms
  return Math.min(0, receivedMs - ms)
}

/**
 * Does what a write needs and leaves nothing behind. Locking a row writes to the database's log, so a read-only
 * database refuses it. The lock is shared, so nodes don't wait for each other. A full disk shows only when a file has
 * to grow, so a result that exceeds its memory goes to a temporary file of 280 KB on the tables' disk.
 */
const tryToWrite = (database: Database): Promise<void> =>
  database.transact('probe.write', async db => {
    await db.execute(sql`SET LOCAL work_mem = '64kB'`)
    await db.execute(sql`SET LOCAL temp_tablespaces = ''`)
    await db.execute(sql`SELECT count(*) FROM generate_series(1, 20000)`)
    await db.execute(sql`SELECT FROM ${clusters} LIMIT 1 FOR SHARE`)
  })

/** SQLSTATE codes. */
const DISK_FULL = '53100'
const STATEMENT_TIMEOUT = '57014'

/** Throws the error if it is about the connection, because that says nothing about writing. */
function explainRefusal(error: unknown): string {
  const { cause = error } = error as Error
  const code = (cause as NodeJS.ErrnoException).code
  if (code === DISK_FULL) return "the database's disk is full"
  if (code === READ_ONLY) return 'the database is read-only'
  if (code === STATEMENT_TIMEOUT || (isUnanswered(error) && !isPoolFull(cause as Error)))
    return 'the database answers but does not write in time'
  if (isStoreOutage(error)) throw error
  return 'the database refuses to write'
}
