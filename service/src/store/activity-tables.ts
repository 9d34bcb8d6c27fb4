import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
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

/** How many of a launch's states are kept: every one, the last of each hour, or the last of each day. */
export const DETAILS = { all: 0, hour: 1, day: 2 } as const

const amount = (name: string) => numeric(name, { mode: 'bigint' })

/**
 * The figures of launches over time: one row for each state that the indexer has read and that differs from the one
 * before. Ordered by time, then slot. Rows refer to launches without a foreign key, which would lock the launch for
 * every row; a trigger deletes them together with their launch.
 */
export const launchActivity = pgTable(
  'launch_activity',
  {
    launchId: uuid('launch_id').notNull(),
    /** Block time of the change. */
    time: instant('time').notNull(),
    /** The slot at which it was read. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
    detail: smallint('detail').notNull().default(DETAILS.all),
    raised: amount('raised').notNull(),
    sold: amount('sold').notNull(),
    supply: amount('supply').notNull(),
    /** The price is their ratio. Both are null if there is none. */
    priceQuote: amount('price_quote'),
    priceBase: amount('price_base'),
    /** Millionths. */
    progress: integer('progress'),
    participants: amount('participants'),
    creatorFees: amount('creator_fees'),
  },
  table => [
    primaryKey({ columns: [table.launchId, table.time, table.slot] }),
    // For the compaction, which starts with the oldest.
    index('launch_activity_detail').on(table.detail, table.time).where(sql`detail < 2`),
  ],
)

/** The units of a launch's figures, and where they come from. A row exists once the indexer has read the launch. */
export const activitySources = pgTable('activity_sources', {
  launchId: uuid('launch_id').primaryKey(),
  quoteMint: text('quote_mint').$type<Address>(),
  /** Null if the chain doesn't have the mint. */
  quoteDecimals: smallint('quote_decimals'),
  baseDecimals: smallint('base_decimals'),
  /** In the smallest unit of the quote token. Null if the sale has no goal. */
  goal: numeric('goal'),
  /** A graduated launch's pool as it was last read: empty if it can't be read, null before graduation. */
  pool: text('pool'),
})
