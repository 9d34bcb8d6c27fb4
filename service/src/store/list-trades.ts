import { TRADE_KINDS, type TradeKind } from '@slipway/launch-model/history/trade'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { PlacedTrade } from './trades.ts'

/** The units of a launch's trades. */
export interface TradeSource extends Record<string, unknown> {
  launchId: string
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  /** Trades before this time are not kept; null if all are. */
  keptAfter: Date | null
  startsAt: Date
}

/** Undefined if there is no such launch, or it is hidden. */
export async function findTradeSource(
  database: Database,
  network: Network,
  genesisAddress: Address,
): Promise<TradeSource | undefined> {
  const { rows } = await database.run('trades.source', db =>
    db.execute<TradeSource>(sql`
      SELECT id AS "launchId", quote_mint AS "quoteMint", quote_decimals AS "quoteDecimals",
        base_decimals AS "baseDecimals", starts_at AS "startsAt", (SELECT max(kept_after) FROM trade_retention) AS "keptAfter"
      FROM launches LEFT JOIN activity_sources ON launch_id = id
      WHERE network = ${network} AND genesis_address = ${genesisAddress} AND NOT hidden`),
  )
  const [source] = rows
  if (!source) return undefined
  const { keptAfter, startsAt } = source
  return { ...source, keptAfter: keptAfter && new Date(keptAfter), startsAt: new Date(startsAt) }
}

/** A trade's place in the order of a launch's trades. */
export type TradePlace = Pick<PlacedTrade, 'time' | 'slot' | 'orderInSlot' | 'signature' | 'index'>

/** Amounts are decimal text. */
export type StoredTrade = {
  [Name in keyof PlacedTrade]: PlacedTrade[Name] extends bigint ? string : PlacedTrade[Name]
}

export interface TradeQuery {
  limit: number
  before?: TradePlace | undefined
  wallet?: Address | undefined
  kind?: TradeKind | undefined
}

const NEWEST_FIRST = sql`time DESC, slot DESC, order_in_slot DESC, signature DESC, index DESC`
const FIELDS = sql`
  extract(epoch FROM time)::float8 AS time, slot::float8 AS slot, order_in_slot AS "orderInSlot", signature, index, kind, wallet, agent,
  base_amount AS "baseAmount", quote_amount AS "quoteAmount", protocol_fee AS "protocolFee",
  creator_fee AS "creatorFee", pool_fee AS "poolFee"`

function isBefore(place: TradePlace | undefined) {
  if (!place) return sql``
  const time = new Date(place.time * 1_000).toISOString()
  // The first condition leaves out later partitions.
  return sql`AND trades.time <= ${time} AND (trades.time, trades.slot, order_in_slot, signature, index)
    < (${time}, ${place.slot}, ${place.orderInSlot}, ${place.signature}, ${place.index})`
}

/** The newest trades before a place, newest first. Reads as many rows as it returns, times the number of kinds. */
export async function listTrades(
  database: Database,
  launchId: string,
  { limit, before, wallet, kind }: TradeQuery,
): Promise<StoredTrade[]> {
  const { rows } = await database.run('trades.list', db =>
    db.execute<Record<string, unknown> & StoredTrade>(sql`
      SELECT ${FIELDS}
      FROM unnest(${sql.param(kind ? [kind] : TRADE_KINDS)}::text[]) AS wanted (wanted_kind) CROSS JOIN LATERAL (
        SELECT * FROM trades
        WHERE launch_id = ${launchId} AND kind = wanted_kind ${wallet ? sql`AND wallet = ${wallet}` : sql``} ${isBefore(before)}
        ORDER BY ${NEWEST_FIRST} LIMIT ${limit}
      ) AS newest
      ORDER BY newest.time DESC, newest.slot DESC, order_in_slot DESC, signature DESC, index DESC LIMIT ${limit}`),
  )
  return rows
}

/** A trade with the launch that it was made in. */
export interface StoredWalletTrade
  extends StoredTrade,
    Pick<TradeSource, 'quoteMint' | 'quoteDecimals' | 'baseDecimals'> {
  genesisAddress: Address
}

/** The newest trades of a wallet before a place, newest first, in all launches of a network that are not hidden. */
export async function listWalletTrades(
  database: Database,
  network: Network,
  wallet: Address,
  { limit, before }: Pick<TradeQuery, 'limit' | 'before'>,
): Promise<StoredWalletTrade[]> {
  const { rows } = await database.run('trades.of-wallet', db =>
    db.execute<Record<string, unknown> & StoredWalletTrade>(sql`
      SELECT ${FIELDS}, genesis_address AS "genesisAddress", quote_mint AS "quoteMint", quote_decimals AS "quoteDecimals",
        base_decimals AS "baseDecimals"
      FROM (
        SELECT trades.*, genesis_address FROM trades JOIN launches ON id = launch_id
        WHERE wallet = ${wallet} AND network = ${network} AND NOT hidden ${isBefore(before)}
        ORDER BY ${NEWEST_FIRST} LIMIT ${limit}
      ) AS newest LEFT JOIN activity_sources USING (launch_id)
      ORDER BY newest.time DESC, newest.slot DESC, order_in_slot DESC, signature DESC, index DESC`),
  )
  return rows
}

/** Before when trades are not kept; null if all are. */
export async function findKeptAfter(database: Database): Promise<Date | null> {
  const { rows } = await database.run('trades.kept', db =>
    db.execute<{ at: Date | null }>(sql`SELECT max(kept_after) AS at FROM trade_retention`),
  )
  const at = rows[0]?.at
  return at ? new Date(at) : null
}
