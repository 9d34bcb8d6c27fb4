import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { bigserial, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** Every change that was made on the command line. Rows are only added. */
export const auditLog = pgTable('audit_log', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  at: instant('at').notNull().default(sql`now()`),
  /** The user of the operating system who ran the command. */
  operator: text('operator').notNull(),
  command: text('command').notNull(),
  network: text('network').$type<Network>().notNull(),
  /** What was changed: usually an address. */
  subject: text('subject').notNull(),
})
