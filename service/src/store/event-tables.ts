import type { Address } from '@slipway/schema/address'
import type { EventType } from '@slipway/schema/event'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/**
 * What happened in the last hours, in the order in which it was committed. Triggers write it: see the migration. The order of
 * ids is the order of commits, so a reader that has seen an id has seen every smaller one.
 */
export const events = pgTable('events', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  network: text('network').$type<Network>().notNull(),
  type: text('type').$type<EventType>().notNull(),
  /** Of the launch or the agent. */
  address: text('address').$type<Address>().notNull(),
  /** When it happened, which can be long before it was written. */
  at: instant('at').notNull(),
  /** Of a trade: the trade as it was stored. Null for other events. */
  data: jsonb('data'),
  writtenAt: instant('written_at').notNull().default(sql`clock_timestamp()`),
})

/** What each launch has yet to reach. A row is deleted together with the event, so that each event is written once. */
export const pendingMilestones = pgTable(
  'pending_milestones',
  {
    network: text('network').$type<Network>().notNull(),
    /** Of the launch. */
    address: text('address').$type<Address>().notNull(),
    milestone: text('milestone').$type<'started' | 'graduated'>().notNull(),
    /** When the launch starts. */
    dueAt: instant('due_at'),
  },
  table => [
    primaryKey({ columns: [table.network, table.address, table.milestone] }),
    index('pending_milestones_start').on(table.dueAt).where(sql`milestone = 'started'`),
  ],
)
