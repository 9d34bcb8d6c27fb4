import {
  claimBondingCurveCreatorFeeV2InstructionDiscriminator,
  claimRaydiumCreatorFeeV2InstructionDiscriminator,
  collectRaydiumCpmmFeesWithCreatorFeeV2InstructionDiscriminator,
} from '@metaplex-foundation/genesis'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import {
  GENESIS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimWithUmi, stockUmi } from '../../official-clients/stock-umi.ts'
import { anyAddress } from '../accounts/test-accounts.ts'
import { buildClaimTransaction, type Claim } from './build-claim.ts'
import { TRANSACTION_BYTES_MAX } from './compile-transaction.ts'

const tokenProgram = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM)
const claimOf = (address: fc.Arbitrary<Address>): fc.Arbitrary<Claim> =>
  fc
    .record({
      payer: fc.option(address),
      kind: fc.constantFrom('bondingCurveV2' as const, 'raydiumCpmmV2' as const),
      genesis: address,
      bucket: address,
      // A wallet is often an agent's, which has no private key.
      wallet: fc.oneof(
        address,
        address.map(asset => assetSignerAddress(asset)),
      ),
      baseMint: address,
      quoteMint: fc.oneof(fc.constant(WRAPPED_NATIVE_MINT), address),
      quoteTokenProgram: tokenProgram,
      createsTokenAccount: fc.boolean(),
      collect: fc.option(
        fc.record({
          environment: fc.constantFrom('mainnet' as const, 'devnet' as const),
          baseTokenProgram: tokenProgram,
          ammConfig: fc.option(address, { nil: undefined }),
        }),
        { nil: undefined },
      ),
      blockhash: anyAddress,
    })
    .filter(({ baseMint, quoteMint }) => baseMint !== quoteMint)
    .map(({ kind, genesis, bucket, payer, ...rest }) => ({
      ...rest,
      payer: payer ?? rest.wallet,
      bucket: { kind, genesis, address: bucket },
    }))

const same = (claim: Claim) => {
  expect(buildClaimTransaction(claim)).toBe(claimWithUmi(stockUmi(claim.payer), claim))
}

test('a claim has the same bytes as one from the official builders', () => {
  fc.assert(fc.property(claimOf(anyAddress), same), { numRuns: 40 })
})

test('a claim also has the same bytes if some of its accounts are equal', () => {
  const few = fc.constantFrom(...fc.sample(anyAddress, 4), GENESIS_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM)
  fc.assert(fc.property(claimOf(few), same), { numRuns: 30 })
})

test('a claim has each instruction once, in order, and collects only on request', () => {
  const umi = stockUmi(SYSTEM_PROGRAM)
  fc.assert(
    fc.property(claimOf(anyAddress), claim => {
      const { message } = umi.transactions.deserialize(Buffer.from(buildClaimTransaction(claim), 'base64'))
      const isPool = claim.bucket.kind === 'raydiumCpmmV2'
      expect(message.instructions.map(({ data }) => data[0])).toEqual([
        ...(claim.createsTokenAccount ? [CREATE_IDEMPOTENT] : []),
        ...(isPool && claim.collect ? [collectRaydiumCpmmFeesWithCreatorFeeV2InstructionDiscriminator] : []),
        isPool
          ? claimRaydiumCreatorFeeV2InstructionDiscriminator
          : claimBondingCurveCreatorFeeV2InstructionDiscriminator,
      ])
    }),
    { numRuns: 25 },
  )
})
const CREATE_IDEMPOTENT = 1

test('a claim leaves 100 bytes for instructions that a wallet adds', () => {
  let largest = 0
  fc.assert(
    fc.property(claimOf(anyAddress), claim => {
      const bytes = Buffer.from(buildClaimTransaction(claim), 'base64')
      largest = Math.max(largest, bytes.length)
      // The payer is the only signer, and has not signed.
      expect([bytes[0], bytes[65], bytes[66], bytes[67]]).toEqual([1, 0x80, 1, 0])
      expect(bytes.subarray(1, 65).every(byte => byte === 0)).toBe(true)
    }),
    { numRuns: 200 },
  )
  expect(largest).toBeGreaterThan(900)
  expect(largest).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX - 100)
})

test('a claim that is unwrapped leaves 100 bytes too, and the wallet signs', () => {
  let largest = 0
  fc.assert(
    fc.property(claimOf(anyAddress), fc.boolean(), (claim, isHeld) => {
      const native = { quoteMint: WRAPPED_NATIVE_MINT, quoteTokenProgram: TOKEN_PROGRAM }
      const unwraps = { quote: isHeld ? { amount: 5n, isDelegated: false } : undefined, accountRent: 7n }
      const bytes = Buffer.from(buildClaimTransaction({ ...claim, ...native, unwraps }), 'base64')
      largest = Math.max(largest, bytes.length)
      expect(bytes[0]).toBe(claim.payer === claim.wallet ? 1 : 2)
    }),
    { numRuns: 100 },
  )
  expect(largest).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX - 100)
})

test('a claim from a kind of bucket that pays no creator throws', () => {
  const [claim] = fc.sample(claimOf(anyAddress), 1)
  if (!claim) throw new Error('no sample')
  expect(() => buildClaimTransaction({ ...claim, bucket: { ...claim.bucket, kind: 'presaleV2' } })).toThrow(
    'presaleV2',
  )
})
