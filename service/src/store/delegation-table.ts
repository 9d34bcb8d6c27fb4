import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Who may act for the wallet of an agent besides its owner, and since when this service knows. */
export const agentDelegations = pgTable(
  'agent_delegations',
  {
    network: text('network').$type<Network>().notNull(),
    record: text('record').$type<Address>().notNull(),
    agent: text('agent').$type<Address>().notNull(),
    executive: text('executive').$type<Address>().notNull(),
    wallet: text('wallet').$type<Address>().notNull(),
    since: instant('since').notNull().default(sql`now()`),
    /** Who owned the agent when the record was first seen; null until the agent is known. */
    firstOwner: text('first_owner').$type<Address>(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  table => [
    primaryKey({ columns: [table.network, table.record] }),
    index('agent_delegations_agent').on(table.network, table.agent),
  ],
)
