import type { LaunchStatus } from '@slipway/schema/launch'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import {
  fromStarted,
  type LaunchFilter,
  type LaunchSelection,
  launchFlags,
  takesLive,
} from './list-launches.ts'

export type StatusCounts = Record<LaunchStatus, number>

/** How many of these launches match. `closedCount` comes from `countClosed`. */
export function sumCounts(
  { upcoming, live, graduated }: StatusCounts,
  { status, closed }: LaunchFilter,
  closedCount: number,
): number {
  if (closed === true) return takesLive({ status }) ? closedCount : 0
  const open = closed === false ? live - closedCount : live
  return { upcoming, live: open, graduated, any: upcoming + open + graduated }[status ?? 'any']
}

/** How many live launches have ended; the filter's own status doesn't matter. Reads one index entry for each. */
export async function countClosed(
  database: Database,
  { network, filter, nowMs }: LaunchSelection,
): Promise<number> {
  const { live, upcoming } = launchFlags({ ...filter, status: undefined, closed: undefined })
  const { rows } = await database.run('launches.count-closed', db =>
    db.execute<{ closed: number }>(sql`
      SELECT (SELECT count(*) FROM launch_listing
          WHERE network = ${network} AND flags = ANY(${sql.param(live)}::smallint[]) AND by_end <= ${nowMs})::int
        + (SELECT count(*) ${fromStarted(network, upcoming, nowMs)} AND by_end <= ${nowMs})::int AS closed`),
  )
  return rows[0]?.closed ?? 0
}

/**
 * How many launches of each status match; the filter's own status doesn't matter. Triggers count the launches of each
 * phase; those whose start has passed and that are still counted as upcoming are few, and counted here.
 */
export async function countLaunchesByStatus(
  database: Database,
  { network, filter, nowMs }: LaunchSelection,
): Promise<StatusCounts> {
  const flags = launchFlags({ ...filter, status: undefined, closed: undefined })
  const countOf = (phase: readonly number[]) =>
    sql`coalesce(sum(launches) FILTER (WHERE flags = ANY(${sql.param(phase)}::smallint[])), 0)::int`
  const { rows } = await database.run('launches.count-listed', db =>
    db.execute<StatusCounts & { started: number }>(sql`
      SELECT ${countOf(flags.upcoming)} AS upcoming, ${countOf(flags.live)} AS live, ${countOf(flags.graduated)} AS graduated,
        (SELECT count(*)::int ${fromStarted(network, flags.upcoming, nowMs)}) AS started
      FROM launch_counts WHERE network = ${network}`),
  )
  const { upcoming = 0, live = 0, graduated = 0, started = 0 } = rows[0] ?? {}
  return { upcoming: upcoming - started, live: live + started, graduated }
}

/** Counts are read as sums, so there should not be many rows: 18 for each network, and the latest changes. */
const COUNT_ROWS_MAX = 100
const FOLDED_AT_ONCE = 10_000

/** Replaces rows of counts by their sums. Several nodes may call it at once: each row is replaced by one of them. */
export async function foldLaunchCounts(database: Database): Promise<void> {
  await database.run('launches.fold-counts', db =>
    db.execute(sql`
      WITH folded AS (
        DELETE FROM launch_counts
        WHERE (SELECT count(*) FROM launch_counts) > ${COUNT_ROWS_MAX}
          AND ctid = ANY(ARRAY(SELECT ctid FROM launch_counts LIMIT ${FOLDED_AT_ONCE} FOR UPDATE SKIP LOCKED))
        RETURNING network, flags, launches
      )
      INSERT INTO launch_counts (network, flags, launches)
      SELECT network, flags, sum(launches) FROM folded GROUP BY network, flags`),
  )
}
