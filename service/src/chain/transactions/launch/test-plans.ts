import { assetSignerAddress, genesisAddress } from '@slipway/launch-model/addresses'
import { BUCKET_TIMES, type Condition } from '@slipway/launch-model/conditions'
import type { ReleaseSchedule, Schedule } from '@slipway/launch-model/kinds/bucket-parts'
import type {
  BondingCurvePlan,
  LaunchPlan,
  RaydiumPlan,
  UnlockedPlan,
} from '@slipway/launch-model/plan/launch-plan'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { anyAddress } from '../../accounts/test-accounts.ts'

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const positive = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const bps = fc.integer({ min: 0, max: 10_000 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const text = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength })

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constantFrom('Never', 'Always', 'Triggered') }),
  fc.record({ kind: fc.constant('TimeAbsolute'), time: i64 }),
  fc.record({
    kind: fc.constant('TimeRelative'),
    bucket: anyAddress,
    bucketTime: fc.constantFrom(...BUCKET_TIMES),
    timeOffset: i64,
  }),
)
const schedule: fc.Arbitrary<Schedule> = fc.record({
  slopeBps: i64,
  interceptBps: i64,
  maxBps: u64,
  start: condition,
  duration: fc.bigInt({ min: 1n, max: 2n ** 40n }),
})
const lock: fc.Arbitrary<ReleaseSchedule> = fc.record({
  start: condition,
  duration: u64,
  period: u64,
  cliff: condition,
  cliffAmountBps: bps,
})
const behavior = fc.oneof(
  fc.record({ kind: fc.constant('SendStartPrice'), processed: fc.constant(false), bucket: anyAddress }),
  fc.record({
    kind: fc.constant('SendQuoteTokenPercentage'),
    processed: fc.constant(false),
    percentageBps: bps,
    bucket: anyAddress,
  }),
)
/** The index of a bucket is its place in the plan. */
const added = <T>(allocation: fc.Arbitrary<bigint>, conditions: fc.Arbitrary<T>) => ({
  bucketIndex: fc.constant(0),
  baseTokenAllocation: allocation,
  conditions,
})
const launchPool = fc.record({
  kind: fc.constant('launchpoolV2'),
  added: fc.record(
    added(
      u64,
      fc.record({
        DepositStart: condition,
        DepositEnd: condition,
        ClaimStart: condition,
        ClaimEnd: condition,
      }),
    ),
  ),
  extended: fc.record({
    bonusSchedule: optional(schedule),
    withdrawPenalty: optional(schedule),
    minimumQuoteTokenThreshold: optional(u64),
  }),
})
export const anyFirstBuy = fc.record({ buyer: anyAddress, amount: positive })
const creatorFee = optional(fc.record({ wallet: anyAddress }))
export const anyCurve: fc.Arbitrary<BondingCurvePlan> = fc.record({
  kind: fc.constant('bondingCurveV2'),
  added: fc.record({
    ...added(positive, fc.record({ SwapStart: condition, SwapEnd: condition })),
    virtualReserves: fc.record({ quote: positive, base: positive }),
  }),
  extended: fc.record({ firstBuy: optional(anyFirstBuy), creatorFee }),
})
const pool: fc.Arbitrary<RaydiumPlan> = fc.record({
  kind: fc.constant('raydiumCpmmV2'),
  added: fc.record(added(u64, fc.record({ GraduateStart: condition }))),
  extended: fc.record({ lpLockSchedule: optional(lock), creatorFee }),
})
const unlocked: fc.Arbitrary<UnlockedPlan> = fc.record({
  kind: fc.constant('unlockedV2'),
  added: fc.record(added(u64, fc.record({ ClaimStart: condition, ClaimEnd: condition }))),
  extended: fc.constant({}),
  recipient: anyAddress,
})
const numbered = <T extends { added: { bucketIndex: number } }>(buckets: fc.Arbitrary<T[]>) =>
  buckets.map(all => all.map((one, bucketIndex) => ({ ...one, added: { ...one.added, bucketIndex } })))

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
    behaviors: fc.array(behavior, { maxLength: 5 }) as fc.Arbitrary<LaunchPlan['behaviors']>,
    pools: numbered(fc.array(pool, { maxLength: 2 })),
    unlocked: numbered(fc.array(unlocked, { maxLength: 3 })),
    isFinalized: fc.boolean(),
    buyer: fc.constantFrom('wallet', 'agent', 'other'),
  })
  .map(({ quote: [quoteMint, quoteTokenProgram], buyer, ...plan }) => {
    const { primary, agent, wallet } = plan
    if (primary.kind === 'bondingCurveV2' && primary.extended.firstBuy) {
      const buyers: Record<string, Address> = {
        wallet,
        agent: agent ? assetSignerAddress(agent.asset) : wallet,
        other: primary.extended.firstBuy.buyer,
      }
      const firstBuy = { ...primary.extended.firstBuy, buyer: buyers[buyer] as Address }
      plan.primary = { ...primary, extended: { ...primary.extended, firstBuy } }
    }
    return { ...plan, quoteMint, quoteTokenProgram, genesis: genesisAddress(plan.mint) }
  })
