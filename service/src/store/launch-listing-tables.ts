import type { Address } from '@slipway/schema/address'
import type { Mechanic } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  numeric,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Ordered by code points whatever the locale of the database, like the whole listing. */
const plainText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/** What a mechanic adds to `flags`. The next one adds 18, so that no sum has two meanings. */
export const MECHANIC_FLAGS: Record<Mechanic, number> = { launchpoolV2: 0, presaleV2: 1, bondingCurveV2: 2 }

/**
 * The columns that pages of launches are filtered and ordered by: one row per visible launch. Triggers derive it from
 * `launches`, `launch_activity` and `activity_sources`, in the transaction that writes those.
 *
 * Each order has a key that ascends in the order of the list, so one comparison of (key, address) continues a page.
 * The first row has the smallest key: times and amounts are negative, and 1 stands for an unknown figure.
 */
export const launchListing = pgTable(
  'launch_listing',
  {
    launchId: uuid('launch_id').primaryKey(),
    network: text('network').$type<Network>().notNull(),
    genesisAddress: plainText('genesis_address').$type<Address>().notNull(),
    mechanic: text('mechanic').$type<Mechanic>().notNull(),
    spotlight: boolean('spotlight').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** 0 before its start, 1 after it, 2 once it has graduated. A launch may stay at 0 for a moment after its start. */
    phase: smallint('phase').notNull(),
    /** Milliseconds. */
    byActivity: bigint('by_activity', { mode: 'number' }).notNull(),
    byRegistration: bigint('by_registration', { mode: 'number' }).notNull(),
    byEnd: bigint('by_end', { mode: 'number' }).notNull(),
    /** Native currency comes before all other tokens: amounts of different tokens can't be compared. */
    byRaised: numeric('by_raised').notNull(),
    /** Millionths. */
    byProgress: integer('by_progress').notNull(),
    /**
     * Each combination of filters is a set of these values, and each value is one range of every index: see
     * `launchFlags`.
     */
    flags: smallint('flags')
      .notNull()
      .generatedAlwaysAs(
        sql`(CASE mechanic WHEN 'launchpoolV2' THEN 0 WHEN 'presaleV2' THEN 1 ELSE 2 END + spotlight::int * 3 + phase * 6)::smallint`,
      ),
    /**
     * The start of a launch in phase 0. Nearly always in the future, which the planner learns from this column alone.
     */
    dueAt: instant('due_at').generatedAlwaysAs(sql`CASE WHEN phase = 0 THEN starts_at END`),
  },
  table => [
    index('launch_listing_activity').on(table.network, table.flags, table.byActivity, table.genesisAddress),
    index('launch_listing_registration').on(
      table.network,
      table.flags,
      table.byRegistration,
      table.genesisAddress,
    ),
    index('launch_listing_end').on(table.network, table.flags, table.byEnd, table.genesisAddress),
    index('launch_listing_raised').on(table.network, table.flags, table.byRaised, table.genesisAddress),
    index('launch_listing_progress').on(table.network, table.flags, table.byProgress, table.genesisAddress),
    index('launch_listing_due').on(table.network, table.dueAt).where(sql`due_at IS NOT NULL`),
  ],
)

/**
 * The columns that launches are searched by. They are not in `launch_listing`, whose rows change with every trade:
 * each change would update the trigram index too.
 */
export const launchNames = pgTable(
  'launch_names',
  {
    launchId: uuid('launch_id').primaryKey(),
    network: text('network').$type<Network>().notNull(),
    genesisAddress: plainText('genesis_address').$type<Address>().notNull(),
    mint: plainText('mint').$type<Address>().notNull(),
    /** As in `launch_listing`. */
    flags: smallint('flags').notNull(),
    /** Words as `toSearchWords` writes them. */
    searchName: plainText('search_name').notNull(),
    searchSymbol: plainText('search_symbol').notNull(),
    /** The words of name and symbol, with a space before each. */
    searchText: plainText('search_text').notNull(),
    /** Triggers write the words of ASCII text. Until `fillWords` has run, other letters are missing. */
    wordsDue: boolean('words_due').notNull(),
  },
  table => [
    index('launch_names_address').on(table.network, table.genesisAddress),
    index('launch_names_mint').on(table.network, table.mint),
    index('launch_names_name').on(table.network, table.searchName, table.genesisAddress),
    index('launch_names_symbol').on(table.network, table.searchSymbol, table.genesisAddress),
    index('launch_names_due').on(table.launchId).where(sql`words_due`),
  ],
)

/** Every word that names and symbols have had, like `agent_words`. */
export const launchWords = pgTable('launch_words', { word: text('word').primaryKey() })

/**
 * How many listed launches have each value of `flags`: the sum of its rows. Triggers add rows instead of updating
 * one, because otherwise every transaction that lists a launch would wait for that row.
 */
export const launchCounts = pgTable('launch_counts', {
  network: text('network').$type<Network>().notNull(),
  flags: smallint('flags').notNull(),
  launches: integer('launches').notNull(),
})
