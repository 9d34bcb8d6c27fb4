import {
  type ClaimScheduleArgs,
  type ConditionArgs,
  createNeverCondition,
  createTimeRelativeCondition,
  type LaunchPoolV2ExtensionArgs,
  type PresaleV2ExtensionArgs,
} from '@metaplex-foundation/genesis'
import fc from 'fast-check'
import type { Step, World } from './compare-steps.ts'
import { BEGINNING, openFeeAccount } from './launch-pool.ts'
import { always, schedule, sendQuote, timeAt } from './launches.ts'
import { asAddress } from './umi-wallet.ts'

export const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
/** The number of the bucket time that relative conditions refer to in the team's bucket. */
const CLAIM_START = 2
export const WALLETS = { rich: [3, 4], poor: 5, withoutAccount: 6, sponsor: 7, team: 9 }

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const bps = fc.integer({ min: 0, max: 10_000 })
const seconds = (min: number, max: number) => fc.integer({ min, max })

/** A time after the end, or one relative to when the team may claim, or none. */
const aTime = fc.oneof(
  { weight: 4, arbitrary: seconds(0, 300).map(afterEnd => ({ afterEnd })) },
  { weight: 1, arbitrary: seconds(0, 50).map(afterTeam => ({ afterTeam })) },
  { weight: 1, arbitrary: fc.constant({}) },
)
type Time = { afterEnd?: number; afterTeam?: number }
const condition = ({ launch }: World, { afterEnd, afterTeam }: Time): ConditionArgs => {
  if (afterEnd !== undefined) return timeAt(TIMES.end + afterEnd)
  if (afterTeam === undefined) return createNeverCondition()
  return createTimeRelativeCondition(launch.unlocked, CLAIM_START, BigInt(afterTeam))
}

const aLine = maybe(
  fc.record({
    points: fc.tuple(bps, bps),
    maxBps: bps,
    start: seconds(TIMES.start - 10, TIMES.end - 100),
    duration: seconds(1, 1_500),
  }),
)
const anAmount = (min: bigint) => maybe(fc.bigInt(min, 3_000_000_000n))

/** How a sale may be set up. */
export const aSale = fc.record({
  isAlwaysOpen: fc.boolean(),
  claimStart: fc.oneof(fc.constant({ afterEnd: 1 }), aTime).map(time => ({ ...time, ...later(time) })),
  claimEnd: maybe(seconds(TIMES.end + 400, TIMES.end + 1_500)),
  teamClaims: maybe(seconds(TIMES.end - 100, TIMES.end + 100)),
  allocation: fc.bigInt(1n, 10n ** 15n),
  minimum: maybe(fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 1_500_000_000n))),
  limit: anAmount(100_000_000n),
  release: maybe(
    fc.record({
      start: aTime,
      cliff: aTime,
      duration: seconds(20, 1_000),
      period: seconds(1, 20),
      cliffAmountBps: bps,
    }),
  ),
  bonus: aLine,
  depositPenalty: aLine,
  withdrawPenalty: aLine,
  goal: maybe(fc.bigInt(1n, 6_000_000_000n)),
  cap: fc.bigInt(100_000_000n, 6_000_000_000n),
  cooldown: maybe(fc.bigInt(1n, 100n)),
  perCooldown: anAmount(100_000_000n),
})
export type Sale = typeof aSale extends fc.Arbitrary<infer T> ? T : never
/** Claims cannot start before deposits have ended. */
const later = ({ afterEnd }: Time) => (afterEnd === undefined ? {} : { afterEnd: Math.max(1, afterEnd) })

function common(world: World, { isAlwaysOpen, claimStart, claimEnd, allocation }: Sale) {
  return {
    ...(isAlwaysOpen && { depositStartCondition: always() }),
    claimStartCondition: condition(world, claimStart),
    ...(claimEnd !== undefined && { claimEndCondition: timeAt(claimEnd) }),
    baseTokenAllocation: allocation,
  }
}

/** The steps that create a pool, a bucket for its team, and the wallets. */
export const poolCreation = (sale: Sale): Step[] =>
  creation(
    sale,
    world => world.launch.addPool(TIMES, common(world, sale)),
    ({ launch }) => launch.setPoolBehaviors(sendQuote(launch.unlocked, 7_777)),
    poolExtensions(sale).map(build => world => world.launch.extendPool(build(world))),
    world => world.launch.pool,
  )

export const presaleCreation = (sale: Sale): Step[] =>
  creation(
    sale,
    world =>
      world.launch.addPresale(TIMES, {
        ...common(world, sale),
        // A presale must have a time for claims.
        ...('afterEnd' in sale.claimStart || 'afterTeam' in sale.claimStart
          ? {}
          : { claimStartCondition: timeAt(TIMES.end + 1) }),
        allocationQuoteTokenCap: sale.cap,
      }),
    ({ launch }) => launch.setPresaleBehaviors(sendQuote(launch.unlocked, 7_777)),
    presaleExtensions(sale).map(build => world => world.launch.extendPresale(build(world))),
    world => world.launch.presale,
  )

function creation(
  { teamClaims, allocation }: Sale,
  add: Step['build'],
  setBehaviors: Step['build'],
  extensions: Step['build'][],
  primary: (world: World) => World['launch']['pool'],
): Step[] {
  const builds: Step['build'][] = [
    ({ launch }) => launch.initialize(),
    add,
    ...extensions,
    setBehaviors,
    ({ launch, depositor }) =>
      launch.addUnlocked(depositor(WALLETS.team).publicKey, {
        baseTokenAllocation: 10n ** 15n - allocation,
        ...(teamClaims !== undefined && { claimStartCondition: timeAt(teamClaims) }),
      }),
    world => world.launch.finalize(primary(world), world.launch.unlocked),
    ...WALLETS.rich.map(
      (number): Step['build'] =>
        world =>
          world.wrapSol(number, 20_000_000_000n),
    ),
    world => world.wrapSol(WALLETS.poor, 500n),
    openFeeAccount,
  ]
  return builds.map((build, at) => ({ name: `creation ${at}`, build, error: null }))
}

type Build<T> = (world: World) => T
function poolExtensions(sale: Sale): Build<LaunchPoolV2ExtensionArgs>[] {
  const { bonus, depositPenalty, withdrawPenalty, goal } = sale
  return [
    ...limits(sale),
    ...present(bonus, line => ({ __kind: 'BonusSchedule', bonusSchedule: toSchedule(line) })),
    ...present(depositPenalty, line => ({ __kind: 'DepositPenalty', depositPenalty: toSchedule(line) })),
    ...present(withdrawPenalty, line => ({ __kind: 'WithdrawPenalty', withdrawPenalty: toSchedule(line) })),
    ...present(goal, amount => ({
      __kind: 'MinimumQuoteTokenThreshold',
      minimumQuoteTokenThreshold: { amount },
    })),
  ] as Build<LaunchPoolV2ExtensionArgs>[]
}

function presaleExtensions(sale: Sale): Build<PresaleV2ExtensionArgs>[] {
  return [
    ...limits(sale),
    ...present(sale.cooldown, duration => ({ __kind: 'DepositCooldown', depositCooldown: { duration } })),
    ...present(sale.perCooldown, limit => ({
      __kind: 'PerCooldownDepositLimit',
      perCooldownDepositLimit: { limit },
    })),
  ] as Build<PresaleV2ExtensionArgs>[]
}

const limits = ({ minimum, limit, release }: Sale) => [
  ...present(minimum, amount => ({ __kind: 'MinimumDepositAmount', minimumDepositAmount: { amount } })),
  ...present(limit, amount => ({ __kind: 'DepositLimit', depositLimit: { limit: amount } })),
  ...(release
    ? [(world: World) => ({ __kind: 'ClaimSchedule', claimSchedule: toRelease(world, release) })]
    : []),
]

const present = <T>(value: T | undefined, build: (value: T) => unknown) =>
  value === undefined ? [] : [() => build(value)]

const toSchedule = ({ points: [first, last], ...line }: NonNullable<Sale['bonus']>) =>
  schedule([0, first], [10_000, last], line)

const toRelease = (world: World, one: NonNullable<Sale['release']>): ClaimScheduleArgs => ({
  startCondition: condition(world, one.start),
  cliffCondition: condition(world, one.cliff),
  duration: BigInt(one.duration),
  period: BigInt(one.period),
  cliffAmountBps: one.cliffAmountBps,
  reserved: Array(126).fill(0),
})

/** Seconds at which something changes, and those around them. */
const [start, end] = [TIMES.start, TIMES.end]
const anInstant = fc.oneof(
  fc.constantFrom(start - 1, start, end - 1, end, end + 1, end + 2),
  seconds(start - 20, end + 20),
  seconds(end, end + 1_600),
)

/** Moves at times that never go back. */
export const moves = <T>(move: fc.Arbitrary<T>, count: number): fc.Arbitrary<(T & { at: number })[]> =>
  fc.array(fc.tuple(move, anInstant), { minLength: count, maxLength: count }).map(list => {
    const times = list.map(([, at]) => at).sort((a, b) => a - b)
    return list.map(([one], index) => ({ ...one, at: times[index] as number }))
  })

/** Gives lamports to the wallets, so that they can pay rent. */
export function fundWallets({ chain, depositor }: World): void {
  for (const number of [...WALLETS.rich, WALLETS.withoutAccount, WALLETS.sponsor])
    chain.mint(asAddress(depositor(number).publicKey), 10_000_000_000n)
}
