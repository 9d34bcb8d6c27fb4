import type { FollowLimits } from '../chain/subscriptions/following.ts'

export interface IndexerLimits {
  /** How often everything is read while nothing is told. */
  pollMs: number
  /** How long a lost subscription may take to come back before reading takes its place. */
  graceMs: number
  /** Some known accounts are looked at so often, whether or not anything was told of them. */
  sweepMs: number
  /** So often everything is read although nothing seems to be missing: a new account of which nobody told. */
  auditMs: number
  /** How long missing accounts rest before everything is read again because of them. */
  doubtMs: number
  tickMs: number
  /** After so long without an endpoint that can be read, another node may index. */
  unreadableMs: number
  /** How often accounts that were removed are looked for again. */
  removedMs: number
  /** What was told is looked at again after so many slots: by then it is final, or was taken back. */
  slotsToFinality: number
  follow: Partial<FollowLimits>
}

export const INDEXER_LIMITS: IndexerLimits = {
  pollMs: 1_000,
  graceMs: 2_000,
  sweepMs: 1_000,
  auditMs: 3_600_000,
  doubtMs: 20_000,
  tickMs: 1_000,
  unreadableMs: 10_000,
  removedMs: 20_000,
  slotsToFinality: 32,
  follow: {},
}
