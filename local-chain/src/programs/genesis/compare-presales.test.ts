import { createNeverCondition, type PresaleV2ExtensionArgs } from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import { compareSteps, type Step } from '../../testing/compare-steps.ts'
import {
  BEGINNING,
  claimFromPresale,
  depositInPresale,
  openFeeAccount,
  presaleDepositAddress,
  startLaunchPool,
  triggerPresale,
} from '../../testing/launch-pool.ts'
import { sendQuote, timeAt } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const MINIMUM = 1_000_000_000n
const LIMIT = 6_000_000_000n
/** Wallets with 50 wrapped SOL, with 500 units of it, and without token accounts. */
const [RICH, OTHER, POOR, NEW] = [3, 4, 5, 6]

const minimum: PresaleV2ExtensionArgs = {
  __kind: 'MinimumDepositAmount',
  minimumDepositAmount: { amount: MINIMUM },
}
const limit: PresaleV2ExtensionArgs = { __kind: 'DepositLimit', depositLimit: { limit: LIMIT } }
const cooldown: PresaleV2ExtensionArgs = {
  __kind: 'DepositCooldown',
  depositCooldown: { duration: 60n },
}
const perCooldown: PresaleV2ExtensionArgs = {
  __kind: 'PerCooldownDepositLimit',
  perCooldownDepositLimit: { limit: LIMIT },
}
const deposit = (number: number, amount: bigint, more?: object) => (world: Parameters<Step['build']>[0]) =>
  depositInPresale(world, number, amount, more)

testRealPrograms(
  'presales with a minimum and a limit take deposits and pay out tokens like the real Genesis program',
  async () => {
    const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
    const outcomes = await compareSteps(worlds, [...create(minimum, limit), ...limited()])
    expect(outcomes.refused).toBeGreaterThan(20)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

testRealPrograms(
  'presales with a cooldown fill their last deposit partly, like the real Genesis program',
  async () => {
    const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
    const outcomes = await compareSteps(worlds, [...create(cooldown, perCooldown).slice(0, -1), ...capped()])
    expect(outcomes.refused).toBeGreaterThan(10)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

testRealPrograms(
  'presales without room for their minimum are open only to wallets that have reached it, like the real Genesis program',
  async () => {
    const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
    await compareSteps(worlds, [
      ...create(minimum),
      { name: 'most', build: deposit(RICH, 9_500_000_000n), error: null, at: TIMES.start },
      { name: 'a rest below the minimum', build: deposit(OTHER, 2n * MINIMUM), error: 167 },
      { name: 'the rest', build: deposit(RICH, 2n * MINIMUM), error: null },
      { name: 'full', build: deposit(RICH, 5n), error: 66 },
      { name: 'full, below the minimum', build: deposit(OTHER, 2n * MINIMUM + 1n), error: 167 },
    ])
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

function create(...extensions: PresaleV2ExtensionArgs[]): Step[] {
  const wallets = (
    [
      [RICH, 50_000_000_000n],
      [OTHER, 50_000_000_000n],
      [POOR, 500n],
    ] as const
  ).map(
    ([number, amount]): Step => ({
      name: `wallet ${number}`,
      build: world => world.wrapSol(number, amount),
      error: null,
    }),
  )
  return [
    { name: 'initialize', build: ({ launch }) => launch.initialize(), error: null },
    {
      name: 'no cap',
      build: ({ launch }) => launch.addPresale(TIMES, { allocationQuoteTokenCap: 0n }),
      error: 179,
    },
    {
      name: 'end before start',
      build: ({ launch }) => launch.addPresale({ start: TIMES.start, end: TIMES.start }),
      error: 32,
    },
    {
      name: 'claims before the end',
      build: ({ launch }) => launch.addPresale(TIMES, { claimStartCondition: timeAt(TIMES.end) }),
      error: 33,
    },
    {
      name: 'no start',
      build: ({ launch }) => launch.addPresale(TIMES, { depositStartCondition: createNeverCondition() }),
      error: 204,
    },
    { name: 'presale', build: ({ launch }) => launch.addPresale(TIMES), error: null },
    ...wallets,
    { name: 'extensions', build: ({ launch }) => launch.extendPresale(...extensions), error: null },
    {
      name: 'unlocked',
      build: ({ launch, depositor }) => launch.addUnlocked(depositor(9).publicKey),
      error: null,
    },
    {
      name: 'behaviors',
      build: ({ launch }) => launch.setPresaleBehaviors(sendQuote(launch.unlocked, 10_000)),
      error: null,
    },
    {
      name: 'finalize',
      build: ({ launch }) => launch.finalize(launch.presale, launch.unlocked),
      error: null,
    },
  ]
}

function limited(): Step[] {
  return [
    { name: 'too early', build: deposit(RICH, 2n * MINIMUM), error: 64 },
    { name: 'nothing too early', build: deposit(RICH, 0n), error: 70 },
    { name: 'too little too early', build: deposit(RICH, 5n), error: 167 },
    { name: 'too much too early', build: deposit(RICH, 9_000_000_000n), error: 71 },
    { name: 'too early for a poor wallet', build: deposit(POOR, 2n * MINIMUM), error: 1 },
    { name: 'nothing', build: deposit(RICH, 0n), error: 70, at: TIMES.start },
    { name: 'below the minimum after the fee', build: deposit(RICH, MINIMUM), error: 167 },
    { name: 'above the limit', build: deposit(RICH, 6_200_000_000n), error: 71 },
    { name: 'above the limit and the cap', build: deposit(RICH, 20_000_000_000n), error: 71 },
    { name: 'poor', build: deposit(POOR, 2n * MINIMUM), error: 1 },
    { name: 'no wrapped account', build: deposit(NEW, 2n * MINIMUM), error: 169 },
    { name: 'deposit', build: deposit(RICH, 2n * MINIMUM), error: null },
    { name: 'small once the sum is enough', build: deposit(RICH, 7n), error: null },
    { name: 'above the limit in sum', build: deposit(RICH, 5_000_000_000n), error: 71 },
    { name: 'another deposit', build: deposit(RICH, 3_000_000_000n), error: null },
    {
      name: 'for another wallet',
      build: world => depositInPresale(world, OTHER, 3_000_000_000n, { recipient: world.depositor(NEW) }),
      error: null,
    },
    { name: 'behaviors too early', build: triggerPresale, error: 67 },
    { name: 'claim without the fee account', build: world => claimFromPresale(world, RICH), error: 169 },
    { name: 'fee account', build: openFeeAccount, error: null },
    { name: 'claim too early', build: world => claimFromPresale(world, RICH), error: 22 },
    { name: 'too late', build: deposit(RICH, 1_000_000n), error: 65, at: TIMES.end },
    { name: 'too late for a poor wallet', build: deposit(POOR, 2n * MINIMUM), error: 1 },
    { name: 'nothing too late', build: deposit(RICH, 0n), error: 70 },
    { name: 'too much too late', build: deposit(RICH, 9_000_000_000n), error: 71 },
    { name: 'too little too late', build: deposit(POOR, 5n), error: 167 },
    { name: 'claim', build: world => claimFromPresale(world, RICH), error: null, at: TIMES.end + 1 },
    { name: 'claim again', build: world => claimFromPresale(world, RICH), error: 49 },
    { name: 'claim without a deposit', build: world => claimFromPresale(world, POOR), error: 144 },
    {
      name: "claim of another's deposit",
      build: world => claimFromPresale(world, POOR, { depositPda: presaleDepositAddress(world, RICH) }),
      error: 17,
    },
    {
      name: "claim with the client's fee account",
      build: world => claimFromPresale(world, NEW, { feeQuoteTokenAccount: undefined }),
      error: 37,
    },
    { name: 'behaviors', build: triggerPresale, error: null },
    { name: 'behaviors again', build: triggerPresale, error: null },
  ]
}

function capped(): Step[] {
  const { start, end } = TIMES
  return [
    { name: 'too much too early', build: deposit(RICH, 9_000_000_000n), error: 73 },
    { name: 'too much', build: deposit(RICH, 6_122_448_981n), error: 73, at: start },
    { name: 'before it is finalized', build: deposit(RICH, 2_000_000_000n), error: null },
    {
      name: 'finalize',
      build: ({ launch }) => launch.finalize(launch.presale, launch.unlocked),
      error: null,
    },
    { name: 'too soon', build: deposit(RICH, 2_000_000_001n), error: 72 },
    { name: 'nothing too soon', build: deposit(RICH, 0n), error: 70 },
    { name: 'too much too soon', build: deposit(RICH, 9_000_000_000n), error: 72 },
    { name: 'a second too soon', build: deposit(RICH, 2_000_000_002n), error: 72, at: start + 59 },
    { name: 'after the cooldown', build: deposit(RICH, 6_122_448_979n), error: null, at: start + 61 },
    { name: 'by another', build: deposit(OTHER, 1_000_000_000n), error: null, at: start + 200 },
    { name: 'partly, for a poor wallet', build: deposit(POOR, 5_000_000_000n), error: 1 },
    { name: 'partly', build: deposit(RICH, 20_000_000_000n), error: null },
    { name: 'full and too soon', build: deposit(RICH, 5n), error: 72 },
    { name: 'full', build: deposit(RICH, 5n), error: 66, at: start + 500 },
    { name: 'nothing, and full', build: deposit(RICH, 0n), error: 70 },
    { name: 'full for a poor wallet', build: deposit(POOR, 2_000_000_000n), error: 66 },
    { name: 'full and too late', build: deposit(RICH, 5n), error: 65, at: end },
    { name: 'too late', build: deposit(POOR, 5n), error: 65 },
    { name: 'fee account', build: openFeeAccount, error: null },
    { name: 'claim', build: world => claimFromPresale(world, OTHER), error: null, at: end + 2 },
    { name: 'behaviors', build: triggerPresale, error: null },
  ]
}
