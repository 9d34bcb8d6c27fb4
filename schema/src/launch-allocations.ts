import { z } from 'zod'
import { AddressString } from './address.ts'

export const BPS_MAX = 10_000
/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799

const Bps = z.int().min(0).max(BPS_MAX).meta({ description: 'In basis points: 10,000 is everything.' })
const Seconds = z.int().min(1).max(SECONDS_MAX)
const Tokens = z.number().nonnegative()
const kind = <Name extends string>(name: Name, description: string) => z.literal(name).meta({ description })

/**
 * The buckets that a condition can refer to. A launch has one primary bucket, and counts the others of each kind from
 * 0.
 */
const BUCKET_TYPES = ['launchpoolV2', 'bondingCurveV2', 'raydiumV2', 'unlockedV2'] as const
export type BucketType = (typeof BUCKET_TYPES)[number]

/** The times of each kind of bucket that a condition can be relative to. */
export const TIMES_OF_BUCKETS = {
  launchpoolV2: ['DepositStart', 'DepositEnd', 'ClaimStart', 'ClaimEnd'],
  bondingCurveV2: ['SwapStart', 'SwapEnd'],
  raydiumV2: ['GraduateStart', 'Graduate'],
  unlockedV2: ['ClaimStart', 'ClaimEnd'],
} as const satisfies Record<BucketType, readonly string[]>
type BucketTime = (typeof TIMES_OF_BUCKETS)[BucketType][number]

const BUCKET_TIMES = [...new Set(Object.values(TIMES_OF_BUCKETS).flat())] as [BucketTime, ...BucketTime[]]

const Timestamp = z.iso
  .datetime({ offset: true })
  .transform((text, context) => {
    const seconds = Math.floor(Date.parse(text) / 1_000)
    if (seconds >= 0 && seconds <= SECONDS_MAX) return seconds
    context.addIssue({ code: 'custom', message: 'must be from 1970 to 9999' })
    return z.NEVER
  })
  .meta({ description: 'ISO 8601. Fractions of a second are dropped.' })

/** When something happens in a launch. */
export const LaunchCondition = z
  .discriminatedUnion('type', [
    z.object({ type: kind('TimeAbsolute', 'At a fixed time.'), timestamp: Timestamp }),
    z.object({
      type: kind('TimeRelativeToUnknownAddress', 'Before or after a time of another bucket of this launch.'),
      bucketType: z.enum(BUCKET_TYPES).meta({ description: 'The kind of that bucket.' }),
      bucketIndex: z
        .int()
        .min(0)
        .max(255)
        .meta({ description: 'Which bucket of that kind, counted from 0.' }),
      bucketTime: z.enum(BUCKET_TIMES).meta({ description: 'Which of its times.' }),
      timeOffset: z
        .int()
        .min(-SECONDS_MAX)
        .max(SECONDS_MAX)
        .nullish()
        .transform(value => value ?? 0)
        .meta({ description: 'Seconds; 0 by default.' }),
    }),
    z.object({ type: kind('Always', 'At once.') }),
    z.object({ type: kind('Never', 'Not at all.') }),
    z.object({ type: kind('Triggered', 'When a transaction triggers it.') }),
  ])
  .meta({
    id: 'LaunchCondition',
    description:
      'When something happens. `TimeRelativeToUnknownAddress` is relative to a time of another bucket of the same launch.',
  })
export type LaunchCondition = z.output<typeof LaunchCondition>

/** An optional part of a launch, which can be omitted or switched off with `enabled: false`. */
const switchable = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .discriminatedUnion('enabled', [
      z.object({ enabled: z.literal(false).meta({ description: 'Switched off, as if it were left out.' }) }),
      z.object({ enabled: z.literal(true).meta({ description: 'Switched on.' }), ...shape }),
    ])
    .nullish()

const Line = switchable({
  point1TimeBps: Bps.meta({ description: 'When the first point is, as a part of the time of deposits.' }),
  point1Bps: Bps.meta({ description: 'The value at the first point.' }),
  point2TimeBps: Bps.meta({ description: 'When the second point is.' }),
  point2Bps: Bps.meta({ description: 'The value at the second point.' }),
  maxBps: Bps.meta({ description: 'The value is never more than this.' }),
})
const LINE = 'A straight line through two points, over the time of deposits, in basis points.'

const CreatorFee = switchable({
  wallet: AddressString.meta({ description: 'Who may claim it.' }),
}).meta({
  description: "The creator's part of every trade goes to this wallet.",
})

const share = Bps.meta({ description: 'Its part of the proceeds, in basis points.' })
const CLAIMS = {
  claimStartCondition: LaunchCondition.meta({ description: 'When claims open.' }),
  claimEndCondition: LaunchCondition.meta({ description: 'When claims close.' }),
}
const RECIPIENT = { recipient: AddressString.meta({ description: 'Who may claim it.' }), ...CLAIMS }

const FundFlow = z.discriminatedUnion('type', [
  z.object({
    type: kind('RaydiumLP', 'Into a Raydium pool, with which the launch graduates. At most one.'),
    supply: Tokens.meta({ description: 'Whole tokens that go into the pool.' }),
    percentageBps: share,
    startCondition: LaunchCondition.meta({ description: 'When the pool can be created.' }),
    lpLockSchedule: switchable({
      startCondition: LaunchCondition.meta({ description: 'When the release begins.' }),
      duration: Seconds.meta({ description: 'Seconds from the first to the last release.' }),
      period: Seconds.meta({ description: 'Seconds between two releases.' }),
      cliffCondition: LaunchCondition.meta({ description: 'Before this, nothing is released.' }),
      cliffAmountBps: Bps.meta({ description: 'What is released at that time, in basis points.' }),
    }).meta({ description: "How the pool's liquidity is locked. With `Never`, it is locked for good." }),
    creatorFee: CreatorFee,
  }),
  z.object({
    type: kind('UnlockedFunds', 'To a wallet.'),
    supply: Tokens.meta({ description: 'Whole tokens that go to the wallet as well.' }),
    percentageBps: share,
    ...RECIPIENT,
  }),
])
export type FundFlow = z.output<typeof FundFlow>

/** Each is a bucket on the chain, and all buckets are named in one transaction. */
const FLOWS_MAX = 8
const ALLOCATIONS_MAX = 8

const fundFlows = z
  .array(FundFlow)
  .min(1)
  .max(FLOWS_MAX)
  .meta({ description: 'Where the proceeds go. `percentageBps` add up to 10,000.' })
const supply = Tokens.meta({ description: 'Whole tokens, with up to `decimals` decimals.' })

const LaunchPoolAllocation = z.object({
  type: kind('launchpoolV2', 'A launch pool.'),
  supply,
  launchpoolV2: z
    .object({
      depositStartCondition: LaunchCondition.meta({ description: 'When deposits open.' }),
      depositEndCondition: LaunchCondition.meta({ description: 'When deposits close.' }),
      ...CLAIMS,
      minimumQuoteTokenThreshold: Tokens.nullish().meta({
        description: 'If less than this is raised, depositors get their funds back.',
      }),
      depositBonus: Line.meta({ description: `What early depositors get on top. ${LINE}` }),
      withdrawPenalty: Line.meta({ description: `What leaving early costs. ${LINE}` }),
      fundFlows,
    })
    .meta({ description: 'The launch pool.' }),
})
export type LaunchPoolAllocation = z.output<typeof LaunchPoolAllocation>

const BondingCurveAllocation = z.object({
  type: kind('bondingCurveV2', 'A bonding curve.'),
  supply,
  bondingCurveV2: z
    .object({
      swapStartCondition: LaunchCondition.meta({ description: 'When trading opens.' }),
      swapEndCondition: LaunchCondition.meta({ description: 'When trading closes.' }),
      virtualBaseTokens: Tokens.meta({
        description: 'Whole tokens that shape the curve but are not for sale.',
      }),
      virtualQuoteTokens: Tokens.meta({
        description: 'Whole quote tokens that shape the curve: the more, the higher the first price.',
      }),
      firstBuy: switchable({
        buyer: AddressString.meta({ description: 'Who buys.' }),
        amount: Tokens.meta({ description: 'Whole quote tokens to spend.' }),
      }).meta({
        description: 'A purchase that comes before all others and is free of fees. `buyer` signs too.',
      }),
      creatorFee: CreatorFee,
      fundFlows,
    })
    .meta({ description: 'The bonding curve.' }),
})
export type BondingCurveAllocation = z.output<typeof BondingCurveAllocation>

const UnlockedAllocation = z.object({
  type: kind('unlockedV2', 'Tokens for a wallet.'),
  supply,
  unlockedV2: z.object(RECIPIENT).meta({ description: 'Who gets them, and when.' }),
})
export type UnlockedAllocation = z.output<typeof UnlockedAllocation>

export const LaunchAllocations = z
  .array(z.discriminatedUnion('type', [LaunchPoolAllocation, BondingCurveAllocation, UnlockedAllocation]))
  .min(1)
  .max(ALLOCATIONS_MAX)
