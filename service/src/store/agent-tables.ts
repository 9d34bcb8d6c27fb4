import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Bits of `flags`. */
export const AGENT_FLAGS = {
  active: 1,
  token: 2,
  services: 4,
  spotlight: 8,
  verified: 16,
  hidden: 32,
} as const

/**
 * What the list of agents is filtered, sorted and searched by. It is apart from `agents` because it must stay small:
 * a deep page reads hundreds of thousands of these rows. Triggers fill in what operators set, delete a row with its
 * agent, and count the rows.
 */
export const agentListing = pgTable(
  'agent_listing',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    /** When the agent was registered on the chain; until that is known, when it was first stored. */
    registeredAt: instant('registered_at').notNull().default(sql`now()`),
    /** The transaction that registered it; null if no node has kept that part of the history. */
    registrationSignature: text('registration_signature'),
    indexedAt: instant('indexed_at').notNull().default(sql`now()`),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
    /** Words as `toSearchWords` writes them, in ASCII: the locale of the database does not matter. */
    searchName: text('search_name').notNull(),
    /** The words of name, description, skills and services, with a space before each. */
    searchText: text('search_text').notNull(),
    isActive: boolean('is_active').notNull(),
    hasToken: boolean('has_token').notNull(),
    hasServices: boolean('has_services').notNull(),
    spotlightedAt: instant('spotlighted_at'),
    verifiedAt: instant('verified_at'),
    hiddenAt: instant('hidden_at'),
    /** Each combination of filters is a set of these values, and each value is one range of the index. */
    flags: smallint('flags')
      .notNull()
      .generatedAlwaysAs(
        sql`(is_active::int + has_token::int * 2 + has_services::int * 4 + (spotlighted_at IS NOT NULL)::int * 8
          + (verified_at IS NOT NULL)::int * 16 + (hidden_at IS NOT NULL)::int * 32)::smallint`,
      ),
  },
  table => [
    primaryKey({ columns: [table.network, table.address] }),
    index('agent_listing_order').on(table.network, table.flags, table.registeredAt, table.address),
    index('agent_listing_name').on(table.network, table.searchName.op('text_pattern_ops')),
  ],
)

/**
 * How many listed agents have each value of `flags`. Triggers keep it exact, because counting a million rows is slow.
 */
export const agentCounts = pgTable(
  'agent_counts',
  {
    network: text('network').$type<Network>().notNull(),
    flags: smallint('flags').notNull(),
    agents: integer('agents').notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.flags] })],
)

/**
 * Every word that names and descriptions have had. A misspelt word is looked up among these, because comparing it
 * with a million texts takes seconds. A trigger adds new words, and nothing deletes them. So a word may come from a
 * hidden agent, another network or an earlier description, and a search must not rely on a visible agent having it.
 */
export const agentWords = pgTable('agent_words', { word: text('word').primaryKey() })

/** Set only from the command line, and kept whether or not the chain has the agent. */
export const curatedAgents = pgTable(
  'curated_agents',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    spotlightedAt: instant('spotlighted_at'),
    /** Left out of every response while it is set. */
    hiddenAt: instant('hidden_at'),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/**
 * When the documents of each agent are fetched next, whether or not a caller asks for the agent. A trigger deletes a
 * row with its agent.
 */
export const agentRefreshes = pgTable(
  'agent_refreshes',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    /** Null after too many failures, until the agent changes on the chain. */
    dueAt: instant('due_at').default(sql`now()`),
    /** Failures in a row. */
    failures: smallint('failures').notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.network, table.address] }),
    index('agent_refreshes_due').on(table.network, table.dueAt),
  ],
)
