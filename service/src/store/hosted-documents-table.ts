import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from './tables.ts'

/** Documents that are hosted under their own hash. One is pending until the chain names it. */
export const documents = pgTable(
  'documents',
  {
    /** The body's hash, in lower-case hexadecimal. */
    sha256: text('sha256').notNull(),
    network: text('network').$type<Network>().notNull(),
    /** The account that it was prepared for: an agent's asset or a launch. No other account can name it. */
    asset: text('asset').$type<Address>().notNull(),
    /** Empty once an operator has removed the document. */
    body: bytes('body').notNull(),
    /** The authored card whose hash the document records. */
    card: bytes('card'),
    /** The bytes that count toward the limits. */
    size: integer('size').notNull(),
    /** The client that prepared it, for the limits. Forgotten once the chain names it, or a day later on devnet. */
    client: text('client'),
    /** The wallet whose limit it counts toward: the agent's owner when it was first named, or the launch's creator. */
    owner: text('owner').$type<Address>(),
    preparedAt: instant('prepared_at').notNull().default(sql`now()`),
    namedAt: instant('named_at'),
    /** When the chain stopped naming it, because the agent was burnt or got another URI. Set by a trigger. */
    unnamedAt: instant('unnamed_at'),
    removedAt: instant('removed_at'),
  },
  table => [
    primaryKey({ columns: [table.sha256, table.network, table.asset] }),
    index('documents_pending')
      // The oldest first, with everything that the limits depend on.
      .on(table.preparedAt, table.client, table.size)
      .where(sql`named_at IS NULL AND removed_at IS NULL`),
    index('documents_account').on(table.network, table.asset),
    // Has every column that the budgets depend on.
    index('documents_owner').on(table.network, table.owner, table.size).where(sql`named_at IS NOT NULL`),
    index('documents_named_client')
      .on(table.client.op('text_pattern_ops'), table.namedAt, table.size)
      .where(sql`named_at IS NOT NULL AND client IS NOT NULL`),
    index('documents_unnamed').on(table.unnamedAt).where(sql`unnamed_at IS NOT NULL`),
  ],
)
