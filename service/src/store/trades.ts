import type { Trade } from '@slipway/launch-model/history/trade'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { refoldCandles } from './candles.ts'
import type { Database } from './database.ts'
import { hasReadAll } from './trade-progress.ts'

const BATCH = 1_000
const FORK_SECONDS = 3_600
const PAID = sql.raw(`CASE WHEN kind IN ('buy', 'deposit') THEN quote_amount ELSE 0 END`)
const RECEIVED = sql.raw(`CASE WHEN kind IN ('sell', 'withdraw', 'refund') THEN quote_amount ELSE 0 END`)
/** Candles are computed only from buys and sells. */
const TRADED_AT = sql.raw(
  `array_agg(DISTINCT extract(epoch FROM date_trunc('minute', time))::float8) FILTER (WHERE kind IN ('buy', 'sell'))`,
)
/**
 * A trade with the place of its transaction in the slot: for a trade in a pool, among those of the pool, plus
 * `POOL_ORDER`. The sale ends before there is a pool.
 */
export interface PlacedTrade extends Trade {
  orderInSlot: number
}
/** More than the transactions of a slot. */
export const POOL_ORDER = 1_000_000

/** Older trades are not reported as events. Otherwise, a fresh index would report the whole history. */
const REPORTED = sql.raw(`interval '1 hour'`)

/**
 * Stores trades of a launch that are not stored yet, with their candles, totals and events, and returns how many were
 * new. A transaction that is known from another slot has moved to a different fork, and its trades are replaced.
 * `places` moves trades that are stored to their place in the slot. The launch's trades are locked until the
 * transaction ends. To include this in another transaction, pass the `Database` of `withinTransaction`.
 */
export async function saveTrades(
  database: Database,
  network: Network,
  genesisAddress: Address,
  trades: readonly PlacedTrade[],
  places: ReadonlyMap<string, number> = new Map(),
): Promise<number> {
  if (trades.length === 0) return 0
  return database.transact('trades.save', async db => {
    const launch = await lockLaunch(db, network, genesisAddress)
    if (!launch) return 0
    const { id, keptAfter } = launch
    // A node may list a trade twice, which one statement can't store.
    const unique = new Map(trades.map(trade => [`${trade.signature} ${trade.index}`, trade]))
    const kept = [...unique.values()].filter(({ time }) => time >= keptAfter)
    await ensurePartitions(db, kept)
    let count = 0
    const minutes = new Set<number>()
    for (let start = 0; start < kept.length; start += BATCH) {
      const batch = kept.slice(start, start + BATCH)
      const moved = await findMoved(db, id, batch)
      for (const minute of await deleteTrades(db, id, moved)) minutes.add(minute)
      const added = await insertTrades(db, { id, network, genesisAddress }, batch)
      count += added.count
      for (const minute of added.minutes) minutes.add(minute)
    }
    for (const minute of await placeTrades(db, id, places)) minutes.add(minute)
    await refoldCandles(db, id, [...minutes])
    return count
  })
}

/** Removes the trades of transactions that were on a fork that was dropped. */
export async function removeTrades(
  database: Database,
  network: Network,
  genesisAddress: Address,
  signatures: readonly string[],
): Promise<void> {
  if (signatures.length === 0) return
  await database.transact('trades.remove', async db => {
    const launch = await lockLaunch(db, network, genesisAddress)
    if (launch) await refoldCandles(db, launch.id, await deleteTrades(db, launch.id, signatures))
  })
}

/**
 * The amounts of the quote token that a wallet has paid and received, over all trades of a launch. Undefined until
 * they have been read.
 */
export async function sumTrades(
  database: Database,
  network: Network,
  genesisAddress: Address,
  wallet: Address,
): Promise<{ paid: bigint; received: bigint } | undefined> {
  const { rows } = await database.run('trades.sum', db =>
    db.execute<{ paid: string | null; received: string | null }>(sql`
      SELECT paid, received
      FROM launches LEFT JOIN trade_totals ON launch_id = launches.id AND wallet = ${wallet}
      WHERE network = ${network} AND genesis_address = ${genesisAddress}
        AND ${hasReadAll(sql`${network}`, sql`${genesisAddress}`)}`),
  )
  const [row] = rows
  return row && { paid: BigInt(row.paid ?? 0), received: BigInt(row.received ?? 0) }
}

/**
 * Only one transaction at a time changes a launch's trades: candles are computed from all that are committed. While a
 * history is read for the first time, its old trades are stored too, because candles and totals need them. The next
 * `dropOldTrades` drops them.
 */
async function lockLaunch(db: NodePgDatabase, network: Network, genesisAddress: Address) {
  const { rows } = await db.execute<{ id: string; keptAfter: number }>(sql`
    SELECT id, pg_advisory_xact_lock(hashtextextended(id::text, 1360739958)),
      coalesce((SELECT extract(epoch FROM max(kept_after)) FROM trade_retention
        WHERE ${hasReadAll(sql`${network}`, sql`${genesisAddress}`)}), '-infinity')::float8 AS "keptAfter"
    FROM launches WHERE network = ${network} AND genesis_address = ${genesisAddress}`)
  return rows[0]
}

const toIso = (seconds: number) => new Date(seconds * 1_000).toISOString()

async function ensurePartitions(db: NodePgDatabase, trades: readonly Trade[]): Promise<void> {
  const months = new Set(trades.map(({ time }) => toIso(time).replace(/-\d\dT.*/, '-01T00:00:00Z')))
  await db.execute(sql`SELECT ensure_trade_partitions(${sql.param([...months])}::timestamptz[])`)
}

/**
 * The transactions that are stored with a different slot. A fork lasts for minutes at most, and bounds known in
 * advance let the planner skip all other partitions.
 */
async function findMoved(db: NodePgDatabase, launchId: string, trades: readonly Trade[]): Promise<string[]> {
  const slots = new Map(trades.map(({ signature, slot }) => [signature, slot]))
  const seconds = trades.map(({ time }) => time)
  const { rows } = await db.execute<{ signature: string; slot: number }>(sql`
    SELECT signature, slot::float8 AS slot FROM trades
    WHERE launch_id = ${launchId} AND signature = ANY(${sql.param([...slots.keys()])}::text[])
      AND time BETWEEN ${toIso(Math.min(...seconds) - FORK_SECONDS)} AND ${toIso(Math.max(...seconds) + FORK_SECONDS)}`)
  const moved = rows.filter(({ signature, slot }) => slots.get(signature) !== slot)
  return moved.map(({ signature }) => signature)
}

interface Changed extends Record<string, unknown> {
  count: number
  /** In seconds; null if no candle changes. */
  minutes: number[] | null
}

async function insertTrades(
  db: NodePgDatabase,
  { id, network, genesisAddress }: { id: string; network: Network; genesisAddress: Address },
  trades: readonly PlacedTrade[],
): Promise<{ count: number; minutes: number[] }> {
  const column = columnsOf(trades)
  const { rows } = await db.execute<Changed>(sql`
    WITH added AS (
      INSERT INTO trades (launch_id, time, slot, order_in_slot, signature, index, kind, wallet, agent, base_amount, quote_amount,
        protocol_fee, creator_fee, pool_fee)
      SELECT ${id}::uuid, * FROM unnest(${times(trades)}, ${column('slot', 'bigint')},
        ${column('orderInSlot', 'int')}, ${column('signature', 'text')}, ${column('index', 'int')}, ${column('kind', 'text')}, ${column('wallet', 'text')}, ${column('agent', 'text')},
        ${column('baseAmount', 'numeric')}, ${column('quoteAmount', 'numeric')}, ${column('protocolFee', 'numeric')},
        ${column('creatorFee', 'numeric')}, ${column('poolFee', 'numeric')})
      ON CONFLICT DO NOTHING RETURNING *
    ), totalled AS (
      INSERT INTO trade_totals AS known (launch_id, wallet, paid, received)
      SELECT ${id}::uuid, wallet, sum(${PAID}), sum(${RECEIVED}) FROM added GROUP BY wallet
      ON CONFLICT (launch_id, wallet) DO UPDATE SET
        paid = known.paid + excluded.paid, received = known.received + excluded.received
    ), reported AS (
      INSERT INTO event_drafts (type, networks, addresses, times, data)
      SELECT 'launch.trade', array_agg(${network}::text), array_agg(${genesisAddress}::text), array_agg(time ORDER BY place),
        array_agg(data ORDER BY place)
      FROM (
        SELECT time, row_number() OVER (ORDER BY time, slot, order_in_slot, signature, index) AS place,
          jsonb_build_object('signature', signature, 'index', index, 'slot', slot, 'kind', kind, 'wallet', wallet,
            'agent', agent, 'baseAmount', base_amount::text, 'quoteAmount', quote_amount::text,
            'protocolFee', protocol_fee::text, 'creatorFee', creator_fee::text, 'poolFee', pool_fee::text) AS data
        FROM added WHERE time > now() - ${REPORTED}
      ) AS recent HAVING count(*) > 0
    )
    SELECT count(*)::int AS count, ${TRADED_AT} AS minutes FROM added`)
  const { count = 0, minutes } = rows[0] ?? {}
  return { count, minutes: toMs(minutes) }
}

/** Returns the minutes whose candles may change. */
async function placeTrades(
  db: NodePgDatabase,
  launchId: string,
  places: ReadonlyMap<string, number>,
): Promise<number[]> {
  if (places.size === 0) return []
  const { rows } = await db.execute<Pick<Changed, 'minutes'>>(sql`
    WITH placed AS (
      UPDATE trades SET order_in_slot = place
      FROM unnest(${sql.param([...places.keys()])}::text[], ${sql.param([...places.values()])}::int[]) AS known (of, place)
      WHERE launch_id = ${launchId} AND signature = of AND order_in_slot <> place
        AND (order_in_slot < ${POOL_ORDER}) = (place < ${POOL_ORDER}) RETURNING kind, time
    )
    SELECT ${TRADED_AT} AS minutes FROM placed`)
  return toMs(rows[0]?.minutes)
}

/** Returns the minutes whose candles change. */
async function deleteTrades(
  db: NodePgDatabase,
  launchId: string,
  signatures: readonly string[],
): Promise<number[]> {
  if (signatures.length === 0) return []
  const { rows } = await db.execute<Changed>(sql`
    WITH removed AS (
      DELETE FROM trades WHERE launch_id = ${launchId} AND signature = ANY(${sql.param(signatures)}::text[]) RETURNING *
    ), totalled AS (
      UPDATE trade_totals AS known SET paid = known.paid - gone.paid, received = known.received - gone.received
      FROM (SELECT wallet, sum(${PAID}) AS paid, sum(${RECEIVED}) AS received FROM removed GROUP BY wallet) AS gone
      WHERE known.launch_id = ${launchId} AND known.wallet = gone.wallet
    )
    SELECT count(*)::int AS count, ${TRADED_AT} AS minutes FROM removed`)
  return toMs(rows[0]?.minutes)
}

const toMs = (minutes: number[] | null | undefined) => (minutes ?? []).map(seconds => seconds * 1_000)

const columnsOf = (trades: readonly PlacedTrade[]) => (name: keyof PlacedTrade, type: string) =>
  sql`${sql.param(trades.map(trade => (trade[name] === null ? null : `${trade[name]}`)))}::${sql.raw(type)}[]`

const times = (trades: readonly Trade[]) =>
  sql`${sql.param(trades.map(({ time }) => toIso(time)))}::timestamptz[]`
