import { CORE_PROGRAM, GENESIS_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { writeLaunchAccounts } from '@slipway/local-chain/testing/written-launch'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { decodeBucket } from './bucket.ts'
import { decodeGenesisAccount } from './genesis-account.ts'
import { accountOf, HERE } from './test-accounts.ts'

test('the accounts of a launch are decoded', () => {
  const mint = 'Mint111111111111111111111111111111111111111' as Address
  const creator = 'Creator111111111111111111111111111111111111' as Address
  const at = launchAddresses(mint, 'bondingCurveV2')
  const accounts = writeLaunchAccounts(
    {
      mint,
      authority: creator,
      supply: 1_000_000n,
      depositedLamports: 5n,
      creator,
      curve: { accrued: 7n, claimed: 2n },
      amm: { graduatedAt: 1_700_000_000, accrued: 30n, claimed: 10n },
    },
    () => 1n,
  )
  const read = (address: Address) =>
    accountOf(GENESIS_PROGRAM, accounts.get(address)?.data as Uint8Array, address)
  expect(decodeGenesisAccount(read(at.genesis))).toMatchObject({
    exists: true,
    index: 0,
    finalized: true,
    authority: creator,
    baseMint: mint,
    quoteMint: WRAPPED_NATIVE_MINT,
    totalSupply: 1_000_000n,
    bucketCount: 2,
  })
  expect(decodeBucket(read(at.primary))).toMatchObject({
    kind: 'bondingCurveV2',
    genesis: at.genesis,
    bucketIndex: 0,
    baseMint: mint,
    quoteMint: WRAPPED_NATIVE_MINT,
    conditions: {
      SwapStart: { kind: 'TimeAbsolute', time: 0n },
      SwapEnd: { kind: 'Triggered', triggeredTimestamp: 1_700_000_000n },
    },
    endBehaviors: [{ kind: 'SendQuoteTokenPercentage', processed: true }],
    creatorFee: { wallet: creator, accrued: 7n, claimed: 2n },
  })
  expect(decodeBucket(read(at.amm))).toMatchObject({
    kind: 'raydiumCpmmV2',
    graduatedBaseTokenAmount: 200_000n,
    creatorFee: { wallet: creator, accrued: 30n, claimed: 10n },
  })
  expect(decodeBucket(read(at.genesis))).toMatchObject({ reason: 'other-kind' })
  expect(decodeGenesisAccount(read(at.amm))).toMatchObject({ reason: 'other-kind' })
  expect(decodeBucket({ ...read(at.amm), owner: CORE_PROGRAM } as never)).toMatchObject({ reason: 'foreign' })
  expect(decodeBucket({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
})
