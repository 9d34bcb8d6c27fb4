import { createClaimSchedule, type LaunchPoolV2ExtensionArgs } from '@metaplex-foundation/genesis'
import type { TransactionBuilder } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import { rentFor } from '../../../conditions.ts'
import { BEGINNING, claimForTeam, startLaunchPool } from '../../../testing/launch-pool.ts'
import { always, poolSteps, schedule } from '../../../testing/launches.ts'
import { custom } from '../../../testing/umi-wallet.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const GOAL: LaunchPoolV2ExtensionArgs = {
  __kind: 'MinimumQuoteTokenThreshold',
  minimumQuoteTokenThreshold: { amount: 5_000_000_000n },
}

/** A finalized launch pool, and two depositors with 50 SOL each. */
async function startFunded(extensions: LaunchPoolV2ExtensionArgs[] = []) {
  const world = startLaunchPool()
  const must = async (builder: TransactionBuilder) => expect((await world.send(builder)).err).toBeNull()
  for (const step of poolSteps(world.launch, world.depositor(9).publicKey, TIMES, extensions))
    await must(step)
  for (const number of [3, 4]) await must(world.wrapSol(number, 50_000_000_000n))
  return { ...world, must }
}

test('deposits are open from start to end, and the fee is taken from them', async () => {
  const world = await startFunded()
  expect((await world.send(world.deposit(3, 1_000_000_000n))).err).toEqual(custom(20))
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  await world.must(world.deposit(3, 500_000_001n))
  await world.must(world.deposit(4, 2_000_000_000n))
  expect(world.pool()).toMatchObject({ depositCount: 2n, quoteTokenDepositTotal: 3_430_000_001n })
  expect(world.depositOf(3)).toMatchObject({ index: 0, amountQuoteToken: 1_470_000_001n })
  expect(world.tokens(world.launch.pool)).toBe(3_430_000_001n)
  world.advanceTo(TIMES.end)
  expect((await world.send(world.deposit(3, 1_000_000_000n))).err).toEqual(custom(21))
  expect((await world.send(world.withdraw(3, 1_000_000_000n))).err).toEqual(custom(21))
})

test('a bonus and a penalty count only after the conditions are triggered', async () => {
  const times = { start: TIMES.start, duration: 1_000 }
  const world = await startFunded([
    {
      __kind: 'BonusSchedule',
      bonusSchedule: schedule([5_000, 2_500], [7_500, 0], { ...times, maxBps: 2_500 }),
    },
    { __kind: 'WithdrawPenalty', withdrawPenalty: schedule([0, 1_000], [10_000, 1_000], times) },
  ])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  expect(world.depositOf(3)?.weightedQuoteToken).toBe(980_000_000n)
  await world.must(world.withdraw(3, 100_000_000n))
  expect(world.tokens(world.depositor(3).publicKey)).toBe(49_098_000_000n)
  await world.must(world.triggerConditions(world.launch.pool))
  await world.must(world.deposit(4, 1_000_000_000n))
  expect(world.depositOf(4)).toMatchObject({
    amountQuoteToken: 980_000_000n,
    weightedQuoteToken: 1_225_000_000n,
  })
  // 2 % of the amount, and 10 % of the rest.
  await world.must(world.withdraw(4, 500_000_000n))
  expect(world.tokens(world.depositor(4).publicKey)).toBe(49_441_000_000n)
  expect(world.pool()).toMatchObject({ weightedQuoteTokenTotal: 880_000_000n + 600_000_000n })
})

test("the minimum and the limit apply to a wallet's whole deposit, without fees", async () => {
  const world = await startFunded([
    { __kind: 'MinimumDepositAmount', minimumDepositAmount: { amount: 1_000_000_000n } },
    { __kind: 'DepositLimit', depositLimit: { limit: 3_000_000_000n } },
  ])
  const refusal = async (amount: bigint) => (await world.send(world.deposit(3, amount))).err
  // The amount is checked before the time.
  expect(await refusal(5n)).toEqual(custom(167))
  expect(await refusal(2_000_000_000n)).toEqual(custom(20))
  world.advanceTo(TIMES.start)
  expect(await refusal(1_020_408_162n)).toEqual(custom(167))
  await world.must(world.deposit(3, 1_020_408_164n))
  await world.must(world.deposit(3, 5n))
  expect(await refusal(3_000_000_000n)).toEqual(custom(71))
  await world.must(world.deposit(3, 2_000_000_000n))
  expect(world.depositOf(3)?.amountQuoteToken).toBe(2_960_000_006n)
  await world.must(world.withdraw(3, 2_960_000_000n))
  expect(await refusal(5n)).toEqual(custom(167))
})

test('a depositor can withdraw no more than their deposit, and withdrawing all of it removes it', async () => {
  const world = await startFunded()
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  await world.must(world.deposit(4, 1_000_000_000n))
  expect((await world.send(world.withdraw(3, 980_000_001n))).err).toEqual(custom(86))
  const depositPda = world.depositAddress(4)
  expect((await world.send(world.withdraw(3, 980_000_000n, { depositPda }))).err).toEqual(custom(17))
  await world.must(world.withdraw(3, 980_000_000n))
  expect(world.depositOf(3)).toBeUndefined()
  expect(world.pool()).toMatchObject({ depositCount: 1n, quoteTokenDepositTotal: 980_000_000n })
  await world.must(world.deposit(3, 1_000_000_000n))
  expect(world.depositOf(3)?.index).toBe(2)
})

test('a pool that misses its goal keeps its deposits, and refunds each of them once', async () => {
  const world = await startFunded([GOAL])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  await world.must(world.deposit(4, 2_000_000_000n))
  expect((await world.send(world.refund(3))).err).toEqual(custom(25))
  world.advanceTo(TIMES.end)
  await world.must(world.triggerBehaviors())
  expect(world.tokens(world.launch.unlocked)).toBe(0n)
  await world.must(world.refund(3))
  expect(world.tokens(world.depositor(3).publicKey)).toBe(49_980_000_000n)
  expect((await world.send(world.refund(3))).err).toEqual(custom(177))
  await world.must(world.refund(4))
  expect([world.tokens(world.launch.pool), world.pool().refundCount]).toEqual([0n, 2n])
})

test('a pool that reaches its goal sends its proceeds when anyone triggers its behaviors, and refunds nothing', async () => {
  const world = await startFunded([GOAL])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 6_000_000_000n))
  expect((await world.send(world.triggerBehaviors())).err).toEqual(custom(25))
  world.advanceTo(TIMES.end)
  expect((await world.send(world.refund(3))).err).toEqual(custom(173))
  await world.must(world.triggerBehaviors())
  expect(world.tokens(world.launch.unlocked)).toBe(5_880_000_000n)
  expect(world.tokens(world.launch.pool)).toBe(0n)
  await world.must(world.triggerBehaviors())
  expect(world.tokens(world.launch.unlocked)).toBe(5_880_000_000n)
})

test('depositors claim tokens in proportion, once, and into their own account', async () => {
  const world = await startFunded([GOAL])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 6_000_000_000n))
  await world.must(world.deposit(4, 2_000_000_000n))
  expect((await world.send(world.claim(3))).err).toEqual(custom(22))
  world.advanceTo(TIMES.end + 2)
  const recipientBaseTokenAccount = world.tokenAccount(world.depositor(4).publicKey, world.launch.mint)
  expect((await world.send(world.claim(3, { recipientBaseTokenAccount }))).err).toEqual({
    InstructionError: [0, 'MissingAccount'],
  })
  for (const number of [3, 4]) await world.must(world.claim(number))
  expect([3, 4].map(number => world.tokens(world.depositor(number).publicKey, world.launch.mint))).toEqual([
    600_000_000_000_000n,
    200_000_000_000_000n,
  ])
  expect((await world.send(world.claim(3))).err).toEqual(custom(49))
})

test('a claim for more tokens than the pool has left is refused', async () => {
  const world = startLaunchPool()
  const steps = poolSteps(world.launch, world.depositor(9).publicKey, TIMES)
  // Claims are open during deposits, so the first depositor can claim everything.
  steps[1] = world.launch.addPool(TIMES, { claimStartCondition: always() })
  for (const step of [...steps, world.wrapSol(3, 5_000_000_000n), world.wrapSol(4, 5_000_000_000n)])
    expect((await world.send(step)).err).toBeNull()
  world.advanceTo(TIMES.start)
  for (const step of [world.deposit(3, 1_000_000_000n), world.claim(3), world.deposit(4, 100_000_000n)])
    expect((await world.send(step)).err).toBeNull()
  expect((await world.send(world.claim(4))).err).toEqual(custom(3))
})

test('a deposit of exactly the minimum, and one up to exactly the limit, are accepted', async () => {
  const world = await startFunded([
    { __kind: 'MinimumDepositAmount', minimumDepositAmount: { amount: 1_000_000_000n } },
    { __kind: 'DepositLimit', depositLimit: { limit: 3_000_000_000n } },
  ])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_020_408_163n))
  expect(world.depositOf(3)?.amountQuoteToken).toBe(1_000_000_000n)
  expect((await world.send(world.deposit(3, 2_040_816_327n))).err).toEqual(custom(71))
  await world.must(world.deposit(3, 2_040_816_326n))
  expect(world.depositOf(3)?.amountQuoteToken).toBe(3_000_000_000n)
})

test('claims by a schedule pay nothing before its start is triggered, and then what each full period releases', async () => {
  const world = await startFunded([
    {
      __kind: 'ClaimSchedule',
      claimSchedule: createClaimSchedule({
        startTime: BigInt(TIMES.end + 10),
        endTime: BigInt(TIMES.end + 1_010),
        cliffTime: BigInt(TIMES.end + 10),
        cliffAmountBps: 1_000,
        period: 100n,
      }),
    },
  ])
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  const claimAt = async (time: number) => {
    world.advanceTo(time)
    await world.must(world.claim(3))
    return world.tokens(world.depositor(3).publicKey, world.launch.mint)
  }
  expect(await claimAt(TIMES.end + 50)).toBe(0n)
  world.advanceTo(TIMES.end + 60)
  await world.must(world.triggerConditions(world.launch.pool))
  expect(await claimAt(TIMES.end + 159)).toBe(80_000_000_000_000n)
  expect(await claimAt(TIMES.end + 160)).toBe(152_000_000_000_000n)
  expect(world.depositOf(3)).toMatchObject({ claimed: false, amountClaimed: 152_000_000_000_000n })
  expect(await claimAt(TIMES.end + 1_060)).toBe(800_000_000_000_000n)
  expect(world.pool()).toMatchObject({ claimCount: 1n, bucket: { baseTokenBalance: 0n } })
  expect((await world.send(world.claim(3))).err).toEqual(custom(49))
})

test('a team gets its tokens and, unwrapped, the proceeds less 5 %, once', async () => {
  const world = await startFunded()
  const team = world.depositor(9).publicKey
  world.advanceTo(TIMES.start)
  await world.must(world.deposit(3, 1_000_000_000n))
  world.advanceTo(TIMES.end)
  await world.must(world.triggerBehaviors())
  await world.must(claimForTeam(world, team))
  expect(world.tokens(team, world.launch.mint)).toBe(200_000_000_000_000n)
  // 980,000,000 less the fee, and the rent of the bucket's token account, which is closed.
  expect(world.account(team)?.lamports).toBe(931_000_000n + rentFor(165))
  expect(world.account(world.tokenAccount(world.launch.unlocked))).toBeUndefined()
  expect((await world.send(claimForTeam(world, team))).err).toEqual(custom(169))
})
