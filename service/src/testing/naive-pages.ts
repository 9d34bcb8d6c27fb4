import type { Address } from '@slipway/schema/address'
import type { LaunchStatus, Mechanic } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { Database } from '../store/database.ts'
import type { LaunchFilter, LaunchOrder } from '../store/list-launches.ts'

/** A launch as the tables have it that the listing is derived from. */
export interface NaiveLaunch {
  address: Address
  network: Network
  mechanic: Mechanic
  spotlight: boolean
  hidden: boolean
  startMs: number
  endMs: number
  graduated: boolean
  activityMs: number
  registeredMs: number
  isNative: boolean
  /** Whole units; null if unknown. */
  raised: number | null
  progress: number | null
  creators: Address[]
}

/** Reads everything, without the tables and indexes of the listing. */
export async function readNaively(database: Database): Promise<NaiveLaunch[]> {
  const ms = (column: string) => sql.raw(`(extract(epoch FROM ${column}) * 1000)::float8`)
  const { rows } = await database.run('test', db =>
    db.execute<Record<string, unknown> & NaiveLaunch>(sql`
      SELECT launches.genesis_address AS address, launches.network, mechanic, spotlight, hidden, ${ms('starts_at')} AS "startMs",
        ${ms('ends_at')} AS "endMs", graduated_at IS NOT NULL AS graduated, ${ms('last_activity_at')} AS "activityMs",
        ${ms('registered_at')} AS "registeredMs", coalesce(quote_mint LIKE 'So111%', false) AS "isNative",
        (raised / 10 ^ quote_decimals)::float8 AS raised, progress::float8 AS progress,
        (SELECT coalesce(array_agg(creator_fee_wallet), '{}') FROM buckets WHERE buckets.genesis_address = launches.genesis_address)
          AS creators
      FROM launches LEFT JOIN activity_sources ON activity_sources.launch_id = launches.id
      LEFT JOIN LATERAL (
        SELECT raised, progress FROM launch_activity WHERE launch_id = launches.id ORDER BY time DESC, slot DESC LIMIT 1
      ) AS state ON true`),
  )
  return rows
}

export interface NaiveQuery {
  network: Network
  filter: LaunchFilter
  order: LaunchOrder
  creator?: Address | undefined
}

const statusOf = ({ graduated, startMs }: NaiveLaunch, nowMs: number): LaunchStatus =>
  graduated ? 'graduated' : nowMs < startMs ? 'upcoming' : 'live'

/** The whole list that pages are cut from, by a plain filter and sort. */
export function listNaively(
  launches: readonly NaiveLaunch[],
  { network, filter, order, creator }: NaiveQuery,
  nowMs: number,
): NaiveLaunch[] {
  return launches
    .filter(
      launch =>
        !launch.hidden &&
        launch.network === network &&
        (filter.status === undefined || statusOf(launch, nowMs) === filter.status) &&
        (filter.spotlight === undefined || launch.spotlight === filter.spotlight) &&
        (filter.mechanic === undefined || launch.mechanic === filter.mechanic) &&
        (filter.closed === undefined ||
          (statusOf(launch, nowMs) === 'live' && launch.endMs <= nowMs) === filter.closed) &&
        (creator === undefined || launch.creators.includes(creator)),
    )
    .sort((a, b) => {
      const [left, right] = [placeOf(a, order, nowMs), placeOf(b, order, nowMs)]
      const at = left.findIndex((value, index) => value !== right[index])
      if (at !== -1) return (left[at] as number) - (right[at] as number)
      return a.address < b.address ? -1 : 1
    })
}

/** Compared from left to right, smaller first. */
export function placeOf(launch: NaiveLaunch, order: LaunchOrder, nowMs: number): number[] {
  const { activityMs, registeredMs, raised, isNative, progress, endMs } = launch
  if (order === 'activity') return [-activityMs]
  if (order === 'newest') return [-registeredMs]
  if (order === 'progress') return progress === null ? [1, 0] : [0, -progress]
  if (order === 'ending') return endMs > nowMs ? [0, endMs] : [1, -endMs]
  if (raised === null) return [3, 0]
  return raised === 0 ? [2, 0] : [isNative ? 0 : 1, -raised]
}
