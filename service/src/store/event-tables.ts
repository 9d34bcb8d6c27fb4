import type { Address } from '@slipway/schema/address'
import type { EventType } from '@slipway/schema/event'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/**
 * What happened in the last hours, in the order in which it was committed. Triggers write it: see the migration. The
 * order of ids is the order of commits, so a reader that has seen an id has seen every smaller one.
 */
export const events = pgTable('events', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  network: text('network').$type<Network>().notNull(),
  type: text('type').$type<EventType>().notNull(),
  /** The launch's or the agent's address. */
  address: text('address').$type<Address>().notNull(),
  /** When it happened, which can be long before it was written. */
  at: instant('at').notNull(),
  /** The trade as it was stored; null for other events. */
  data: jsonb('data'),
  writtenAt: instant('written_at').notNull().default(sql`clock_timestamp()`),
})

/** Milestones that each launch has yet to reach. Writing the event deletes the row, so each event is written once. */
export const pendingMilestones = pgTable(
  'pending_milestones',
  {
    network: text('network').$type<Network>().notNull(),
    /** The launch's address. */
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
