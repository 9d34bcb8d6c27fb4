import type { TradeKind } from '@slipway/launch-model/history/trade'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { bigint, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

const amount = (name: string) => numeric(name, { precision: 20, scale: 0, mode: 'bigint' }).notNull()

export const trades = pgTable(
  'trades',
  {
    network: text('network').$type<Network>().notNull(),
    genesisAddress: text('genesis_address').$type<Address>().notNull(),
    signature: text('signature').notNull(),
    index: integer('index').notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
    time: bigint('time', { mode: 'number' }).notNull(),
    kind: text('kind').$type<TradeKind>().notNull(),
    wallet: text('wallet').$type<Address>().notNull(),
    agent: text('agent').$type<Address>(),
    baseAmount: amount('base_amount'),
    quoteAmount: amount('quote_amount'),
    protocolFee: amount('protocol_fee'),
    creatorFee: amount('creator_fee'),
    poolFee: amount('pool_fee'),
  },
  table => [primaryKey({ columns: [table.network, table.genesisAddress, table.signature, table.index] })],
)
