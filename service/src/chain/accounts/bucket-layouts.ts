import type { BucketKind } from '@slipway/schema/launch'

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
