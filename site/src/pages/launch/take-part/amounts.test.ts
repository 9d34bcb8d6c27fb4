import { expect, test } from 'vitest'
import { findMostToDeposit, payableOf, roomIn } from './amounts.ts'
import type { Preview } from './deposit-action.ts'

const costOf = (paid: bigint, penalty = 0n): Preview => ({
  cost: { paid: `${paid}`, fee: '0', penalty: `${penalty}`, credited: `${paid - penalty}` },
})
const refused = async (): Promise<Preview> => {
  throw new Error('refused')
}

test('the most that can be deposited leaves room for a penalty, whichever amounts are refused', async () => {
  const withTenth = async (units: bigint) => costOf(units + units / 10n, units / 10n)
  const isLarge = (units: bigint) => units > 1_000_000n
  const most = (previewOf: (units: bigint) => Promise<Preview>) => findMostToDeposit(1_110_000n, previewOf)
  // A tenth, and a hundredth that the penalty may grow by.
  expect(await most(units => (isLarge(units) ? refused() : withTenth(units)))).toBe(1_000_000n)
  expect(await most(units => (isLarge(units) ? withTenth(units) : refused()))).toBe(1_000_000n)
  expect(await most(async units => costOf(units))).toBe(1_110_000n)
  expect(await most(refused)).toBe(1_110_000n)
  // The wallet can pay for all that a limit leaves room for.
  expect(await findMostToDeposit(1_110_000n, withTenth, 500_000n)).toBe(500_000n)
  expect(await findMostToDeposit(1_110_000n, withTenth, 1_105_000n)).toBe(1_000_000n)
})

test('the most that can be deposited is what a presale has left, and never more than the wallet has', async () => {
  const left = async (units: bigint) =>
    units > 400_000n ? { ...costOf(400_000n), partial: true } : costOf(units)
  expect(await findMostToDeposit(1_000_000n, left)).toBe(400_000n)
  expect(await findMostToDeposit(300_000n, left)).toBe(300_000n)
  // An answer that makes no sense changes nothing.
  expect(await findMostToDeposit(300_000n, async () => costOf(0n))).toBe(300_000n)
})

test('a launch’s limits leave room for what the wallet has not deposited yet, with the fee', () => {
  const fee = { type: 0, amount: '200' }
  const limits = { perWallet: '9800', perDeposit: undefined, fee }
  expect(roomIn(limits)).toBe(10_000n)
  expect(roomIn(limits, '4900')).toBe(5_000n)
  expect(roomIn({ ...limits, perDeposit: '980' }, '4900')).toBe(1_000n)
  expect(roomIn(limits, '9800')).toBe(0n)
  expect(roomIn(undefined)).toBeUndefined()
})

test('a hundredth of a SOL stays in the wallet for fees and rent', () => {
  expect([undefined, '0', '10000000', '1000000000'].map(payableOf)).toEqual([
    undefined,
    undefined,
    undefined,
    990_000_000n,
  ])
})
