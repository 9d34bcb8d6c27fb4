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

/** Compiling the statement (JIT) would take longer than running it. */
const PLANNER_OFF = '{enable_seqscan,enable_bitmapscan,enable_hashjoin,enable_mergejoin,jit}'

/** Advisory lock: only one node compacts at a time. */
const COMPACTION_LOCK = 0x51_1b_ac_7e

/**
 * Compacts up to `limit` old states of any launch. Each call is one transaction that leaves the series correct, so it
 * can be interrupted at any time. Returns how many states were looked at; fewer than the limit means that it is done.
 */
export async function compactActivity(
  database: Database,
  { limit = 2_000 }: { limit?: number } = {},
): Promise<number> {
  return database.transact('activity.compact', async db => {
    const { rows: locked } = await db.execute<{ got: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${COMPACTION_LOCK}) AS got`,
    )
    if (!locked[0]?.got) return 0
    // Every row is found through an index. If one launch has most of the rows, the planner expects to read them all.
    await db.execute(
      sql`SELECT set_config(name, 'off', true) FROM unnest(${PLANNER_OFF}::text[]) AS setting (name)`,
    )
    let seen = 0
    for (const { from, to, unit, unitMs, afterMs } of STEPS) {
      // Only whole hours and days.
      const until = new Date(Math.floor((database.nowMs() - afterMs) / unitMs) * unitMs).toISOString()
      const length = sql.raw(`interval '1 ${unit}'`)
      const { rows } = await db.execute<{ count: number }>(sql`
        WITH batch AS (
          SELECT launch_id, time, slot, date_trunc(${unit}, time, 'UTC') AS start FROM launch_activity
          WHERE detail = ${from} AND time < ${until} ORDER BY time LIMIT ${limit - seen}
        ), judged AS (
          SELECT batch.*, coalesce(next.time < start + ${length}, false) AS is_superseded,
            previous.time AS replaced_time, previous.slot AS replaced_slot
          FROM batch
          LEFT JOIN LATERAL (
            SELECT time FROM launch_activity AS later
            WHERE later.launch_id = batch.launch_id AND (later.time, later.slot) > (batch.time, batch.slot)
            ORDER BY time, slot LIMIT 1
          ) AS next ON true
          LEFT JOIN LATERAL (
            SELECT time, slot, detail FROM launch_activity AS earlier
            WHERE earlier.launch_id = batch.launch_id AND (earlier.time, earlier.slot) < (batch.time, batch.slot)
            ORDER BY time DESC, slot DESC LIMIT 1
          ) AS previous ON previous.time >= start AND previous.detail >= ${to}
        ), dropped AS (
          DELETE FROM launch_activity AS known USING judged
          WHERE (known.launch_id, known.time, known.slot) = (judged.launch_id, judged.time, judged.slot)
            AND judged.is_superseded
        ), replaced AS (
          -- A state can arrive after an earlier one of its hour was kept.
          DELETE FROM launch_activity AS known USING judged
          WHERE (known.launch_id, known.time, known.slot) = (judged.launch_id, replaced_time, replaced_slot)
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
