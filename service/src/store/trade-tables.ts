import type { TradeKind } from '@slipway/launch-model/history/trade'
import type { Address } from '@slipway/schema/address'
import {
  bigint,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Holds 2^64 - 1, which a `bigint` of PostgreSQL doesn't. */
const amount = (name: string) => numeric(name, { precision: 20, mode: 'bigint' })
const sum = (name: string) => numeric(name, { mode: 'bigint' })

/**
 * The trades of launches, partitioned by month: see the migration. `ensure_trade_partitions` creates a month's
 * partition. Rows refer to launches without a foreign key, as those of `launch_activity` do. Block times never
 * decrease from slot to slot, so the order of times is that of slots, and a page reads the partitions one after the
 * other.
 */
export const trades = pgTable(
  'trades',
  {
    launchId: uuid('launch_id').notNull(),
    /** Block time. */
    time: instant('time').notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
    /** The place of its transaction in the slot: see `PlacedTrade`. */
    orderInSlot: integer('order_in_slot').notNull(),
    signature: text('signature').notNull(),
    index: integer('index').notNull(),
    kind: text('kind').$type<TradeKind>().notNull(),
    wallet: text('wallet').$type<Address>().notNull(),
    agent: text('agent').$type<Address>(),
    baseAmount: amount('base_amount').notNull(),
    quoteAmount: amount('quote_amount').notNull(),
    protocolFee: amount('protocol_fee').notNull(),
    creatorFee: amount('creator_fee').notNull(),
    poolFee: amount('pool_fee').notNull(),
  },
  table => [
    primaryKey({ columns: [table.launchId, table.signature, table.index, table.time] }),
    // A page without a kind merges the pages of all kinds.
    index('trades_kind').on(table.launchId, table.kind, table.time, table.slot),
    index('trades_wallet').on(table.launchId, table.wallet, table.kind, table.time, table.slot),
    index('trades_of_wallet').on(table.wallet, table.time, table.slot),
  ],
)

/**
 * Candles of 1, 15 and 240 minutes. Others are folded from these when they are read, so that a thousand of any
 * interval take at most 6,000 rows.
 */
export const candles = pgTable(
  'candles',
  {
    launchId: uuid('launch_id').notNull(),
    minutes: smallint('minutes').notNull(),
    /** When it starts. */
    time: instant('time').notNull(),
    /** Prices before fees in the smallest units, times 10^40. Null if no trade has a price. */
    open: sum('open'),
    high: sum('high'),
    low: sum('low'),
    close: sum('close'),
    volumeBase: sum('volume_base').notNull(),
    volumeQuote: sum('volume_quote').notNull(),
    trades: integer('trades').notNull(),
    /** The amounts that the sale took in and sold, net of tokens sold back, without fees. */
    raised: sum('raised').notNull(),
    sold: sum('sold').notNull(),
    creatorFees: sum('creator_fees').notNull(),
  },
  table => [primaryKey({ columns: [table.launchId, table.minutes, table.time] })],
)

/** The amounts that each wallet has paid and received, over all trades ever stored, except removed ones. */
export const tradeTotals = pgTable(
  'trade_totals',
  {
    launchId: uuid('launch_id').notNull(),
    wallet: text('wallet').$type<Address>().notNull(),
    paid: sum('paid').notNull(),
    received: sum('received').notNull(),
  },
  table => [primaryKey({ columns: [table.launchId, table.wallet] })],
)

/** One row: trades before this time are not kept, and are not stored again when the history is read again. */
export const tradeRetention = pgTable('trade_retention', {
  keptAfter: instant('kept_after').primaryKey(),
})
