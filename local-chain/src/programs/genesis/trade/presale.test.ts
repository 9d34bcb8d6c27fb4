import type { PresaleV2ExtensionArgs } from '@metaplex-foundation/genesis'
import type { TransactionBuilder } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import {
  BEGINNING,
  claimFromPresale,
  depositInPresale,
  openFeeAccount,
  startLaunchPool,
  triggerPresale,
} from '../../../testing/launch-pool.ts'
import { sendQuote } from '../../../testing/launches.ts'
import { custom } from '../../../testing/umi-wallet.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }

/** A finalized presale of 800 million tokens for 10 SOL, and a buyer with 50 SOL. */
async function startPresale(...extensions: PresaleV2ExtensionArgs[]) {
  const world = startLaunchPool()
  const { launch } = world
  const must = async (builder: TransactionBuilder) => expect((await world.send(builder)).err).toBeNull()
  await must(launch.initialize())
  await must(launch.addPresale(TIMES))
  await must(launch.extendPresale(...extensions))
  await must(launch.setPresaleBehaviors(sendQuote(launch.unlocked, 10_000)))
  await must(launch.addUnlocked(world.depositor(9).publicKey))
  await must(launch.finalize(launch.presale, launch.unlocked))
  await must(world.wrapSol(3, 50_000_000_000n))
  const refusal = async (builder: TransactionBuilder) => (await world.send(builder)).err
  return { world, must, refusal }
}

test("a deposit beyond a presale's cap is filled partly, and buys tokens at the fixed price", async () => {
  const { world, must, refusal } = await startPresale()
  const buyer = world.depositor(3).publicKey
  expect(await refusal(depositInPresale(world, 3, 1_000_000_000n))).toEqual(custom(64))
  world.advanceTo(TIMES.start)
  await must(depositInPresale(world, 3, 1_000_000_000n))
  expect(world.tokens(world.launch.presale)).toBe(980_000_000n)
  await must(depositInPresale(world, 3, 40_000_000_000n))
  // 9.02 SOL were left, which cost 2 % more.
  expect(world.tokens(world.launch.presale)).toBe(10_000_000_000n)
  expect(world.tokens(buyer)).toBe(50_000_000_000n - 1_000_000_000n - 9_204_081_632n)
  expect(await refusal(depositInPresale(world, 3, 5n))).toEqual(custom(66))
  await must(openFeeAccount(world))
  expect(await refusal(claimFromPresale(world, 3))).toEqual(custom(22))
  world.advanceTo(TIMES.end + 1)
  expect(await refusal(depositInPresale(world, 3, 6n))).toEqual(custom(65))
  await must(claimFromPresale(world, 3))
  expect(world.tokens(buyer, world.launch.mint)).toBe(800_000_000_000_000n)
  expect(await refusal(claimFromPresale(world, 3))).toEqual(custom(49))
  await must(triggerPresale(world))
  expect(world.tokens(world.launch.unlocked)).toBe(10_000_000_000n)
})

test('a presale has a limit per wallet, and a cooldown between deposits', async () => {
  const { world, must, refusal } = await startPresale(
    { __kind: 'DepositLimit', depositLimit: { limit: 3_000_000_000n } },
    { __kind: 'DepositCooldown', depositCooldown: { duration: 60n } },
    { __kind: 'PerCooldownDepositLimit', perCooldownDepositLimit: { limit: 2_000_000_000n } },
  )
  world.advanceTo(TIMES.start)
  expect(await refusal(depositInPresale(world, 3, 3_000_000_000n))).toEqual(custom(73))
  await must(depositInPresale(world, 3, 2_000_000_000n))
  expect(await refusal(depositInPresale(world, 3, 1_000_000n))).toEqual(custom(72))
  world.advanceTo(TIMES.start + 61)
  expect(await refusal(depositInPresale(world, 3, 1_900_000_000n))).toEqual(custom(71))
  await must(depositInPresale(world, 3, 1_000_000n))
})

test("a presale's minimum and limit apply to a wallet's whole deposit, without fees", async () => {
  const { world, must, refusal } = await startPresale(
    { __kind: 'MinimumDepositAmount', minimumDepositAmount: { amount: 1_000_000_000n } },
    { __kind: 'DepositLimit', depositLimit: { limit: 3_000_000_000n } },
  )
  world.advanceTo(TIMES.start)
  // Without the fee of 2 %, one unit less than the minimum, and then exactly the minimum.
  expect(await refusal(depositInPresale(world, 3, 1_020_408_162n))).toEqual(custom(167))
  await must(depositInPresale(world, 3, 1_020_408_163n))
  expect(world.tokens(world.launch.presale)).toBe(1_000_000_000n)
  expect(await refusal(depositInPresale(world, 3, 2_040_816_327n))).toEqual(custom(71))
  await must(depositInPresale(world, 3, 2_040_816_326n))
  expect(world.tokens(world.launch.presale)).toBe(3_000_000_000n)
})
