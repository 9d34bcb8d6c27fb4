import { assetSignerAddress, identityAddress } from '@slipway/launch-model/addresses'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  CORE_PROGRAM,
  IDENTITY_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fundWithUmi, mintWithUmi, stockUmi, withdrawWithUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress } from '../accounts/test-accounts.ts'
import {
  buildFundTransaction,
  buildMintTransaction,
  buildWithdrawTransaction,
  type Funding,
  type Mint,
  type Withdrawal,
} from './build-agent.ts'
import { TransactionTooLarge } from './compile-transaction.ts'

const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })
const mintOf = (address: fc.Arbitrary<Address>) =>
  fc
    .record({
      asset: address,
      wallet: address,
      collection: fc.option(address, { nil: undefined }),
      name: text(20),
      uri: text(30),
      agentUri: text(30),
      blockhash: anyAddress,
    })
    .filter(({ asset, wallet }) => asset !== wallet)
const sameMint = (given: Mint) => {
  expect(buildMintTransaction(given)).toBe(mintWithUmi(stockUmi(given.wallet), given))
}

test('a mint has the same bytes as one from the official builders', () => {
  fc.assert(fc.property(mintOf(anyAddress), sameMint), { numRuns: 50 })
})

test('a mint also has the same bytes if some of its accounts are equal', () => {
  const [one, two, three] = fc.sample(anyAddress, 3) as [Address, Address, Address]
  const few = fc.constantFrom(
    one,
    two,
    three,
    identityAddress(one),
    CORE_PROGRAM,
    IDENTITY_PROGRAM,
    SYSTEM_PROGRAM,
  )
  fc.assert(fc.property(mintOf(few), sameMint), { numRuns: 50 })
})

test('the wallet pays, the asset signs too, and the transaction is unsigned', () => {
  fc.assert(
    fc.property(mintOf(anyAddress), given => {
      const bytes = Buffer.from(buildMintTransaction(given), 'base64')
      expect([bytes[0], bytes[129], bytes[130], bytes[131]]).toEqual([2, 0x80, 2, 0])
      expect(bytes.subarray(1, 129).every(byte => byte === 0)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

const mint = fc.sample(mintOf(anyAddress), 1)[0] as Mint

test('the longest name and URIs that the API accepts fit', () => {
  const longest = {
    ...mint,
    collection: fc.sample(anyAddress, 1)[0] as Address,
    name: '🛥'.repeat(64),
    uri: `https://a.example/${'u'.repeat(182)}`,
    agentUri: 'd'.repeat(193),
  }
  expect(Buffer.from(buildMintTransaction(longest), 'base64').length).toBeLessThan(1_150)
})

test('a mint that does not fit into a transaction throws', () => {
  expect(() => buildMintTransaction({ ...mint, uri: 'u'.repeat(1_000) })).toThrow(TransactionTooLarge)
})

const fundingOf = (address: fc.Arbitrary<Address>) =>
  fc.record({
    asset: address,
    sender: address,
    lamports: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    memo: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    blockhash: anyAddress,
  })
const sameFunding = (given: Funding) => {
  expect(buildFundTransaction(given)).toBe(fundWithUmi(stockUmi(given.sender), given))
}

test('a funding has the same bytes as a transfer from the official builder with a memo', () => {
  fc.assert(fc.property(fundingOf(anyAddress), sameFunding), { numRuns: 60 })
})

test('a funding also has the same bytes if some of its accounts are equal', () => {
  const [one, two] = fc.sample(anyAddress, 2) as [Address, Address]
  const few = fc.constantFrom(one, two, assetSignerAddress(one), MEMO_PROGRAM, SYSTEM_PROGRAM)
  fc.assert(fc.property(fundingOf(few), sameFunding), { numRuns: 40 })
})

test('of a funding, the sender is the only signer, and the transaction is unsigned', () => {
  fc.assert(
    fc.property(fundingOf(anyAddress), given => {
      const bytes = Buffer.from(buildFundTransaction(given), 'base64')
      expect([bytes[0], bytes[65], bytes[66], bytes[67]]).toEqual([1, 0x80, 1, 0])
      expect(bytes.subarray(1, 65).every(byte => byte === 0)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

const lamports = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const withdrawal = fc.record({
  asset: anyAddress,
  collection: fc.option(anyAddress, { nil: undefined }),
  owner: anyAddress,
  lamports,
  blockhash: anyAddress,
})
const sameWithdrawal = (given: Withdrawal) => {
  expect(buildWithdrawTransaction(given)).toBe(withdrawWithUmi(stockUmi(given.owner), given))
}
const sample = () => fc.sample(withdrawal, 1)[0] as Withdrawal

test('a withdrawal has the same bytes as one from the official builders', () => {
  fc.assert(fc.property(withdrawal, sameWithdrawal), { numRuns: 60 })
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
      sameWithdrawal,
    ),
    { numRuns: 50 },
  )
})

test('of a withdrawal, the owner is the only signer, and the transaction is unsigned', () => {
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
  const funding = fc.sample(fundingOf(anyAddress), 1)[0] as Funding
  for (const lamports of [0n, -1n, 2n ** 64n]) {
    expect(() => buildWithdrawTransaction({ ...sample(), lamports })).toThrow('amount')
    expect(() => buildFundTransaction({ ...funding, lamports })).toThrow('amount')
  }
})

test('building one withdrawal does not change another', () => {
  const given = sample()
  const first = buildWithdrawTransaction({ ...given, lamports: 1n })
  buildWithdrawTransaction({ ...given, lamports: 2n })
  expect(buildWithdrawTransaction({ ...given, lamports: 1n })).toBe(first)
})
