import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * Which wallet has a deposit in which bucket, for all launches, registered or not. The amounts are read from the chain.
 */
export const deposits = pgTable(
  'deposits',
  {
    network: text('network').$type<Network>().notNull(),
    address: text('address').$type<Address>().notNull(),
    owner: text('owner').$type<Address>().notNull(),
    bucket: text('bucket').$type<Address>().notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
  },
  table => [
    primaryKey({ columns: [table.network, table.address] }),
    index('deposits_owner').on(table.network, table.owner),
  ],
)
