import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

const DAY_MS = 86_400_000
/** Advisory lock: only one node drops at a time. */
const DROP_LOCK = 0x51_1b_3a_7b
/**
 * While it waits to drop a partition, requests for trades wait too. After this time, it gives way and is tried again
 * later.
 */
const LOCK_WAIT_MS = 200

/**
 * Drops the months in which every trade is older than this many days, and returns their partitions. Candles and the
 * totals of wallets stay.
 */
export async function dropOldTrades(database: Database, { days }: { days: number }): Promise<string[]> {
  const limit = new Date(database.nowMs() - days * DAY_MS)
  const keptAfter = new Date(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth())).toISOString()
  const first = `trades_${keptAfter.slice(0, 7).replace('-', '_')}`
  return database.transact('trades.drop', async db => {
    const { rows: locked } = await db.execute<{ got: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${DROP_LOCK}) AS got`,
    )
    if (!locked[0]?.got) return []
    // The names sort by month.
    const { rows } = await db.execute<{ name: string }>(sql`
      SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'trades'::regclass AND relname COLLATE "C" < ${first} ORDER BY relname`)
    if (rows.length === 0) return []
    await db.execute(sql.raw(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`))
    // Before the drop, and in the same transaction: a trade of a dropped month would be counted twice if it were
    // stored again.
    await db.execute(sql`DELETE FROM trade_retention`)
    await db.execute(sql`INSERT INTO trade_retention (kept_after) VALUES (${keptAfter})`)
    for (const { name } of rows) await db.execute(sql`DROP TABLE ${sql.identifier(name)}`)
    return rows.map(({ name }) => name)
  })
}
