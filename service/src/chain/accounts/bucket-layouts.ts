import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import { addressAt, writeAddress } from '../addresses/base58.ts'

/** In the order of their numbers on the chain. */
export const BUCKET_TIMES = [
  'DepositStart',
  'DepositEnd',
  'ClaimStart',
  'ClaimEnd',
  'SwapStart',
  'SwapEnd',
  'LockStart',
  'LockEnd',
  'GraduateStart',
  'Graduate',
] as const

/** The instants of a bucket that another bucket's condition can refer to. */
export type BucketTime = (typeof BUCKET_TIMES)[number]

/** The offsets of a bucket's fields. The official serializers take 1–2 ms for a bucket, and a wallet can have a thousand. */
export interface BucketLayout {
  kind: BucketKind
  firstByte: number
  /** The address of the launch. */
  genesis: number
  bucketIndex: number
  baseTokenAllocation: number
  baseTokenBalance: number
  baseMint: number
  quoteMint: number
  conditions: Partial<Record<BucketTime, number>>
  /** What a sale counts. AMM buckets have none of it. */
  sale?: {
    quoteTokenDepositTotal: number
    /** Curves don't count deposits. */
    depositCount?: number
    /** Presales only. */
    allocationQuoteTokenCap?: number
    /** Launch pools only. */
    minimumQuoteTokenThreshold?: number
    /** Curves only; the parameters follow the behaviours. */
    bondingCurveType?: number
  }
  /** AMM buckets only. */
  graduatedBaseTokenAmount?: number
  /** Kinds that can pay a creator. */
  creatorFee?: { accrued: number; claimed: number; wallet: number }
  /** A list of behaviours, with its length in front. */
  endBehaviours: number
  /** How many bytes follow that list. */
  trailingBytes: number
  /** How many of the first bytes `decodeBucketHead` needs. */
  headBytes: number
}

export const BUCKET_LAYOUTS: readonly BucketLayout[] = [
  {
    kind: 'launchpoolV2',
    firstByte: 26,
    ...baseAt(80),
    conditions: { DepositStart: 280, DepositEnd: 344, ClaimStart: 408, ClaimEnd: 472 },
    sale: { depositCount: 24, quoteTokenDepositTotal: 32, minimumQuoteTokenThreshold: 1536 },
    endBehaviours: 1708,
    trailingBytes: 0,
    headBytes: 120,
  },
  {
    kind: 'presaleV2',
    firstByte: 19,
    ...baseAt(48),
    conditions: { DepositStart: 256, DepositEnd: 320, ClaimStart: 384, ClaimEnd: 448 },
    sale: { depositCount: 16, quoteTokenDepositTotal: 24, allocationQuoteTokenCap: 248 },
    endBehaviours: 1260,
    trailingBytes: 0,
    headBytes: 88,
  },
  {
    kind: 'bondingCurveV2',
    firstByte: 25,
    ...baseAt(32),
    conditions: { SwapStart: 232, SwapEnd: 296 },
    sale: { bondingCurveType: 3, quoteTokenDepositTotal: 24 },
    creatorFee: { accrued: 360, claimed: 368, wallet: 576 },
    endBehaviours: 700,
    trailingBytes: 16,
    headBytes: 624,
  },
  {
    kind: 'raydiumCpmmV2',
    firstByte: 22,
    ...baseAt(8),
    conditions: { GraduateStart: 320, Graduate: 384 },
    graduatedBaseTokenAmount: 264,
    creatorFee: { accrued: 480, claimed: 488, wallet: 888 },
    endBehaviours: 1020,
    trailingBytes: 0,
    headBytes: 936,
  },
]

/** The creator-fee extension begins with the wallet. All of its bytes are zero in a bucket without it. */
export const CREATOR_FEE_BYTES = 48

/** The fields that all kinds share, in the same order. */
function baseAt(offset: number) {
  return {
    bucketIndex: offset + 1,
    genesis: offset + 8,
    baseTokenAllocation: offset + 40,
    baseTokenBalance: offset + 48,
    baseMint: offset + 72,
    quoteMint: offset + 104,
  }
}

/** When something may happen in a launch. Times are Unix seconds, clamped to the years 1970 to 9999. */
export type Condition = { triggeredTimestamp?: number } & (
  | { kind: 'TimeAbsolute'; time: number }
  | { kind: 'TimeRelative'; bucket: Address; bucketTime: BucketTime; timeOffset: number }
  | { kind: 'Uninitialized' | 'Triggered' | 'Never' | 'Always' }
)

/** In the order of their numbers on the chain. */
const CONDITION_KINDS = [
  'Uninitialized',
  'TimeAbsolute',
  'TimeRelative',
  'Triggered',
  'Never',
  'Always',
] as const

/** Counted from the beginning of the condition, whose first byte is its kind. */
const CONDITION_OFFSETS = { bucketTime: 1, timeOffset: 16, bucket: 24, time: 48, triggeredTimestamp: 56 }
export const CONDITION_BYTES = 64
/** The timestamp of a condition that has not been met. */
const NOT_TRIGGERED = 2n ** 63n - 1n

/** The last second of the year 9999. */
export const TIME_MAX = 253_402_300_799

export const clampTime = (seconds: number): number => Math.min(Math.max(seconds, 0), TIME_MAX)

/** Decodes the condition at `offset`. Throws if the bytes are not a condition. */
export function decodeCondition(data: DataView, offset: number): Condition {
  const kind = CONDITION_KINDS[data.getUint8(offset)]
  if (!kind) throw new RangeError('unknown kind of condition')
  const triggeredAt = data.getBigInt64(offset + CONDITION_OFFSETS.triggeredTimestamp, true)
  // A condition that was never written is all zeros, which is not a time in 1970.
  const triggered = triggeredAt !== NOT_TRIGGERED &&
    triggeredAt > 0n && { triggeredTimestamp: clampTime(Number(triggeredAt)) }
  if (kind === 'TimeAbsolute') {
    const time = clampTime(Number(data.getBigInt64(offset + CONDITION_OFFSETS.time, true)))
    return { kind, time, ...triggered }
  }
  if (kind !== 'TimeRelative') return { kind, ...triggered }
  const bucketTime = BUCKET_TIMES[data.getUint8(offset + CONDITION_OFFSETS.bucketTime)]
  if (!bucketTime) throw new RangeError('unknown bucket time')
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const seconds = Number(data.getBigInt64(offset + CONDITION_OFFSETS.timeOffset, true))
  return {
    kind,
    bucket: addressAt(bytes, offset + CONDITION_OFFSETS.bucket),
    bucketTime,
    timeOffset: Math.min(Math.max(seconds, -TIME_MAX), TIME_MAX),
    ...triggered,
  }
}

/** The bytes of a condition that has not been met yet. */
export function encodeCondition(condition: Condition): Uint8Array {
  const bytes = new Uint8Array(CONDITION_BYTES)
  const view = new DataView(bytes.buffer)
  bytes[0] = CONDITION_KINDS.indexOf(condition.kind)
  if (condition.kind === 'TimeAbsolute')
    view.setBigInt64(CONDITION_OFFSETS.time, BigInt(condition.time), true)
  if (condition.kind === 'TimeRelative') {
    bytes[CONDITION_OFFSETS.bucketTime] = BUCKET_TIMES.indexOf(condition.bucketTime)
    view.setBigInt64(CONDITION_OFFSETS.timeOffset, BigInt(condition.timeOffset), true)
    writeAddress(condition.bucket, bytes, CONDITION_OFFSETS.bucket)
  }
  view.setBigInt64(CONDITION_OFFSETS.triggeredTimestamp, NOT_TRIGGERED, true)
  return bytes
}
