import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** The signatures of synthesised cards. A card is signed once per key, so that all nodes serve the same bytes. */
export const cardSignatures = pgTable(
  'card_signatures',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    /** SHA-256 of what is signed, protected header included. The header names the key. */
    digest: text('digest').notNull(),
    signature: text('signature').notNull(),
    signedAt: instant('signed_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.network, table.address, table.digest] })],
)
