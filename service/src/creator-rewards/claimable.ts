import type { CreatorFee } from '../chain/accounts/bucket.ts'
import type { PoolState } from '../chain/accounts/pool-state.ts'

export interface Claimable {
  /** What a claim would bring now, with what it collects. */
  claimable: bigint
  /** What the pool still holds for the creator. */
  uncollected: bigint
}

/**
 * What a creator can have of a bucket. It is said in two ways what the fields mean: that `accrued` counts on for ever, and
 * that a claim sets it back. This is right under both: nothing can be claimed when nothing is accrued or all of it was
 * claimed; otherwise it is the difference, or `accrued` where that has been set back below what was ever claimed.
 *
 * A pool's fees count on the quote side only. The base side is collected into an account of the program, and no
 * instruction pays it to the creator: collecting for its sake would cost a fee and bring nothing.
 */
export function claimableOf({ accrued, claimed }: CreatorFee, pool?: PoolState): Claimable {
  const uncollected = pool?.creatorFees.quote ?? 0n
  return { claimable: inBucket(accrued, claimed) + uncollected, uncollected }
}

function inBucket(accrued: bigint, claimed: bigint): bigint {
  if (accrued === claimed) return 0n
  return accrued > claimed ? accrued - claimed : accrued
}
