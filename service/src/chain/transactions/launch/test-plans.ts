import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { BUCKET_TIMES, type Condition } from '../../accounts/bucket-layouts.ts'
import { anyAddress } from '../../accounts/test-accounts.ts'
import {
  assetSignerAddress,
  genesisAddress,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '../../addresses/addresses.ts'
import type {
  BondingCurvePlan,
  LaunchPlan,
  LockSchedule,
  RaydiumPlan,
  Schedule,
  UnlockedPlan,
} from './launch-plan.ts'

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const positive = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const bps = fc.integer({ min: 0, max: 10_000 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const text = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength })

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constantFrom('Never', 'Always', 'Triggered') }),
  fc.record({ kind: fc.constant('TimeAbsolute'), time: fc.integer({ min: 0 }) }),
  fc.record({
    kind: fc.constant('TimeRelative'),
    bucket: anyAddress,
    bucketTime: fc.constantFrom(...BUCKET_TIMES),
    timeOffset: fc.integer(),
  }),
)
const schedule: fc.Arbitrary<Schedule> = fc.record({
  slopeBps: i64,
  interceptBps: i64,
  maxBps: u64,
  start: condition,
  duration: fc.bigInt({ min: 1n, max: 2n ** 40n }),
})
const lock: fc.Arbitrary<LockSchedule> = fc.record({
  start: condition,
  duration: u64,
  period: u64,
  cliff: condition,
  cliffAmountBps: bps,
})
const behaviour = fc.oneof(
  fc.record({ kind: fc.constant('SendStartPrice'), bucket: anyAddress }),
  fc.record({ kind: fc.constant('SendQuoteTokenPercentage'), percentageBps: bps, bucket: anyAddress }),
)
const launchPool = fc.record({
  kind: fc.constant('launchpoolV2'),
  allocation: u64,
  depositStart: condition,
  depositEnd: condition,
  claimStart: condition,
  claimEnd: condition,
  bonus: optional(schedule),
  withdrawPenalty: optional(schedule),
  quoteThreshold: optional(u64),
})
export const anyFirstBuy = fc.record({ buyer: anyAddress, amount: positive })
export const anyCurve: fc.Arbitrary<BondingCurvePlan> = fc.record({
  kind: fc.constant('bondingCurveV2'),
  allocation: positive,
  swapStart: condition,
  swapEnd: condition,
  virtualQuote: positive,
  virtualBase: positive,
  firstBuy: optional(anyFirstBuy),
  creatorFeeWallet: optional(anyAddress),
})
const pool: fc.Arbitrary<RaydiumPlan> = fc.record({
  allocation: u64,
  start: condition,
  lock: optional(lock),
  creatorFeeWallet: optional(anyAddress),
})
const unlocked: fc.Arbitrary<UnlockedPlan> = fc.record({
  allocation: u64,
  recipient: anyAddress,
  claimStart: condition,
  claimEnd: condition,
})

/** Any launch that can be written down, whether or not a program would accept it. */
export const anyPlan: fc.Arbitrary<LaunchPlan> = fc
  .record({
    wallet: anyAddress,
    agent: optional(
      fc.record({ asset: anyAddress, collection: optional(anyAddress), setsToken: fc.boolean() }),
    ),
    mint: anyAddress,
    quote: fc.oneof(
      fc.constant([WRAPPED_NATIVE_MINT, TOKEN_PROGRAM] as const),
      fc.tuple(anyAddress, fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM)),
    ),
    token: fc.record({ name: text(32), symbol: text(10), uri: text(190), decimals: fc.nat(9), supply: u64 }),
    primary: fc.oneof(launchPool, anyCurve) as fc.Arbitrary<LaunchPlan['primary']>,
    behaviours: fc.array(behaviour, { maxLength: 5 }) as fc.Arbitrary<LaunchPlan['behaviours']>,
    pools: fc.array(pool, { maxLength: 2 }),
    unlocked: fc.array(unlocked, { maxLength: 3 }),
    isFinalized: fc.boolean(),
    buyer: fc.constantFrom('wallet', 'agent', 'other'),
  })
  .map(({ quote: [quoteMint, quoteTokenProgram], buyer, ...plan }) => {
    const { primary, agent, wallet } = plan
    if (primary.kind === 'bondingCurveV2' && primary.firstBuy) {
      const buyers: Record<string, Address> = {
        wallet,
        agent: agent ? assetSignerAddress(agent.asset) : wallet,
        other: primary.firstBuy.buyer,
      }
      primary.firstBuy.buyer = buyers[buyer] as Address
    }
    return { ...plan, quoteMint, quoteTokenProgram, genesis: genesisAddress(plan.mint) }
  })
