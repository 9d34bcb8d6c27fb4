import type { LaunchPoolV2ExtensionArgs } from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import { compareSteps, type Step } from '../../testing/compare-steps.ts'
import { BEGINNING, startLaunchPool } from '../../testing/launch-pool.ts'
import { poolSteps } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const MINIMUM = 1_000_000_000n
const LIMIT = 3_000_000_000n
const minimum = (amount: bigint): LaunchPoolV2ExtensionArgs => ({
  __kind: 'MinimumDepositAmount',
  minimumDepositAmount: { amount },
})
const limit = (amount: bigint): LaunchPoolV2ExtensionArgs => ({
  __kind: 'DepositLimit',
  depositLimit: { limit: amount },
})
const goal = (amount: bigint): LaunchPoolV2ExtensionArgs => ({
  __kind: 'MinimumQuoteTokenThreshold',
  minimumQuoteTokenThreshold: { amount },
})
/** Wallets with 50 wrapped SOL, with 500 units of it, and without token accounts. */
const [RICH, OTHER, POOR, NEW] = [3, 4, 5, 6]

testRealPrograms(
  'launch pools refuse deposits, withdrawals, claims and refunds like the real Genesis program',
  async () => {
    for (const reached of [true, false]) {
      const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
      const outcomes = await compareSteps(worlds, [...create(worlds[0], reached), ...takePart(reached)])
      expect(outcomes.refused).toBeGreaterThan(20)
    }
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

/** The pool with all its limits; its goal is either below or above what will be deposited. */
function create(world: ReturnType<typeof startLaunchPool>, reached: boolean): Step[] {
  const count = poolSteps(world.launch, world.depositor(9).publicKey, TIMES).length
  const extensions = [minimum(MINIMUM), limit(LIMIT), goal(reached ? MINIMUM : 100n * LIMIT)]
  const steps = Array.from({ length: count + extensions.length }, (_, at) => ({
    name: `creation ${at}`,
    build: ({ launch, depositor }: typeof world) =>
      poolSteps(launch, depositor(9).publicKey, TIMES, extensions)[at] as never,
    error: null,
  }))
  const refused: Step[] = [
    { name: 'no limit', build: ({ launch }) => launch.extendPool(limit(0n)) },
    { name: 'limit below the minimum', build: ({ launch }) => launch.extendPool(minimum(9n), limit(5n)) },
    { name: 'not finalized', build: world => world.deposit(RICH, MINIMUM), error: 44 },
  ]
  const wallets = (
    [
      [RICH, 50_000_000_000n],
      [OTHER, 50_000_000_000n],
      [POOR, 500n],
    ] as const
  ).map(([number, amount]) => ({
    name: `wallet ${number}`,
    build: (world: Parameters<Step['build']>[0]) => world.wrapSol(number, amount),
  }))
  return [...steps.slice(0, 2), ...wallets, ...refused, ...steps.slice(2)]
}

function takePart(reached: boolean): Step[] {
  const gross = (net: bigint) => (net * 100n) / 98n
  return [
    { name: 'too early', build: world => world.deposit(RICH, 2n * MINIMUM), error: 20 },
    { name: 'nothing too early', build: world => world.deposit(RICH, 0n), error: 70 },
    { name: 'too little too early', build: world => world.deposit(RICH, 5n), error: 167 },
    { name: 'too much too early', build: world => world.deposit(RICH, 2n * LIMIT), error: 71 },
    { name: 'too early for a poor wallet', build: world => world.deposit(POOR, 2n * MINIMUM), error: 20 },
    { name: 'nothing', build: world => world.deposit(RICH, 0n), error: 70, at: TIMES.start },
    { name: 'no wrapped account', build: world => world.deposit(NEW, 2n * MINIMUM), error: 169 },
    { name: 'below the minimum after the fee', build: world => world.deposit(RICH, MINIMUM), error: 167 },
    { name: 'above the limit', build: world => world.deposit(RICH, gross(LIMIT) + 3n), error: 71 },
    { name: 'poor', build: world => world.deposit(POOR, 2n * MINIMUM), error: 1 },
    { name: 'poor and below the minimum', build: world => world.deposit(POOR, 5n), error: 167 },
    { name: 'poor and above the limit', build: world => world.deposit(POOR, 2n * LIMIT), error: 71 },
    { name: 'at the minimum', build: world => world.deposit(RICH, gross(MINIMUM) + 1n), error: null },
    { name: 'small once the sum is enough', build: world => world.deposit(RICH, 7n), error: null },
    { name: 'above the limit in sum', build: world => world.deposit(RICH, gross(LIMIT)), error: 71 },
    {
      name: 'up to the limit',
      build: world => world.deposit(RICH, gross(LIMIT - MINIMUM) - 9n),
      error: null,
    },
    {
      name: 'for another wallet, paid by a third',
      build: world =>
        world.deposit(OTHER, 2n * MINIMUM, {
          rentPayer: world.umi.payer,
          recipient: world.depositor(NEW),
        }),
      error: null,
    },
    { name: 'by another', build: world => world.deposit(OTHER, 2n * MINIMUM), error: null },
    { name: 'withdrawal of nothing', build: world => world.withdraw(RICH, 0n), error: 86 },
    { name: 'withdrawal of too much', build: world => world.withdraw(RICH, 2n * LIMIT), error: 86 },
    { name: 'withdrawal without a deposit', build: world => world.withdraw(POOR, 5n), error: 144 },
    {
      name: "withdrawal of another's deposit",
      build: world => world.withdraw(POOR, 5n, { depositPda: world.depositAddress(RICH) }),
      error: 17,
    },
    { name: 'withdrawal that leaves less than the minimum', build: leaving(RICH, 5n), error: null },
    { name: 'small after that', build: world => world.deposit(RICH, 7n), error: 167 },
    { name: 'enough after that', build: world => world.deposit(RICH, gross(MINIMUM)), error: null },
    { name: 'withdrawal of all', build: leaving(OTHER, 0n), error: null },
    { name: 'claim too early', build: world => world.claim(RICH), error: 22 },
    { name: 'refund too early', build: world => world.refund(RICH), error: 25 },
    { name: 'too late', build: world => world.deposit(RICH, 2n * MINIMUM), error: 21, at: TIMES.end },
    { name: 'too late for a poor wallet', build: world => world.deposit(POOR, 2n * MINIMUM), error: 21 },
    { name: 'nothing too late', build: world => world.deposit(RICH, 0n), error: 70 },
    { name: 'withdrawal too late', build: world => world.withdraw(RICH, 5n), error: 21 },
    { name: 'withdrawal of nothing too late', build: world => world.withdraw(RICH, 0n), error: 86 },
    { name: 'refund without a deposit', build: world => world.refund(POOR), error: 144 },
    { name: 'refund', build: world => world.refund(RICH), error: reached ? 173 : null },
    { name: 'refund again', build: world => world.refund(RICH), error: reached ? 173 : 177 },
    {
      name: 'claim',
      build: world => world.claim(RICH),
      error: reached ? null : 172,
      at: TIMES.end + 2,
    },
    { name: 'claim again', build: world => world.claim(RICH), error: reached ? 49 : 172 },
    { name: 'claim without a deposit', build: world => world.claim(POOR), error: 144 },
  ]
}

const leaving = (number: number, rest: bigint) => (world: Parameters<Step['build']>[0]) =>
  world.withdraw(number, (world.depositOf(number)?.amountQuoteToken ?? 0n) - rest)
