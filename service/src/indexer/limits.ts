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
  tickMs: number
  /** What was told is looked at again after so many slots: by then it is final, or was taken back. */
  slotsToFinality: number
  follow: Partial<FollowLimits>
}

export const INDEXER_LIMITS: IndexerLimits = {
  pollMs: 1_000,
  graceMs: 2_000,
  sweepMs: 1_000,
  auditMs: 3_600_000,
  tickMs: 1_000,
  slotsToFinality: 32,
  follow: {},
}
