import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { IndexedKind } from '../store/tables.ts'
import type { HeldRemoval } from './reading/remove-missing.ts'

/** Plain callbacks that the app turns into metrics and log lines. */
export interface IndexerObserver {
  /** Whether this node is the one that indexes the network. */
  onLeading(network: Network, isLeading: boolean): void
  /** How changes are noticed from now on. */
  onMode(network: Network, mode: IndexMode, reason: string): void
  /** A node refuses to report some accounts; they are swept instead. */
  onTopicRefused(network: Network, topic: string, reason: string): void
  /** This many rows of the store were updated from the chain. */
  onChanges(network: Network, kind: 'launches' | 'agents', count: number): void
  onProgress(network: Network, progress: IndexProgress): void
  /** Changes may have been missed; the chain is about to be read again. */
  onGap(network: Network, reason: string): void
  onRepaired(network: Network, repair: Repair): void
  /** Progress of the first full read, from 0 to 1. */
  onScan(network: Network, share: number): void
  /** Accounts were dropped from the store because the chain no longer has them. */
  onRemoved(network: Network, kind: IndexedKind, addresses: readonly Address[]): void
  /** Removals are held back because too many accounts are missing; undefined once that is over. */
  onHeld(network: Network, held: HeldRemoval | undefined): void
  /** A request for the history of a launch is sent to an RPC endpoint. */
  onTradesRequest(network: Network): void
  /** This many trades were added to the store. */
  onTrades(network: Network, count: number): void
  onFault(network: Network, what: string, error: unknown): void
}

/** A full read of the chain, and why it was made. */
export interface Repair {
  reason: string
  /** Changes may have been missed before it. */
  isGap: boolean
  seconds: number
  accounts: number
}

export type IndexMode = 'live' | 'polling'

export interface IndexProgress {
  slot: number
  lagSlots: number
  lagSeconds: number
  /** Reported changes that are not in the store yet. */
  backlog: number
}
