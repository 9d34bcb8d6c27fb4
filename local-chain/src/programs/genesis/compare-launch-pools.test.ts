import { createTimeRelativeCondition, createTriggeredCondition } from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import { compareSteps, type Step } from '../../testing/compare-steps.ts'
import { BEGINNING, startLaunchPool } from '../../testing/launch-pool.ts'
import { always, schedule, sendQuote, timeAt } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'

type World = ReturnType<typeof startLaunchPool>
const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }

testRealPrograms(
  'launch pools are created, funded, withdrawn from, claimed and refunded like on the real Genesis program',
  async () => {
    for (const reachesGoal of [true, false]) {
      const outcomes = await compareSteps(
        [startLaunchPool(), startLaunchPool(readGenesis())],
        steps(reachesGoal),
      )
      expect(outcomes.succeeded).toBeGreaterThan(15)
      expect(outcomes.refused).toBeGreaterThan(20)
    }
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

function steps(reachesGoal: boolean): Step[] {
  const threshold = reachesGoal ? 5_000_000_000n : 50_000_000_000n
  const times = { start: TIMES.start, duration: 1_000 }
  const step = (name: string, build: Step['build'], at?: number): Step => ({
    name,
    build,
    ...(at !== undefined && { at }),
  })
  const relative = (world: World) => createTimeRelativeCondition(world.launch.pool, 1, 5n)
  const uninitialized = { ...always(), __kind: 'Uninitialized' as const }
  return [
    step('name too long', ({ launch }) => launch.initialize({ name: `${'é'.repeat(16)}x` })),
    step('symbol too long', ({ launch }) => launch.initialize({ symbol: 'x'.repeat(11) })),
    step('URI too long', ({ launch }) => launch.initialize({ uri: 'x'.repeat(201) })),
    step('funding mode', ({ launch }) => launch.initialize({ fundingMode: 2 })),
    step('quote mint', ({ launch, depositor }) => launch.initialize({ quoteMint: depositor(7).publicKey })),
    step('bucket of no launch', ({ launch }) => launch.addPool(TIMES)),
    step('initialize', ({ launch }) => launch.initialize({ name: 'é'.repeat(16) })),
    step('initialize again', ({ launch }) => launch.initialize()),
    step('no allocation', ({ launch }) => launch.addPool(TIMES, { baseTokenAllocation: 0n })),
    step('allocation', ({ launch }) => launch.addPool(TIMES, { baseTokenAllocation: 10n ** 15n + 1n })),
    step('other authority', ({ launch, depositor }) => launch.addPool(TIMES, { authority: depositor(3) })),
    step('end before start', ({ launch }) => launch.addPool({ start: TIMES.start, end: TIMES.start })),
    step('no condition', ({ launch }) => launch.addPool(TIMES, { claimEndCondition: uninitialized })),
    step('claims before end', ({ launch }) =>
      launch.addPool(TIMES, { claimStartCondition: timeAt(TIMES.end) }),
    ),
    step('add pool', ({ launch }) => launch.addPool(TIMES)),
    step('schedule', ({ launch }) =>
      launch.extendPool({
        __kind: 'BonusSchedule',
        bonusSchedule: { ...schedule([0, 0], [1, 1], times), startCondition: always() },
      }),
    ),
    step('goal of zero', ({ launch }) =>
      launch.extendPool({ __kind: 'MinimumQuoteTokenThreshold', minimumQuoteTokenThreshold: { amount: 0n } }),
    ),
    step('extend pool', ({ launch }) =>
      launch.extendPool(
        {
          __kind: 'BonusSchedule',
          bonusSchedule: schedule([0, 2_500], [10_000, 0], { ...times, maxBps: 2_000 }),
        },
        { __kind: 'DepositPenalty', depositPenalty: schedule([0, 100], [10_000, 777], times) },
      ),
    ),
    step('extend pool more', ({ launch }) =>
      launch.extendPool(
        { __kind: 'WithdrawPenalty', withdrawPenalty: schedule([0, 333], [10_000, 2_500], times) },
        { __kind: 'MinimumDepositAmount', minimumDepositAmount: { amount: 1_000n } },
        { __kind: 'MinimumQuoteTokenThreshold', minimumQuoteTokenThreshold: { amount: threshold } },
      ),
    ),
    step('finalize half', ({ launch }) => launch.finalize(launch.pool)),
    step('unlocked start', ({ launch, depositor }) =>
      launch.addUnlocked(depositor(9).publicKey, { claimStartCondition: createTriggeredCondition() }),
    ),
    step('add unlocked', world =>
      world.launch.addUnlocked(world.depositor(9).publicKey, { claimStartCondition: relative(world) }),
    ),
    step('no behavior', ({ launch }) => launch.finalize(launch.pool, launch.unlocked)),
    step('set behaviors', ({ launch }) => launch.setPoolBehaviors(sendQuote(launch.unlocked, 10_000))),
    step('missing bucket', ({ launch }) => launch.finalize(launch.pool)),
    step('bucket twice', ({ launch }) => launch.finalize(launch.pool, launch.pool)),
    step('deposit before finalize', world => world.deposit(3, 1_000_000_000n)),
    step('finalize', ({ launch }) => launch.finalize(launch.pool, launch.unlocked)),
    step('finalize again', ({ launch }) => launch.finalize(launch.unlocked, launch.pool)),
    step('extend late', ({ launch }) => launch.extendPool()),
    step('wrap 3', world => world.wrapSol(3, 50_000_000_000n)),
    step('wrap 4', world => world.wrapSol(4, 50_000_000_000n)),
    step('deposit early', world => world.deposit(3, 1_000_000_000n)),
    step('conditions', world => world.triggerConditions(world.launch.pool), TIMES.start + 33),
    step('deposit nothing', world => world.deposit(3, 0n)),
    step('deposit little', world => world.deposit(3, 1_007n)),
    step('deposit', world => world.deposit(3, 1_234_567n)),
    step('deposit later', world => world.deposit(3, 5_987_654_321n), TIMES.start + 433),
    step('deposit by 4', world => world.deposit(4, 333_333_337n)),
    step('deposit for another', world =>
      world.deposit(4, 1_000_000n, { recipient: world.depositor(5).publicKey }),
    ),
    step('deposit too much', world => world.deposit(4, 333_333_333_337n)),
    step('fee elsewhere', world =>
      world.deposit(4, 1_000_000n, {
        feeQuoteTokenAccount: world.tokenAccount(world.depositor(4).publicKey),
      }),
    ),
    step('withdraw', world => world.withdraw(3, 7_654_321n)),
    step('withdraw one', world => world.withdraw(3, 1n)),
    step('withdraw nothing', world => world.withdraw(3, 0n)),
    step('withdraw too much', world => world.withdraw(3, 7_000_000_000n)),
    step('withdraw of another', world => world.withdraw(3, 10n, { depositPda: world.depositAddress(4) })),
    step('withdraw to another', world =>
      world.withdraw(3, 10n, {
        withdrawerQuoteTokenAccount: world.tokenAccount(world.depositor(4).publicKey),
      }),
    ),
    step('withdraw all', world => world.withdraw(4, world.depositOf(4)?.amountQuoteToken ?? 0n)),
    step('deposit again', world => world.deposit(4, 333_333_331n)),
    step('claim early', world => world.claim(3)),
    step('behaviors early', world => world.triggerBehaviors()),
    step('refund early', world => world.refund(3)),
    step('deposit late', world => world.deposit(4, 333_333_332n), TIMES.end),
    step('withdraw late', world => world.withdraw(4, 10n)),
    step('relative too early', world => world.triggerConditions(world.launch.unlocked, world.launch.pool)),
    step('behaviors to itself', world => world.triggerBehaviors(world.launch.unlocked, world.launch.pool)),
    step('behaviors', world => world.triggerBehaviors()),
    step('behaviors again', world => world.triggerBehaviors()),
    step('claim 3', world => world.claim(3), TIMES.end + 2),
    step('claim 3 again', world => world.claim(3)),
    step('claim of another', world => world.claim(3, { depositPda: world.depositAddress(4) })),
    step('claim to another', world =>
      world.claim(4, {
        recipientBaseTokenAccount: world.tokenAccount(world.depositor(3).publicKey, world.launch.mint),
      }),
    ),
    step('claim 4', world => world.claim(4)),
    step('claim nothing', world => world.claim(6)),
    step('refund 3', world => world.refund(3)),
    step('refund 3 again', world => world.refund(3)),
    step('refund to another', world =>
      world.refund(4, { recipientQuoteTokenAccount: world.tokenAccount(world.depositor(3).publicKey) }),
    ),
    step('refund 4', world => world.refund(4)),
    step(
      'relative',
      world => world.triggerConditions(world.launch.unlocked, world.launch.pool),
      TIMES.end + 60,
    ),
    step('condition of itself', world => world.triggerConditions(world.launch.pool, world.launch.pool)),
  ]
}
