import type { Address } from '@slipway/schema/address'
import type { Bucket } from './bucket.ts'
import type { Deposit } from './kinds/bucket-kind.ts'
import type { BucketKindName } from './kinds/kinds.ts'
import type { UnlockedAccount } from './kinds/unlocked.ts'
import { listReferences } from './triggers.ts'

export type PlacedBucket = Bucket & { address: Address }
export type UnlockedBucket = UnlockedAccount & { kind: 'unlockedV2'; address: Address }
export type AnyBucket = PlacedBucket | UnlockedBucket
export type NamedBucket = { kind: BucketKindName; address: Address }

/** A launch and what one wallet has in it, all as of one slot. */
export interface PositionAccounts {
  wallet: Address
  buckets: readonly PlacedBucket[]
  unlocked: readonly UnlockedBucket[]
  /** The wallet's deposits, by bucket. */
  deposits: ReadonlyMap<Address, Deposit>
  /** The chain's time, in Unix seconds. */
  nowSeconds: number
}

/** A trigger that anyone can send, and that a later instruction may need. */
export type Trigger =
  | { kind: 'conditions'; bucket: NamedBucket; references: Address[] }
  | { kind: 'behaviors'; bucket: NamedBucket; destinations: NamedBucket[] }

/**
 * Records which conditions have come true: first for the buckets that a bucket refers to, then for the bucket itself.
 */
export const conditionsOf = ({ buckets, unlocked }: PositionAccounts, bucket: AnyBucket): Trigger => ({
  kind: 'conditions',
  bucket: { kind: bucket.kind, address: bucket.address },
  references: listReferences([...buckets, ...unlocked], bucket),
})
