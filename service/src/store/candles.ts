import { PRICED_UNITS_MIN } from '@slipway/launch-model/history/trade'
import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'

/**
 * The lengths of stored candles in minutes, and the shorter candles that each is folded from. The first is folded
 * from trades.
 */
export const LEVELS = [
  { minutes: 1, from: undefined },
  { minutes: 15, from: 1 },
  { minutes: 240, from: 15 },
] as const

/**
 * Prices are stored as whole numbers: quote per base in the smallest units, times this. It keeps 18 digits of 1 /
 * (2^64 - 1).
 */
export const PRICE_SCALE = 10n ** 40n

export interface StoredCandle {
  /** When it starts, in milliseconds. */
  timeMs: number
  /** Prices times `PRICE_SCALE`; null if no trade has a price. */
  open: string | null
  high: string | null
  low: string | null
  close: string | null
  volumeBase: string
  volumeQuote: string
  trades: number
}

const TRADED = sql`kind IN ('buy', 'sell')`
const FEES = sql`protocol_fee + creator_fee + pool_fee`
/** The quote amount before fees. */
const NET = sql`CASE kind WHEN 'buy' THEN quote_amount - (${FEES}) ELSE quote_amount + ${FEES} END`
const PRICE = sql`CASE WHEN least(base_amount, ${NET}) >= ${sql.raw(`${PRICED_UNITS_MIN}`)}
  THEN div((${NET}) * ${sql.raw(`${PRICE_SCALE}`)}::numeric, base_amount) END`

/** Only trades of the sale: a trade in a pool has a pool fee. */
const SALE = sql`FILTER (WHERE pool_fee = 0)`

/** The first and the last price without sorting all of them: a minute can have many thousands. */
const FROM_TRADES = sql`
  (SELECT price FROM traded WHERE price IS NOT NULL ORDER BY time, slot, order_in_slot, signature, index LIMIT 1) AS open,
  max(price) AS high, min(price) AS low,
  (SELECT price FROM traded WHERE price IS NOT NULL
    ORDER BY time DESC, slot DESC, order_in_slot DESC, signature DESC, index DESC LIMIT 1) AS close,
  sum(base_amount) AS volume_base, sum(quote_amount) AS volume_quote, count(*)::int AS trades,
  coalesce(sum(CASE kind WHEN 'buy' THEN ${NET} ELSE -(${NET}) END) ${SALE}, 0) AS raised,
  coalesce(sum(CASE kind WHEN 'buy' THEN base_amount ELSE -base_amount END) ${SALE}, 0) AS sold,
  coalesce(sum(creator_fee) ${SALE}, 0) AS creator_fees`

const FROM_CANDLES = sql`
  (array_agg(open ORDER BY time) FILTER (WHERE open IS NOT NULL))[1] AS open, max(high) AS high, min(low) AS low,
  (array_agg(close ORDER BY time DESC) FILTER (WHERE close IS NOT NULL))[1] AS close,
  sum(volume_base) AS volume_base, sum(volume_quote) AS volume_quote, coalesce(sum(trades), 0)::int AS trades,
  sum(raised) AS raised, sum(sold) AS sold, sum(creator_fees) AS creator_fees`

const COLUMNS = sql`open, high, low, close, volume_base, volume_quote, trades, raised, sold, creator_fees`

export const MINUTE_MS = 60_000

/** Computes the candles of these times again, from their trades. The caller holds the launch's lock. */
export async function refoldCandles(
  db: NodePgDatabase,
  launchId: string,
  timesMs: readonly number[],
): Promise<void> {
  if (timesMs.length === 0) return
  for (const { minutes, from } of LEVELS) {
    const lengthMs = minutes * MINUTE_MS
    const starts = new Set(timesMs.map(timeMs => Math.floor(timeMs / lengthMs) * lengthMs))
    const length = lengthOf(minutes)
    // Common bounds, known in advance, let the planner skip other partitions.
    const first = new Date(Math.min(...starts)).toISOString()
    const last = new Date(Math.max(...starts)).toISOString()
    const within = sql`launch_id = ${launchId} AND time >= touched.start AND time < touched.start + ${length}
      AND time >= ${first} AND time < ${last}::timestamptz + ${length}`
    const folded = from
      ? sql`SELECT ${FROM_CANDLES} FROM candles WHERE minutes = ${from} AND ${within}`
      : sql`WITH traded AS MATERIALIZED (SELECT *, ${PRICE} AS price FROM trades WHERE ${TRADED} AND ${within})
        SELECT ${FROM_TRADES} FROM traded`
    await replaceCandles(db, { launchId, minutes, starts: [...starts] }, folded)
  }
}

async function replaceCandles(
  db: NodePgDatabase,
  { launchId, minutes, starts }: { launchId: string; minutes: number; starts: number[] },
  folded: SQL,
): Promise<void> {
  const times = sql`${sql.param(starts.map(start => new Date(start).toISOString()))}::timestamptz[]`
  await db.execute(sql`
    WITH folded AS (
      SELECT touched.start, candle.* FROM unnest(${times}) AS touched (start) CROSS JOIN LATERAL (${folded}) AS candle
      WHERE candle.trades > 0
    ), emptied AS (
      DELETE FROM candles WHERE launch_id = ${launchId} AND minutes = ${minutes} AND time = ANY(${times})
        AND time NOT IN (SELECT start FROM folded)
    )
    INSERT INTO candles (launch_id, minutes, time, ${COLUMNS})
    SELECT ${launchId}, ${minutes}, start, ${COLUMNS} FROM folded
    ON CONFLICT (launch_id, minutes, time) DO UPDATE SET
      open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume_base = excluded.volume_base, volume_quote = excluded.volume_quote, trades = excluded.trades,
      raised = excluded.raised, sold = excluded.sold, creator_fees = excluded.creator_fees`)
}

/** The candles that start from `fromMs` on and before `toMs`, oldest first, without the empty ones. */
export async function readCandles(
  database: Database,
  launchId: string,
  { minutes, fromMs, toMs }: { minutes: number; fromMs: number; toMs: number },
): Promise<StoredCandle[]> {
  const kept = keptFor(minutes)
  const { rows } = await database.run('candles.read', db =>
    db.execute<Record<string, unknown> & StoredCandle>(sql`
      SELECT extract(epoch FROM start)::float8 * 1000 AS "timeMs", open, high, low, close,
        volume_base AS "volumeBase", volume_quote AS "volumeQuote", trades
      FROM (
        SELECT ${kept === minutes ? sql`time AS start, ${COLUMNS}` : sql`date_bin(${lengthOf(minutes)}, time, 'epoch'::timestamptz) AS start, ${FROM_CANDLES}`}
        FROM candles WHERE minutes = ${kept} AND launch_id = ${launchId}
          AND time >= ${new Date(fromMs).toISOString()} AND time < ${new Date(toMs).toISOString()}
        ${kept === minutes ? sql`` : sql`GROUP BY start`}
      ) AS folded ORDER BY start`),
  )
  return rows
}

/** The longest candles that are kept and fit into those of this length. */
export const keptFor = (minutes: number): number =>
  LEVELS.findLast(level => minutes % level.minutes === 0)?.minutes ?? 1

export const lengthOf = (minutes: number) => sql.raw(`interval '${minutes} minutes'`)
