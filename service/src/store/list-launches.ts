import type { Address } from '@slipway/schema/address'
import type { LaunchStatus, Mechanic } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { MECHANIC_FLAGS } from './launch-listing-tables.ts'

export const LAUNCH_ORDERS = ['activity', 'newest', 'raised', 'progress', 'ending'] as const
export type LaunchOrder = (typeof LAUNCH_ORDERS)[number]

export interface LaunchFilter {
  status?: LaunchStatus | undefined
  spotlight?: boolean | undefined
  mechanic?: Mechanic | undefined
  /** Whether it is live and its end has passed. */
  closed?: boolean | undefined
}

/** Where a launch is in an order. The key is the decimal text of the order's column. */
export interface LaunchPlace {
  key: string
  address: Address
}

/** Each column ascends in the order of the list. */
const KEYS: Record<LaunchOrder, SQL> = {
  activity: sql.raw('by_activity'),
  newest: sql.raw('by_registration'),
  raised: sql.raw('by_raised'),
  progress: sql.raw('by_progress'),
  ending: sql.raw('by_end'),
}

const KEY_TYPES: Record<LaunchOrder, string> = {
  activity: 'bigint',
  newest: 'bigint',
  raised: 'numeric',
  progress: 'integer',
  ending: 'bigint',
}

const PHASES = { upcoming: 0, live: 1, graduated: 2 } as const satisfies Record<LaunchStatus, number>
const NONE = { upcoming: [], live: [], graduated: [] }

/** The values of `flags` that match a filter, by the status that they stand for. */
export function launchFlags(filter: LaunchFilter): Record<LaunchStatus, number[]> {
  const { status, spotlight, mechanic, closed } = filter
  const mechanics = mechanic === undefined ? Object.values(MECHANIC_FLAGS) : [MECHANIC_FLAGS[mechanic]]
  const spotlights = spotlight === undefined ? [false, true] : [spotlight]
  const flagsOf = (phase: number) =>
    spotlights.flatMap(isPicked => mechanics.map(which => which + Number(isPicked) * 3 + phase * 6))
  const statuses = (status === undefined ? (Object.keys(PHASES) as LaunchStatus[]) : [status]).filter(
    each => closed !== true || each === 'live',
  )
  return { ...NONE, ...Object.fromEntries(statuses.map(each => [each, flagsOf(PHASES[each])])) }
}

export const takesLive = ({ status }: LaunchFilter) => status === undefined || status === 'live'

/** The launches that a page or a count is taken from. */
export interface LaunchSelection {
  network: Network
  filter: LaunchFilter
  /** Statuses are as of this time. */
  nowMs: number
}

const upcomingFlags = (filter: LaunchFilter) =>
  launchFlags({ ...filter, status: 'upcoming', closed: undefined }).upcoming

const isClosedAt = (nowMs: number): SQL =>
  sql`(phase < 2 AND starts_at <= ${toTime(nowMs)} AND by_end <= ${nowMs})`

/** Launches whose start has passed and that are not in the phase of live ones yet. */
export const fromStarted = (network: Network, flags: readonly number[], nowMs: number): SQL =>
  sql`FROM launch_listing WHERE network = ${network} AND due_at <= ${toTime(nowMs)} AND flags = ANY(${sql.param(flags)}::smallint[])`

const toTime = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`

/** A stretch of an order, read from its start or after a place. */
export interface LaunchStretch {
  order: LaunchOrder
  isBackward: boolean
  /** Only launches whose key comes after this one. */
  beyond?: string | undefined
  after?: LaunchPlace | undefined
  limit: number
}

/** Finds the places of one stretch, in its direction. */
export async function findLaunchPlaces(
  database: Database,
  selection: LaunchSelection,
  stretch: LaunchStretch,
): Promise<LaunchPlace[]> {
  if (selection.filter.closed === true && !takesLive(selection.filter)) return []
  const query = buildStretchQuery(selection, stretch)
  const { rows } = await database.run('launches.page', db =>
    db.execute<{ key: string; address: Address }>(query),
  )
  return rows
}

/**
 * Each value of `flags` is a range of the order's index, already in order. PostgreSQL merges the ranges and stops at
 * the end of the page, however deep it is. With `closed`, this is true only of the order `ending`: no other index has
 * the end of a launch, so the launches that don't match are read and passed over. Where few match, that is most of the
 * range.
 */
export function buildStretchQuery(
  { network, filter, nowMs }: LaunchSelection,
  { order, isBackward, beyond, after, limit }: LaunchStretch,
): SQL {
  const key = KEYS[order]
  const direction = isBackward ? sql`DESC` : sql`ASC`
  const sign = isBackward ? sql`<` : sql`>`
  const inOrder = sql`ORDER BY ${key} ${direction}, genesis_address ${direction} LIMIT ${limit}`
  const conditions = [
    after && sql`AND (${key}, genesis_address) ${sign} (${after.key}, ${after.address})`,
    beyond !== undefined && sql`AND ${key} ${isBackward ? sql`<=` : sql`>`} ${beyond}`,
  ].filter(condition => condition !== undefined && condition !== false)
  const where = sql.join(conditions, sql` `)
  const columns = sql`SELECT ${key}, genesis_address`
  const range = (value: number, also: SQL) =>
    sql`(${columns} FROM launch_listing WHERE network = ${network} AND flags = ${sql.raw(`${value}`)} ${also} ${where} ${inOrder})`
  const flags = launchFlags(filter)
  const { status, closed } = filter
  const isUpcoming = sql`AND starts_at > ${toTime(nowMs)}`
  const isNotClosed = closed === false ? sql`AND NOT ${isClosedAt(nowMs)}` : sql``
  const ofLive =
    closed === undefined ? sql`` : closed ? sql`AND by_end <= ${nowMs}` : sql`AND by_end > ${nowMs}`
  const ranges = [
    ...flags.upcoming.map(value => range(value, status === 'upcoming' ? isUpcoming : isNotClosed)),
    ...flags.live.map(value => range(value, ofLive)),
    ...flags.graduated.map(value => range(value, sql``)),
  ]
  const isLive = status === 'live' || closed === true
  // Found by their start, and sorted: there are few.
  const started = isLive
    ? sql`WITH started AS MATERIALIZED (SELECT * ${fromStarted(network, upcomingFlags(filter), nowMs)})`
    : sql``
  if (isLive) ranges.push(sql`(${columns} FROM started WHERE true ${ofLive} ${where} ${inOrder})`)
  return sql`${started} SELECT ${key}::text AS key, genesis_address AS address
    FROM (${sql.join(ranges, sql` UNION ALL `)}) AS matching ${inOrder}`
}

/** A wallet that is paid by more buckets than this sees only some of their launches. */
const CREATED_MAX = 10_000

/** The ids of the launches with a bucket that pays its creator fees to this wallet. */
export async function findCreated(database: Database, network: Network, creator: Address): Promise<string[]> {
  const { rows } = await database.run('launches.find-created', db =>
    db.execute<{ id: string }>(sql`
      SELECT DISTINCT launches.id FROM (
        SELECT genesis_address FROM buckets WHERE network = ${network} AND creator_fee_wallet = ${creator} LIMIT ${CREATED_MAX}
      ) AS paying
      CROSS JOIN LATERAL (
        -- One look-up each, as below.
        SELECT id FROM launches WHERE network = ${network} AND genesis_address = paying.genesis_address OFFSET 0
      ) AS launches`),
  )
  return rows.map(({ id }) => id)
}

/** More launches than this start at once only in an attack. The rest are found a moment later. */
const STARTED_MAX = 1_000

/** The ids of launches that are live, although their `flags` say that they are upcoming. */
export async function findStarted(
  database: Database,
  { network, filter, nowMs }: LaunchSelection,
): Promise<string[]> {
  const { rows } = await database.run('launches.find-started', db =>
    db.execute<{ id: string }>(
      sql`SELECT launch_id AS id ${fromStarted(network, upcomingFlags(filter), nowMs)} LIMIT ${STARTED_MAX}`,
    ),
  )
  return rows.map(({ id }) => id)
}

/** A launch among the matches of a search. */
export interface MatchPlace extends LaunchPlace {
  score: number
}

interface MatchStretch {
  /** The score of each launch, by its id. A higher one comes first. */
  scores: ReadonlyMap<string, number>
  order: LaunchOrder
  /** In the order `ending`: launches that end at or before this time have ended. */
  asOfMs: number
  after?: MatchPlace | undefined
  limit: number
}

/** Finds the next of these launches that match, best first, and how many of them match in all. */
export async function findMatchPlaces(
  database: Database,
  { network, filter, nowMs }: LaunchSelection,
  { scores, order, asOfMs, after, limit }: MatchStretch,
): Promise<{ places: MatchPlace[]; total: number }> {
  if (scores.size === 0 || (filter.closed === true && !takesLive(filter))) return { places: [], total: 0 }
  const isMatching = sql`flags = ANY(${sql.param(Object.values(launchFlags(filter)).flat())}::smallint[])`
  const now = toTime(nowMs)
  const conditions = {
    upcoming: sql`${isMatching} AND starts_at > ${now}`,
    live: sql`(${isMatching} OR due_at <= ${now} AND flags = ANY(${sql.param(upcomingFlags(filter))}::smallint[]))`,
    graduated: isMatching,
    any: isMatching,
  }
  const closedIs = filter.closed === undefined ? sql`` : sql`AND ${isClosedAt(nowMs)} = ${filter.closed}`
  const key = KEYS[order]
  const isEnded = (end: SQL) => (order === 'ending' ? sql`(${end} <= ${asOfMs})::int` : sql`0`)
  const placeOf = (value: SQL) =>
    order === 'ending' ? sql`CASE WHEN ${value} > ${asOfMs} THEN ${value} ELSE -${value} END` : value
  const afterKey = after && sql`${after.key}::${sql.raw(KEY_TYPES[order])}`
  const isAfter = after
    ? sql`(rank, ended, place, address) > (${-after.score}::float8, ${isEnded(afterKey as SQL)}, ${placeOf(afterKey as SQL)}, ${after.address})`
    : sql`true`
  const { rows } = await database.run('launches.find-places', db =>
    db.execute<{ total: number; key: string | null; address: Address; score: number }>(sql`
      WITH matching AS MATERIALIZED (
        SELECT -score AS rank, ${isEnded(key)} AS ended, ${placeOf(key)} AS place, ${key}::text AS key,
          genesis_address AS address, score
        FROM unnest(${sql.param([...scores.keys()])}::uuid[], ${sql.param([...scores.values()])}::float8[]) AS match (id, score)
          -- One look-up each. The planner doesn't know how few they are, and would read the whole range of each flag.
          CROSS JOIN LATERAL (SELECT * FROM launch_listing WHERE launch_id = match.id OFFSET 0) AS listed
        WHERE network = ${network} AND ${conditions[filter.closed === true ? 'live' : (filter.status ?? 'any')]}
          ${closedIs}
      )
      SELECT counted.total, page.key, page.address, page.score
      FROM (SELECT count(*)::int AS total FROM matching) AS counted
        LEFT JOIN (
          SELECT * FROM matching WHERE ${isAfter} ORDER BY rank, ended, place, address LIMIT ${limit}
        ) AS page ON true
      ORDER BY rank, ended, place, address`),
  )
  return {
    total: rows[0]?.total ?? 0,
    places: rows.flatMap(({ key, address, score }) => (key === null ? [] : { key, address, score })),
  }
}
