import { sql } from 'drizzle-orm'
import { STATE, type StoredState } from './activity.ts'
import { keptFor, LEVELS, lengthOf, MINUTE_MS } from './candles.ts'
import type { Database } from './database.ts'

/** The amounts that a sale took in and sold, net of tokens sold back, and its creator's fees. */
export interface SaleSums {
  raised: bigint
  sold: bigint
  creatorFees: bigint
}

export interface SaleSeries {
  /** Over all trades. Undefined if there are none. */
  total: SaleSums | undefined
  /** At the end of each interval. Undefined before the first trade. */
  points: (SaleSums | undefined)[]
}

const SUMS = sql`count(*)::int AS candles, coalesce(sum(raised), 0) AS raised, coalesce(sum(sold), 0) AS sold,
  coalesce(sum(creator_fees), 0) AS "creatorFees"`

type SumsRow = { startMs: number; candles: number } & Record<keyof SaleSums, string>

/**
 * Sums the trades of a launch's sale up to the end of each interval. The intervals are consecutive. Reads a few
 * thousand rows.
 */
export async function readSaleSeries(
  database: Database,
  launchId: string,
  { minutes, starts }: { minutes: number; starts: readonly number[] },
): Promise<SaleSeries> {
  const fromMs = starts[0] ?? 0
  const toMs = fromMs + starts.length * minutes * MINUTE_MS
  const iso = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`
  const floor = (level: number) => Math.floor(fromMs / (level * MINUTE_MS)) * level * MINUTE_MS
  // The time before the first interval is covered by the longest candles that fit.
  const before = LEVELS.map(({ minutes: level }, at) => {
    const longer = LEVELS[at + 1]
    const isAfter = longer ? sql`AND time >= ${iso(floor(longer.minutes))}` : sql``
    return sql`(minutes = ${level} ${isAfter} AND time < ${iso(floor(level))})`
  })
  const { rows } = await database.run('candles.sums', db =>
    db.execute<Record<string, unknown> & SumsRow>(sql`
      SELECT '-Infinity'::float8 AS "startMs", ${SUMS} FROM candles
      WHERE launch_id = ${launchId} AND (${sql.join(before, sql` OR `)})
      UNION ALL SELECT 'Infinity'::float8, ${SUMS} FROM candles
      WHERE launch_id = ${launchId} AND minutes = ${LEVELS.at(-1)?.minutes}
      UNION ALL SELECT extract(epoch FROM date_bin(${lengthOf(minutes)}, time, 'epoch'::timestamptz))::float8 * 1000, ${SUMS}
      FROM candles
      WHERE launch_id = ${launchId} AND minutes = ${keptFor(minutes)} AND time >= ${iso(fromMs)} AND time < ${iso(toMs)}
      GROUP BY 1`),
  )
  const known = rows.filter(({ candles }) => candles > 0)
  const sums = new Map(known.map(row => [row.startMs, toSums(row)]))
  let sum = sums.get(Number.NEGATIVE_INFINITY)
  return {
    total: sums.get(Number.POSITIVE_INFINITY),
    points: starts.map(start => {
      sum = add(sum, sums.get(start))
      return sum
    }),
  }
}

const toSums = ({ raised, sold, creatorFees }: SumsRow): SaleSums => ({
  raised: BigInt(raised),
  sold: BigInt(sold),
  creatorFees: BigInt(creatorFees),
})

const add = (a: SaleSums | undefined, b: SaleSums | undefined): SaleSums | undefined =>
  a && b
    ? { raised: a.raised + b.raised, sold: a.sold + b.sold, creatorFees: a.creatorFees + b.creatorFees }
    : (a ?? b)

/** States of a launch that the indexer has read. */
export interface SaleStates {
  /** Newest first. */
  newest: StoredState[]
  /** The last one before graduation. */
  onSale: StoredState | undefined
}

/**
 * Trades are stored a moment after the states that they lead to. Among this many states is the newest one whose
 * trades are all stored.
 */
const NEWEST = 20

/** `onSale` is the last state with a price: if the chain's clock is ahead, the first one after graduation may seem earlier. */
export async function readSaleStates(
  database: Database,
  launchId: string,
  graduatedAt: Date | null,
): Promise<SaleStates> {
  const states = sql`SELECT ${STATE} FROM launch_activity WHERE launch_id = ${launchId}`
  const newestFirst = sql`ORDER BY time DESC, slot DESC`
  const { rows } = await database.run('activity.states', db =>
    db.execute<Record<string, unknown> & StoredState & { isOnSale: boolean }>(sql`
      SELECT *, false AS "isOnSale" FROM (${states} ${newestFirst} LIMIT ${NEWEST}) AS newest
      UNION ALL SELECT *, true FROM (
        ${states} AND time < ${graduatedAt?.toISOString() ?? 'infinity'}
        ORDER BY price_quote IS NULL, time DESC, slot DESC LIMIT 1
      ) AS on_sale ORDER BY "timeMs" DESC, slot DESC`),
  )
  return {
    newest: rows.filter(({ isOnSale }) => !isOnSale),
    onSale: rows.find(({ isOnSale }) => isOnSale),
  }
}
