import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fundWithUmi, stockUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress } from '../accounts/test-accounts.ts'
import { buildFundTransaction, type Funding } from './build-fund.ts'

const fundingOf = (address: fc.Arbitrary<Address>) =>
  fc.record({
    asset: address,
    sender: address,
    lamports: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    memo: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    blockhash: anyAddress,
  })
const same = (given: Funding) => {
  expect(buildFundTransaction(given)).toBe(fundWithUmi(stockUmi(given.sender), given))
}

test('a funding has the same bytes as a transfer from the official builder with a memo', () => {
  fc.assert(fc.property(fundingOf(anyAddress), same), { numRuns: 200 })
})

test('a funding also has the same bytes if some of its accounts are equal', () => {
  const [one, two] = fc.sample(anyAddress, 2) as [Address, Address]
  const few = fc.constantFrom(one, two, assetSignerAddress(one), MEMO_PROGRAM, SYSTEM_PROGRAM)
  fc.assert(fc.property(fundingOf(few), same), { numRuns: 100 })
})

test('the sender is the only signer, and the transaction is unsigned', () => {
  fc.assert(
    fc.property(fundingOf(anyAddress), given => {
      const bytes = Buffer.from(buildFundTransaction(given), 'base64')
      expect([bytes[0], bytes[65], bytes[66], bytes[67]]).toEqual([1, 0x80, 1, 0])
      expect(bytes.subarray(1, 65).every(byte => byte === 0)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('an amount outside 1 to 2 ** 64 - 1 throws', () => {
  const given = fc.sample(fundingOf(anyAddress), 1)[0] as Funding
  for (const wrong of [0n, -1n, 2n ** 64n]) {
    expect(() => buildFundTransaction({ ...given, lamports: wrong })).toThrow('amount')
  }
})
