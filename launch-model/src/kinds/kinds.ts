import { type BondingCurveAccount, bondingCurve } from './bonding-curve.ts'
import type { BucketKind } from './bucket-kind.ts'
import { type LaunchPoolAccount, launchPool } from './launch-pool.ts'
import { type PresaleAccount, presale } from './presale.ts'
import { type RaydiumCpmmAccount, raydiumCpmm } from './raydium-cpmm.ts'
import { unlocked } from './unlocked.ts'

/**
 * The kinds that a listing shows: sales, in the order that decides a tie, and the kind that a launch graduates into.
 */
export const LISTED_KINDS = [launchPool, presale, bondingCurve, raydiumCpmm] as const
export const BUCKET_KINDS = [...LISTED_KINDS, unlocked] as const
/** The kinds that take deposits. */
export const DEPOSIT_KINDS = [launchPool, presale] as const
export type BucketKindName = (typeof BUCKET_KINDS)[number]['name']

/** The account of a listed bucket. */
export type AnyBucketAccount =
  | ({ kind: 'launchpoolV2' } & LaunchPoolAccount)
  | ({ kind: 'presaleV2' } & PresaleAccount)
  | ({ kind: 'bondingCurveV2' } & BondingCurveAccount)
  | ({ kind: 'raydiumCpmmV2' } & RaydiumCpmmAccount)

const byName = new Map<string, BucketKind<BucketKindName>>(
  BUCKET_KINDS.map(kind => [kind.name, kind as unknown as BucketKind<BucketKindName>]),
)

/** Whether such a bucket turns into a liquidity pool, which is an account of its own. */
export const becomesPool = (name: BucketKindName): boolean => kindOf(name).hasPool !== undefined

export function kindOf(name: BucketKindName): BucketKind<BucketKindName> {
  const kind = byName.get(name)
  if (!kind) throw new RangeError(`there is no kind of bucket ${name}`)
  return kind
}
