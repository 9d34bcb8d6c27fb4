import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Who may act for an agent's wallet besides its owner, and when this service first saw it. */
export const agentDelegations = pgTable(
  'agent_delegations',
  {
    network: text('network').$type<Network>().notNull(),
    record: text('record').$type<Address>().notNull(),
    agent: text('agent').$type<Address>().notNull(),
    executive: text('executive').$type<Address>().notNull(),
    wallet: text('wallet').$type<Address>().notNull(),
    since: instant('since').notNull().default(sql`now()`),
    /** The agent's owner when the record was first seen; null until the agent is known. */
    firstOwner: text('first_owner').$type<Address>(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  table => [
    primaryKey({ columns: [table.network, table.record] }),
    index('agent_delegations_agent').on(table.network, table.agent),
  ],
)
