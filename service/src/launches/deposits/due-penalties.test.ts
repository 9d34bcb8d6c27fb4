import { triggerConditionsV2 } from '@metaplex-foundation/genesis'
import { findFailure, tradeFailureOf } from '@slipway/launch-model/trade/failures'
import { CONDITIONS } from '@slipway/local-chain/conditions'
import { schedule } from '@slipway/local-chain/testing/launches'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { refusalOf, SOL, startSale, type TestSale, TIMES } from './test-sale.ts'

type Programs = ReadonlyMap<Address, Uint8Array>
const NEEDED = { programs: ['Genesis' as const, 'Token Metadata' as const, 'MPL Core' as const] }
const times = { start: TIMES.start, duration: 1_000 }

/** The same test on stand-ins and, if they are present, on the real programs. */
function testBoth(name: string, run: (programs: Programs) => Promise<void>) {
  test(name, () => run(new Map()))
  testRealPrograms(`${name}, on the real programs`, () => run(readPrograms(...NEEDED.programs)), NEEDED)
}

/** A pool with a penalty of 50 % on deposits, which counts only once someone has recorded its start. */
const startWithPenalty = (programs: Programs) =>
  startSale({
    programs,
    extensions: [{ __kind: 'DepositPenalty', depositPenalty: schedule([0, 5_000], [10_000, 5_000], times) }],
  })

/** What anyone can send. */
const trigger = ({ run, umi, launch: { genesisAccount, pool, mint } }: TestSale) =>
  run(triggerConditionsV2(umi, { genesisAccount, bucket: pool, baseMint: mint }))

testBoth(
  'a penalty that begins before a deposit lands takes nothing beyond maxCost, even if the wallet has more in a wrapped account',
  async programs => {
    const sale = await startWithPenalty(programs)
    const [wallet, sponsor] = [sale.wallet(50n * SOL), sale.wallet()]
    const agent = await sale.makeAgent(wallet.address, { lamports: 50n * SOL, inCollection: true })
    for (const owner of [wallet.address, agent.wallet]) sale.hold(owner, 5n * SOL)
    sale.advanceTo(TIMES.start)
    const actors = [
      { who: { wallet: wallet.address }, owner: wallet.address, signers: [wallet] },
      {
        who: { wallet: wallet.address, payer: sponsor.address },
        owner: wallet.address,
        signers: [sponsor, wallet],
      },
      { who: { wallet: wallet.address, agent: agent.address }, owner: agent.wallet, signers: [wallet] },
    ]
    const depositAll = (maxCost: bigint) =>
      Promise.all(actors.map(({ who }) => sale.deposit(who, 4n * SOL, { maxCost })))
    const [capped, open] = [await depositAll(4n * SOL), await depositAll(10n * SOL)]
    expect(capped.map(({ cost }) => cost.paid)).toEqual(actors.map(() => `${4n * SOL}`))
    await trigger(sale)
    for (const [at, { owner, signers }] of actors.entries()) {
      const { program, code } = findFailure(sale.land(capped[at]?.tx as string, ...signers).logs) ?? {}
      expect(tradeFailureOf(program as string, code as number), `${code}`).toBe('INSUFFICIENT_BALANCE')
      const before = sale.lamports(owner)
      expect(sale.land(open[at]?.tx as string, ...signers)).toMatchObject({ err: null })
      expect(sale.tokens(owner)).toBe(5n * SOL)
      const spent = before - sale.lamports(owner)
      expect(Number(spent) / 1e9).toBeCloseTo(5.96, 1)
    }
  },
)

testBoth('a penalty that ends before a deposit lands leaves nothing wrapped', async programs => {
  const sale = await startSale({
    programs,
    extensions: [
      {
        __kind: 'DepositPenalty',
        depositPenalty: schedule([0, 5_000], [10_000, 5_000], { ...times, duration: 2 }),
      },
    ],
  })
  const wallet = sale.wallet()
  sale.hold(wallet.address, 5n * SOL)
  sale.advanceTo(TIMES.start)
  await trigger(sale)
  const { tx, cost } = await sale.deposit({ wallet: wallet.address }, SOL)
  expect(cost.penalty).toBe('490000000')
  sale.advanceTo(TIMES.start + 5)
  const before = sale.lamports(wallet.address)
  expect(sale.land(tx, wallet)).toMatchObject({ err: null })
  expect(sale.tokens(wallet.address)).toBe(5n * SOL)
  expect(Number(before - sale.lamports(wallet.address)) / 1e9).toBeCloseTo(1, 1)
})

const bonus = {
  __kind: 'BonusSchedule' as const,
  bonusSchedule: schedule([0, 2_000], [10_000, 0], { ...times, duration: 100 }),
}

testBoth('a deposit records a bonus that is due, and gets it', async programs => {
  const sale = await startSale({ programs, extensions: [bonus] })
  const [early, late] = [sale.wallet(), sale.wallet()]
  const agent = await sale.makeAgent(early.address, { inCollection: true })
  sale.hold(agent.wallet, SOL)
  sale.advanceTo(TIMES.start)
  const built = await sale.deposit({ wallet: early.address, agent: agent.address }, SOL)
  expect(sale.land(built.tx, early)).toMatchObject({ err: null })
  sale.advanceTo(TIMES.start + 200)
  const { tx } = await sale.deposit({ wallet: late.address }, SOL)
  expect(sale.land(tx, late)).toMatchObject({ err: null })
  expect((await sale.position(agent.wallet)).share).toBeCloseTo(1.2 / 2.2, 3)
})

testBoth('a deposit records no bonus that would cost a penalty', async programs => {
  const penalty = schedule([0, 100], [10_000, 100], times)
  const sale = await startSale({
    programs,
    extensions: [bonus, { __kind: 'DepositPenalty', depositPenalty: penalty }],
  })
  const wallet = sale.wallet()
  sale.advanceTo(TIMES.start)
  const { tx, cost } = await sale.deposit({ wallet: wallet.address }, SOL)
  expect(cost.penalty).toBe('0')
  expect(sale.land(tx, wallet)).toMatchObject({ err: null })
  expect((await sale.deposit({ wallet: wallet.address }, SOL)).cost.penalty).toBe('0')
})

testBoth(
  'a withdrawal says how little arrives if a penalty begins or grows before it lands',
  async programs => {
    const penalty = schedule([0, 2_000], [10_000, 4_000], times)
    const sale = await startSale({
      programs,
      extensions: [{ __kind: 'WithdrawPenalty', withdrawPenalty: penalty }],
    })
    const wallet = sale.wallet()
    sale.advanceTo(TIMES.start)
    const who = { wallet: wallet.address }
    expect(sale.land((await sale.deposit(who, 2n * SOL)).tx, wallet).err).toBeNull()
    const { tx, receives, receivesAtLeast } = await sale.withdraw(who, SOL)
    // A fee of 2 %, then no penalty yet, or 20 % plus 0.02 % for each second until it expires: in 225 slots at most.
    const seconds = Math.ceil((225 * CONDITIONS.slotMs) / 1_000)
    const least = 98_000n * BigInt(10_000 - 2_000 - 2 * seconds)
    expect([receives, receivesAtLeast]).toEqual(['980000000', `${least}`])
    await trigger(sale)
    const before = sale.lamports(wallet.address)
    expect(sale.land(tx, wallet)).toMatchObject({ err: null })
    const arrived = sale.lamports(wallet.address) - before
    expect(arrived).toBeGreaterThan(least)
    expect(arrived).toBeLessThan(785_000_000n)
  },
)

test('a deposit from an account that the transaction can’t empty is refused if it can come to cost more than maxCost', async () => {
  const sale = await startWithPenalty(new Map())
  const wallet = sale.wallet()
  sale.hold(wallet.address, 5n * SOL)
  sale.advanceTo(TIMES.start)
  const who = { wallet: wallet.address }
  // Someone else may spend from it.
  sale.changeAccount(sale.tokenAccount(wallet.address), account => {
    const data = Uint8Array.from(account.data)
    data.set([1, 0, 0, 0], 72)
    data.set(new Uint8Array(32).fill(7), 76)
    return { ...account, data }
  })
  const refused = await refusalOf(sale.deposit(who, SOL, { maxCost: SOL }))
  expect([refused.code, refused.details]).toEqual([
    'ABOVE_MAX_COST',
    [{ path: ['maxCost'], message: 'is 1 SOL, but the deposit can cost up to 1.49 SOL' }],
  ])
  expect((await sale.deposit(who, SOL, { maxCost: 2n * SOL })).cost.paid).toBe(`${SOL}`)
})
