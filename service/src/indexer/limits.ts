import type { FollowLimits } from '../chain/subscriptions/following.ts'
import type { TradesLimits } from './trades/follow-trades.ts'

export interface IndexerLimits extends TradesLimits {
  /** Pause between full reads while there is no subscription. */
  pollMs: number
  /** How long a lost subscription may take to come back before full reads replace it. */
  graceMs: number
  /** How often a few known accounts are read, whether or not anything was reported about them. */
  sweepMs: number
  /** How often some known delegations and deposits are read: subscriptions don't report one that was closed. */
  recordsMs: number
  /** How often everything is read even if nothing seems to be missing: a new account may have gone unreported. */
  auditMs: number
  /** Pause before everything is read again because accounts are missing. */
  recheckMs: number
  tickMs: number
  /** After this long without a usable endpoint, the node lets another node index the network. */
  unreadableMs: number
  /** How often removed accounts are looked for again. */
  removedMs: number
  /** Pause after the first of consecutive failures to read the chain or to write to the store. */
  retryMs: number
  /** Pause before a subscription that is far from the slots of the endpoints is replaced for the second time. */
  reconnectMs: number
  /** How long a node that can't read the chain leaves the lease to others. */
  handOverMs: number
  /** How often old figures of launches are compacted. */
  compactMs: number
  /** A reported account is read again after this many slots: by then the change is final or was rolled back. */
  slotsToFinality: number
  follow: Partial<FollowLimits>
}

export const INDEXER_LIMITS: IndexerLimits = {
  pollMs: 1_000,
  graceMs: 2_000,
  sweepMs: 1_000,
  recordsMs: 10_000,
  auditMs: 3_600_000,
  recheckMs: 20_000,
  tickMs: 1_000,
  unreadableMs: 10_000,
  removedMs: 20_000,
  retryMs: 250,
  reconnectMs: 2_000,
  // Other nodes try to take the lease once a second.
  handOverMs: 2_500,
  compactMs: 60_000,
  slotsToFinality: 32,
  follow: {},
  tradesPerSecond: 10,
  tradesMs: 10_000,
  tradesAliveMs: 10_000,
}
