import { NETWORKS } from '@slipway/schema/network'
import { asc, desc, gt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { events } from './event-tables.ts'

/** Something that happened to a launch or an agent. */
export type StoredEvent = Omit<typeof events.$inferSelect, 'writtenAt'>

const COLUMNS = {
  id: events.id,
  network: events.network,
  type: events.type,
  address: events.address,
  at: events.at,
  data: events.data,
}

/** Events are kept for this long, at least. */
const KEPT = sql`interval '2 hours'`

/** Reads the events after an id, oldest first. What it returns never has gaps: later events have greater ids. */
export function readEventsAfter(database: Database, id: number, count: number): Promise<StoredEvent[]> {
  return database.run('events.read-after', db =>
    db.select(COLUMNS).from(events).where(gt(events.id, id)).orderBy(asc(events.id)).limit(count),
  )
}

/** Reads the newest events, oldest first. */
export async function readNewestEvents(database: Database, count: number): Promise<StoredEvent[]> {
  const newest = await database.run('events.read-newest', db =>
    db.select(COLUMNS).from(events).orderBy(desc(events.id)).limit(count),
  )
  return newest.reverse()
}

interface EventRange {
  /** The id after which every event is kept; 0 if none has been deleted. */
  keptAfter: number
  /** 0 if nothing has happened yet. */
  newest: number
  /** Whether the store has the given event, and therefore every later one. 0 stands for the time before all events. */
  isKept: boolean
}

/**
 * An id that was seen before but is not kept was deleted, or lost when the store was restored: ids are never reused.
 */
export async function findEventRange(database: Database, id = 0): Promise<EventRange> {
  const { rows } = await database.run('events.range', db =>
    // Until the oldest event is old enough, none has been deleted.
    db.execute<{ keptAfter: number; newest: number; isKnown: boolean }>(sql`
      SELECT coalesce((
          SELECT CASE WHEN written_at < clock_timestamp() - ${KEPT} THEN id ELSE 0 END FROM events ORDER BY id LIMIT 1
        ), 0)::float8 AS "keptAfter",
        coalesce((SELECT max(id) FROM events), 0)::float8 AS "newest",
        EXISTS (SELECT FROM events WHERE id = ${id}) AS "isKnown"`),
  )
  const { keptAfter = 0, newest = 0, isKnown = false } = rows[0] ?? {}
  return { keptAfter, newest, isKept: isKnown || (id === 0 && keptAfter === 0) }
}

/**
 * Writes the event of every visible launch whose start has passed. Several nodes may call it at once: a trigger
 * writes each event once. Pages then list these launches as live without looking at the clock. Returns the
 * milliseconds until the next known start.
 */
export async function writeStarts(database: Database): Promise<number | undefined> {
  const { rows } = await database.run('events.write-starts', async db => {
    // Any write fires the trigger.
    await db.execute(sql`
      UPDATE launches SET starts_at = starts_at FROM pending_milestones
      WHERE milestone = 'started' AND due_at <= now() AND NOT hidden
        AND pending_milestones.network = launches.network AND address = genesis_address`)
    // A launch whose start was moved has no event left to write, so only its phase is set.
    await db.execute(
      sql`UPDATE launch_listing SET phase = 1 WHERE due_at <= now() AND network = ANY(${sql.param(NETWORKS)}::text[])`,
    )
    // Includes a start that has passed since. Hidden launches that started earlier stay pending.
    return db.execute<{ ms: number | null }>(sql`
      SELECT (extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::float8 AS ms
      FROM pending_milestones WHERE milestone = 'started' AND due_at > now() - interval '1 second'`)
  })
  return rows[0]?.ms ?? undefined
}

/** Only one node deletes at a time. The others find nothing to delete. */
const DELETE_LOCK = 0x51_1b_3a_7a

/**
 * Deletes up to this many old events, oldest first, and returns how many it deleted. The newest of the old ones
 * stays: it shows after which id every event is kept.
 */
export async function deleteOldEvents(database: Database, count: number): Promise<number> {
  const { rowCount } = await database.run('events.delete-old', db =>
    db.execute(sql`
      DELETE FROM events USING (
        SELECT id, lead(written_at) OVER (ORDER BY id) AS next_written_at
        FROM (SELECT id, written_at FROM events ORDER BY id LIMIT ${count + 1}) AS oldest
        WHERE pg_try_advisory_xact_lock(${DELETE_LOCK})
      ) AS oldest
      WHERE events.id = oldest.id AND next_written_at < clock_timestamp() - ${KEPT}`),
  )
  return rowCount ?? 0
}
