import { sql } from 'drizzle-orm'
import { DETAILS } from './activity-tables.ts'
import type { Database } from './database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** After a day, the last state of each hour is kept; after a month, that of each day. */
const STEPS = [
  { from: DETAILS.all, to: DETAILS.hour, unit: 'hour', unitMs: HOUR_MS, afterMs: DAY_MS },
  { from: DETAILS.hour, to: DETAILS.day, unit: 'day', unitMs: DAY_MS, afterMs: 30 * DAY_MS },
] as const

/** Advisory lock: of all nodes and networks, one compacts at a time. */
const COMPACTION_LOCK = 0x51_1b_ac_7e

/**
 * Compacts up to `limit` old states of any launch. Each call is one transaction that leaves the series correct, so it
 * can be interrupted at any time. Returns how many states were looked at; fewer than the limit means that it is done.
 */
export async function compactActivity(
  database: Database,
  { nowMs = Date.now(), limit = 2_000 }: { nowMs?: number; limit?: number } = {},
): Promise<number> {
  return database.transact('activity.compact', async db => {
    const { rows: locked } = await db.execute<{ got: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${COMPACTION_LOCK}) AS got`,
    )
    if (!locked[0]?.got) return 0
    let seen = 0
    for (const { from, to, unit, unitMs, afterMs } of STEPS) {
      // Only whole hours and days.
      const until = new Date(Math.floor((nowMs - afterMs) / unitMs) * unitMs).toISOString()
      const length = sql.raw(`interval '1 ${unit}'`)
      const { rows } = await db.execute<{ count: number }>(sql`
        WITH batch AS (
          SELECT launch_id, time, slot, date_trunc(${unit}, time, 'UTC') AS start FROM launch_activity
          WHERE detail = ${from} AND time < ${until} ORDER BY time LIMIT ${limit - seen}
        ), judged AS (
          SELECT *, EXISTS (
            SELECT FROM launch_activity AS later
            WHERE later.launch_id = batch.launch_id AND (later.time, later.slot) > (batch.time, batch.slot)
              AND later.time < batch.start + ${length}
          ) AS is_superseded FROM batch
        ), dropped AS (
          DELETE FROM launch_activity AS known USING judged
          WHERE (known.launch_id, known.time, known.slot) = (judged.launch_id, judged.time, judged.slot)
            AND judged.is_superseded
        ), replaced AS (
          -- The last state of an hour can arrive after an earlier one was kept.
          DELETE FROM launch_activity AS known USING judged
          WHERE NOT judged.is_superseded AND known.launch_id = judged.launch_id AND known.detail >= ${to}
            AND known.time >= judged.start AND (known.time, known.slot) < (judged.time, judged.slot)
        ), kept AS (
          UPDATE launch_activity AS known SET detail = ${to} FROM judged
          WHERE (known.launch_id, known.time, known.slot) = (judged.launch_id, judged.time, judged.slot)
            AND NOT judged.is_superseded
        )
        SELECT count(*)::int AS count FROM batch`)
      seen += rows[0]?.count ?? 0
      if (seen >= limit) break
    }
    return seen
  })
}
