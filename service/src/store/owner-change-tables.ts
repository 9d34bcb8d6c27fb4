import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { OwnerChangePurpose } from '@slipway/schema/owner-change'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** The last change that an owner has signed for each agent or launch. An older one is refused. */
export const ownerChanges = pgTable(
  'owner_changes',
  {
    network: text('network').$type<Network>().notNull(),
    /** Of the agent or the launch. */
    address: text('address').$type<Address>().notNull(),
    purpose: text('purpose').$type<OwnerChangePurpose>().notNull(),
    owner: text('owner').$type<Address>().notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.address] })],
)

/** The nonces that were used, until the changes that they belong to are too old to be repeated. */
export const ownerNonces = pgTable(
  'owner_nonces',
  {
    owner: text('owner').$type<Address>().notNull(),
    nonce: text('nonce').notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.nonce] }),
    index('owner_nonces_issued').on(table.issuedAt),
  ],
)
