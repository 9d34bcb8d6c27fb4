import type { Address } from '@slipway/schema/address'
import { addressAt } from './bytes/base58.ts'
import { Reader } from './bytes/codec.ts'
import type { RewardAccount } from './kinds/bucket-kind.ts'
import { type AnyBucketAccount, type BucketKindName, LISTED_KINDS } from './kinds/kinds.ts'

/** A part of a launch, such as the pool of deposits, the curve or the tokens for the AMM. */
export type Bucket = AnyBucketAccount & {
  /** Only for buckets that pay a creator. */
  creatorFee?: CreatorFee
}

export interface CreatorFee {
  wallet: Address
  accrued: bigint
  claimed: bigint
}

/** The first byte is that of another kind, or the rest is wrong. */
type NoBucket = 'other-kind' | 'malformed'

/** Decodes a bucket of a listed kind. Accounts can hold anything, so bad bytes never throw. */
export function decodeBucketData(data: Uint8Array): Bucket | NoBucket {
  const kind = findKind(data)
  if (!kind) return data.length === 0 ? 'malformed' : 'other-kind'
  const account = decodeAs(kind, data)
  if (!account) return 'malformed'
  const creatorFee = creatorFeeOf(account)
  // Copies of so many fields took half of the time.
  if (creatorFee) account.creatorFee = creatorFee
  return account
}

function decodeAs({ name, layout }: (typeof LISTED_KINDS)[number], data: Uint8Array): Bucket | undefined {
  try {
    return Object.assign(layout.read(new Reader(data)), { kind: name }) as Bucket
  } catch {
    return undefined
  }
}

function creatorFeeOf(account: AnyBucketAccount | RewardAccount): CreatorFee | undefined {
  if (!('creatorFeeAccrued' in account)) return undefined
  const { creatorFeeAccrued: accrued, creatorFeeClaimed: claimed, extensions } = account
  return extensions.creatorFee && { wallet: extensions.creatorFee.wallet, accrued, claimed }
}

/** What a claim depends on. Decoding the whole account would take most of the time of a claim. */
export interface RewardBucket extends Pick<RewardAccount, 'genesis' | 'baseMint' | 'quoteMint'> {
  kind: BucketKindName
  creatorFee?: CreatorFee | undefined
  /** Whether the launch has graduated into a pool, which also holds fees. */
  hasPool: boolean
}

/** Decodes a bucket of a kind that pays a creator. Throws a RangeError if it ends too early. */
export function decodeRewardData(data: Uint8Array): RewardBucket | NoBucket {
  const kind = findKind(data)
  if (!kind || !('reward' in kind)) return data.length === 0 ? 'malformed' : 'other-kind'
  const account: RewardAccount = kind.reward.read(new Reader(data))
  const { genesis, baseMint, quoteMint } = account
  return {
    kind: kind.name,
    genesis,
    baseMint,
    quoteMint,
    creatorFee: creatorFeeOf(account),
    hasPool: 'hasPool' in kind && kind.hasPool(account as never),
  }
}

/** The launch that a bucket belongs to and the wallet that it pays, which do not change once the launch is live. */
export interface BucketHead {
  kind: Exclude<BucketKindName, 'unlockedV2'>
  genesis: Address
  creatorFeeWallet?: Address
}

/** The creator-fee extension begins with the wallet. All of its bytes are zero in a bucket without it. */
const CREATOR_FEE_BYTES = 48
const ADDRESS_BYTES = 32

/** How many of the first bytes of a bucket its head needs. */
export const headBytesOf = (kind: (typeof LISTED_KINDS)[number]): number =>
  'creatorFeeAt' in kind
    ? kind.creatorFeeAt + CREATOR_FEE_BYTES
    : kind.layout.offsetOf('genesis') + ADDRESS_BYTES

/** Decodes a whole account, or its first bytes. */
export function decodeBucketHead(data: Uint8Array): BucketHead | NoBucket {
  const kind = findKind(data)
  if (!kind) return data.length === 0 ? 'malformed' : 'other-kind'
  if (data.length < headBytesOf(kind)) return 'malformed'
  const genesis = addressAt(data, kind.layout.offsetOf('genesis'))
  if (!('creatorFeeAt' in kind)) return { kind: kind.name, genesis }
  const fee = data.subarray(kind.creatorFeeAt, kind.creatorFeeAt + CREATOR_FEE_BYTES)
  return fee.every(byte => byte === 0)
    ? { kind: kind.name, genesis }
    : { kind: kind.name, genesis, creatorFeeWallet: addressAt(fee) }
}

const findKind = ([firstByte]: Uint8Array) => LISTED_KINDS.find(({ key }) => key === firstByte)
