import type { TransactionBuilder } from '@metaplex-foundation/umi'
import fc from 'fast-check'
import { expect } from 'vitest'
import { compareSteps, type Step, type World } from '../../testing/compare-steps.ts'
import {
  claimForTeam,
  claimFromPresale,
  depositInPresale,
  presaleBucket,
  presaleDepositOf,
  startLaunchPool,
  triggerPresale,
} from '../../testing/launch-pool.ts'
import {
  aSale,
  fundWallets,
  moves,
  poolCreation,
  presaleCreation,
  type Sale,
  TIMES,
  WALLETS,
} from '../../testing/random-sales.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'

const { rich, poor, withoutAccount, sponsor, team } = WALLETS
const aWallet = fc.constantFrom(...rich, ...rich, ...rich, poor, withoutAccount)
const aMove = fc.record({
  /** Usually an action that fits the time. */
  early: fc.constantFrom(...(['deposit', 'deposit', 'deposit', 'withdraw', 'conditions'] as const)),
  late: fc.constantFrom(
    ...(['claim', 'claim', 'claim', 'refund', 'conditions'] as const),
    ...(['conditions of the team', 'behaviors', 'claim of the team'] as const),
  ),
  isSurprising: fc.constantFrom(true, ...Array<boolean>(7).fill(false)),
  wallet: aWallet,
  /** The wallet that gets a deposit, or that pays for another action. */
  other: fc.option(aWallet, { nil: undefined, freq: 4 }),
  isSponsored: fc.boolean(),
  amount: fc.oneof(
    fc.record({ units: fc.constantFrom(0n, 1n, 49n, 50n, 51n) }),
    fc.record({ units: fc.bigInt(1n, 4_000_000_000n) }),
    fc.record({ bps: fc.bigInt(0n, 10_000n) }),
    fc.record({
      near: fc.constantFrom('minimum', 'limit', 'cap', 'perCooldown', 'all'),
      off: fc.constantFrom(-2n, -1n, 0n, 1n, 2n),
    }),
  ),
})
type Move = (typeof aMove extends fc.Arbitrary<infer T> ? T : never) & { at: number }
const actionOf = ({ early, late, isSurprising, at }: Move) => (at < TIMES.end === isSurprising ? late : early)

const STEPS = 30
/** The number of each kind in all runs together. */
const OUTCOMES_MIN = 4
compare('launch pools', poolCreation, playPool)
compare('presales', presaleCreation, playPresale)

function compare(
  name: string,
  creation: (sale: Sale) => Step[],
  play: (world: World, move: Move, sale: Sale) => TransactionBuilder,
): void {
  testRealPrograms(
    `random ${name} take the same course as on the real Genesis program, for any wallets, actions and times`,
    async () => {
      const seen = { succeeded: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(aSale, moves(aMove, STEPS), async (sale, list) => {
          const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
          for (const world of worlds) fundWallets(world)
          const steps = list.map(
            (move): Step => ({
              name: JSON.stringify(move, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
              build: world => play(world, move, sale),
              at: move.at,
            }),
          )
          await compareSteps(worlds, creation(sale))
          const outcomes = await compareSteps(worlds, steps)
          seen.succeeded += outcomes.succeeded
          seen.refused += outcomes.refused
        }),
        // Without shrinking: every attempt takes seconds, and the step that differs is in the message.
        { numRuns: 2, endOnFailure: true },
      )
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(OUTCOMES_MIN)
    },
    { programs: ['Genesis', 'Token Metadata'] },
  )
}

function playPool(world: World, move: Move, sale: Sale) {
  const { wallet, other, isSponsored, amount } = move
  const action = actionOf(move)
  const payer = isSponsored ? { payer: world.depositor(sponsor) } : {}
  const deposited = world.depositOf(wallet)?.amountQuoteToken ?? 0n
  switch (action) {
    case 'deposit':
      return world.deposit(wallet, grossAmount(amount, sale, deposited), owners(world, other, isSponsored))
    case 'withdraw':
      return world.withdraw(wallet, amountOf(amount, sale, deposited, deposited), payer)
    case 'claim':
      return world.claim(wallet, payer)
    case 'refund':
      return world.refund(wallet, payer)
    case 'behaviors':
      return world.triggerBehaviors()
    default:
      return playTeam(world, action, world.launch.pool, payer)
  }
}

function playPresale(world: World, move: Move, sale: Sale) {
  const { wallet, other, isSponsored, amount } = move
  const action = actionOf(move)
  const payer = isSponsored ? { payer: world.depositor(sponsor) } : {}
  const deposited = presaleDepositOf(world, wallet)?.amountQuoteToken ?? 0n
  const room = sale.cap - presaleBucket(world).quoteTokenDepositTotal
  switch (action) {
    case 'deposit':
    case 'withdraw':
    case 'refund':
      return depositInPresale(
        world,
        wallet,
        grossAmount(amount, { ...sale, cap: room + deposited }, deposited),
        owners(world, other, isSponsored),
      )
    case 'claim':
      return claimFromPresale(world, wallet, payer)
    case 'behaviors':
      return triggerPresale(world)
    default:
      return playTeam(world, action, world.launch.presale, payer)
  }
}

function playTeam(world: World, action: string, primary: World['launch']['pool'], payer: object) {
  const { launch, depositor } = world
  if (action === 'conditions') return world.triggerConditions(primary, launch.unlocked)
  if (action === 'conditions of the team') return world.triggerConditions(launch.unlocked)
  return claimForTeam(world, depositor(team).publicKey, payer)
}

const owners = ({ depositor }: World, recipient: number | undefined, isSponsored: boolean) => ({
  ...(recipient !== undefined && { recipient: depositor(recipient) }),
  ...(isSponsored && { rentPayer: depositor(sponsor) }),
})

const notNegative = (value: bigint) => (value < 0n ? 0n : value)

/** A random amount; `near` a figure of the sale, it is what is missing to reach it. */
function amountOf(amount: Move['amount'], sale: Sale, deposited: bigint, all: bigint): bigint {
  if ('units' in amount) return amount.units
  if ('bps' in amount) return (deposited * amount.bps) / 10_000n
  const { near, off } = amount
  const figure = near === 'all' ? undefined : sale[near]
  return notNegative((figure === undefined ? all : figure - deposited) + off)
}

/** The same before the fee of 2 %. */
const grossAmount = (amount: Move['amount'], sale: Sale, deposited: bigint): bigint =>
  'near' in amount
    ? notNegative((amountOf({ ...amount, off: 0n }, sale, deposited, deposited) * 100n) / 98n + amount.off)
    : amountOf(amount, sale, deposited, deposited)
