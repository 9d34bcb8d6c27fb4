import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { IndexedKind } from '../store/tables.ts'
import type { HeldRemoval } from './remove-missing.ts'

/** Plain callbacks: whoever wants metrics or a log makes them of these. */
export interface IndexerObserver {
  /** Whether this node is the one that indexes the network. */
  onLeading(network: Network, isLeading: boolean): void
  /** How changes are heard of from now on. */
  onMode(network: Network, mode: IndexMode, reason: string): void
  /** A node refuses to tell of some accounts; they are looked at in turn instead. */
  onTopicRefused(network: Network, topic: string, reason: string): void
  /** So many rows of the store were brought to what the chain says. */
  onChanges(network: Network, kind: 'launches' | 'agents', count: number): void
  onProgress(network: Network, progress: IndexProgress): void
  /** Something may have been missed, and is about to be read again. */
  onGap(network: Network, reason: string): void
  onRepaired(network: Network, repair: Repair): void
  /** Everything is being read for the first time; from 0 to 1. */
  onScan(network: Network, share: number): void
  /** Accounts were dropped from the store because the chain no longer has them. */
  onRemoved(network: Network, kind: IndexedKind, addresses: readonly Address[]): void
  /** So many accounts are missing that none are dropped; undefined when that is over. */
  onHeld(network: Network, held: HeldRemoval | undefined): void
  onFault(network: Network, what: string, error: unknown): void
}

/** The chain was read again, and why. */
export interface Repair {
  reason: string
  /** Something may have been missed. */
  isGap: boolean
  seconds: number
  accounts: number
}

export type IndexMode = 'live' | 'polling'

export interface IndexProgress {
  slot: number
  lagSlots: number
  lagSeconds: number
  /** Changes that were told and are not yet in the store. */
  backlog: number
}
