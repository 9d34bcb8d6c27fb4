import { z } from 'zod'
import { AddressString } from './address.ts'

export const BPS_MAX = 10_000
/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799

const Bps = z.int().min(0).max(BPS_MAX)
const Seconds = z.int().min(1).max(SECONDS_MAX)
const Tokens = z.number().nonnegative()

/** The buckets that a condition can refer to. A launch has one primary bucket, and counts the others of each kind from 0. */
const BUCKET_TYPES = ['launchpoolV2', 'bondingCurveV2', 'raydiumV2', 'unlockedV2'] as const
export type BucketType = (typeof BUCKET_TYPES)[number]

/** The times of each kind of bucket that a condition can be relative to. */
export const TIMES_OF_BUCKETS = {
  launchpoolV2: ['DepositStart', 'DepositEnd', 'ClaimStart', 'ClaimEnd'],
  bondingCurveV2: ['SwapStart', 'SwapEnd'],
  raydiumV2: ['GraduateStart', 'Graduate'],
  unlockedV2: ['ClaimStart', 'ClaimEnd'],
} as const satisfies Record<BucketType, readonly string[]>
export type BucketTime = (typeof TIMES_OF_BUCKETS)[BucketType][number]

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
    z.object({ type: z.literal('TimeAbsolute'), timestamp: Timestamp }),
    z.object({
      type: z.literal('TimeRelativeToUnknownAddress'),
      bucketType: z.enum(BUCKET_TYPES),
      bucketIndex: z.int().min(0).max(255),
      bucketTime: z.enum(BUCKET_TIMES),
      timeOffset: z
        .int()
        .min(-SECONDS_MAX)
        .max(SECONDS_MAX)
        .nullish()
        .transform(value => value ?? 0)
        .meta({ description: 'Seconds; 0 by default.' }),
    }),
    z.object({ type: z.literal('Always') }),
    z.object({ type: z.literal('Never') }),
    z.object({ type: z.literal('Triggered') }),
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
      z.object({ enabled: z.literal(false) }),
      z.object({ enabled: z.literal(true), ...shape }),
    ])
    .nullish()

const Line = switchable({
  point1TimeBps: Bps,
  point1Bps: Bps,
  point2TimeBps: Bps,
  point2Bps: Bps,
  maxBps: Bps,
}).meta({ description: 'A straight line through two points, over the time of deposits. In basis points.' })

const CreatorFee = switchable({ wallet: AddressString }).meta({
  description: "The creator's part of every trade goes to this wallet.",
})

const FundFlow = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('RaydiumLP'),
    supply: Tokens,
    percentageBps: Bps,
    startCondition: LaunchCondition,
    lpLockSchedule: switchable({
      startCondition: LaunchCondition,
      duration: Seconds,
      period: Seconds,
      cliffCondition: LaunchCondition,
      cliffAmountBps: Bps,
    }),
    creatorFee: CreatorFee,
  }),
  z.object({
    type: z.literal('UnlockedFunds'),
    supply: Tokens,
    percentageBps: Bps,
    recipient: AddressString,
    claimStartCondition: LaunchCondition,
    claimEndCondition: LaunchCondition,
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
  type: z.literal('launchpoolV2'),
  supply,
  launchpoolV2: z.object({
    depositStartCondition: LaunchCondition,
    depositEndCondition: LaunchCondition,
    claimStartCondition: LaunchCondition,
    claimEndCondition: LaunchCondition,
    minimumQuoteTokenThreshold: Tokens.nullish().meta({
      description: 'If less than this is raised, depositors get their funds back.',
    }),
    depositBonus: Line,
    withdrawPenalty: Line,
    fundFlows,
  }),
})
export type LaunchPoolAllocation = z.output<typeof LaunchPoolAllocation>

const BondingCurveAllocation = z.object({
  type: z.literal('bondingCurveV2'),
  supply,
  bondingCurveV2: z.object({
    swapStartCondition: LaunchCondition,
    swapEndCondition: LaunchCondition,
    virtualBaseTokens: Tokens,
    virtualQuoteTokens: Tokens,
    firstBuy: switchable({ buyer: AddressString, amount: Tokens }).meta({
      description: 'A purchase that comes before all others and is free of fees. `buyer` signs too.',
    }),
    creatorFee: CreatorFee,
    fundFlows,
  }),
})
export type BondingCurveAllocation = z.output<typeof BondingCurveAllocation>

const UnlockedAllocation = z.object({
  type: z.literal('unlockedV2'),
  supply,
  unlockedV2: z.object({
    recipient: AddressString,
    claimStartCondition: LaunchCondition,
    claimEndCondition: LaunchCondition,
  }),
})
export type UnlockedAllocation = z.output<typeof UnlockedAllocation>

export const LaunchAllocations = z
  .array(z.discriminatedUnion('type', [LaunchPoolAllocation, BondingCurveAllocation, UnlockedAllocation]))
  .min(1)
  .max(ALLOCATIONS_MAX)
