import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './tables.ts'

/** A transaction in the history of an address. */
export interface HistoryMark {
  slot: number
  signature: string
}

/** A place in the history. The signature is null if only the slot is certain. */
export interface HistoryFloor {
  slot: number
  signature: string | null
}

/** Everything up to this place has been read, except for the gaps. */
export interface SettledMark extends HistoryFloor {
  /** A transaction of an older slot. What is listed since then includes all of this slot. */
  older?: string
}

/** A transaction that could not be decoded. */
export interface UnreadableMark extends HistoryFloor {
  /** Its place in its slot, if that is known. */
  orderInSlot?: number
  /** Whether no endpoint returns its version. */
  isTooNew?: boolean
  /** Of a mark without a signature whose version is too new: the slot of the oldest one that it stands for. */
  since?: number
}

/** A part of the history that has not been read: older than one transaction, and not older than another. */
export interface HistoryGap {
  /** Null: the newest one, if the endpoints did not know the one that was read last. */
  before: string | null
  /** What is newer than this slot has been read. */
  slot: number
  /** Null: back to the creation of the address. */
  until: HistoryFloor | null
}

/** How far the history of an address has been read for the trades of a launch. */
export const tradeProgress = pgTable(
  'trade_progress',
  {
    network: text('network').$type<Network>().notNull(),
    genesisAddress: text('genesis_address').$type<Address>().notNull(),
    /** The launch itself, or a pool that it has graduated into. */
    address: text('address').$type<Address>().notNull(),
    /** The newest transaction that is final. What is older has been read, except for the gaps. */
    settled: jsonb('settled').$type<SettledMark>(),
    /** Transactions that have been read and were not final then. */
    recent: jsonb('recent').$type<HistoryMark[]>().notNull(),
    /** Newest first. */
    gaps: jsonb('gaps').$type<HistoryGap[]>().notNull(),
    /** Whether the transaction that created the address has been read. */
    hasOrigin: boolean('has_origin').notNull(),
    /** Whether the endpoints did not return the next transaction to read. */
    lacksHistory: boolean('lacks_history').notNull(),
    /**
     * Transactions that the service can't decode; each may be a trade. A mark without a signature stands for others
     * up to its slot.
     */
    unreadable: jsonb('unreadable').$type<UnreadableMark[]>().notNull().default([]),
  },
  table => [primaryKey({ columns: [table.network, table.genesisAddress, table.address] })],
)

/** When a node last said that it reads the trades of a network. */
export const tradeReading = pgTable('trade_reading', {
  network: text('network').$type<Network>().primaryKey(),
  at: instant('at').notNull(),
})
