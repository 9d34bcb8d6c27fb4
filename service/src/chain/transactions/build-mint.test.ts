import { identityAddress } from '@slipway/launch-model/addresses'
import { CORE_PROGRAM, IDENTITY_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mintWithUmi, stockUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress } from '../accounts/test-accounts.ts'
import { buildMintTransaction, type Mint } from './build-mint.ts'
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
const same = (given: Mint) => {
  expect(buildMintTransaction(given)).toBe(mintWithUmi(stockUmi(given.wallet), given))
}

test('a mint has the same bytes as one from the official builders', () => {
  fc.assert(fc.property(mintOf(anyAddress), same), { numRuns: 150 })
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
  fc.assert(fc.property(mintOf(few), same), { numRuns: 150 })
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

const sample = fc.sample(mintOf(anyAddress), 1)[0] as Mint

test('the longest name and URIs that the API accepts fit', () => {
  const longest = {
    ...sample,
    collection: fc.sample(anyAddress, 1)[0] as Address,
    name: '🛥'.repeat(64),
    uri: `https://a.example/${'u'.repeat(182)}`,
    agentUri: 'd'.repeat(193),
  }
  expect(Buffer.from(buildMintTransaction(longest), 'base64').length).toBeLessThan(1_150)
})

test('a mint that does not fit into a transaction throws', () => {
  expect(() => buildMintTransaction({ ...sample, uri: 'u'.repeat(1_000) })).toThrow(TransactionTooLarge)
})
