import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { ASSOCIATED_TOKEN_PROGRAM, CORE_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stockUmi, withdrawWithUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress } from '../accounts/test-accounts.ts'
import { buildWithdrawTransaction, type Withdrawal } from './build-withdraw.ts'

const lamports = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const withdrawal = fc.record({
  asset: anyAddress,
  collection: fc.option(anyAddress, { nil: undefined }),
  owner: anyAddress,
  lamports,
  blockhash: anyAddress,
})
const same = (given: Withdrawal) => {
  expect(buildWithdrawTransaction(given)).toBe(withdrawWithUmi(stockUmi(given.owner), given))
}
const sample = () => fc.sample(withdrawal, 1)[0] as Withdrawal

test('a withdrawal has the same bytes as one from the official builders', () => {
  fc.assert(fc.property(withdrawal, same), { numRuns: 200 })
})

test('a withdrawal also has the same bytes if some of its accounts are equal', () => {
  const [one, two] = fc.sample(anyAddress, 2) as [Address, Address]
  const few = fc.constantFrom(
    one,
    two,
    assetSignerAddress(one),
    assetSignerAddress(two),
    CORE_PROGRAM,
    SYSTEM_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
  )
  fc.assert(
    fc.property(
      fc.record({
        asset: few,
        collection: fc.option(few, { nil: undefined }),
        owner: few,
        lamports,
        blockhash: anyAddress,
      }),
      same,
    ),
    { numRuns: 150 },
  )
})

test('the owner is the only signer, and the transaction is unsigned', () => {
  fc.assert(
    fc.property(withdrawal, given => {
      const bytes = Buffer.from(buildWithdrawTransaction(given), 'base64')
      expect([...bytes.subarray(0, 1), ...bytes.subarray(65, 69)]).toEqual([1, 0x80, 1, 0, bytes[68]])
      expect(bytes.subarray(1, 65).every(byte => byte === 0)).toBe(true)
      expect(bytes.length).toBeLessThan(500)
    }),
    { numRuns: 100 },
  )
})

test('an amount outside 1 to 2 ** 64 - 1 throws', () => {
  const given = sample()
  for (const wrong of [0n, -1n, 2n ** 64n]) {
    expect(() => buildWithdrawTransaction({ ...given, lamports: wrong })).toThrow('amount')
  }
})

test('building one withdrawal does not change another', () => {
  const given = sample()
  const first = buildWithdrawTransaction({ ...given, lamports: 1n })
  buildWithdrawTransaction({ ...given, lamports: 2n })
  expect(buildWithdrawTransaction({ ...given, lamports: 1n })).toBe(first)
})
