import {
  claimBondingCurveCreatorFeeV2,
  fetchBondingCurveBucketV2,
  fetchRaydiumCpmmBucketV2,
  LaunchType,
  setLaunchTypeV2,
} from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import { expect, test } from 'vitest'
import { startWithCreatorFees } from '../../testing/creator-fees.ts'
import { call } from '../../testing/start-chain.ts'
import { associatedToken, buildTokenAccount } from '../../testing/token-accounts.ts'
import { asAddress, custom, mustSend, send, signer, wallet } from '../../testing/umi-wallet.ts'

// No public binary has these instructions yet, so there is nothing to compare the stand-in with.

test('a curve pays its creator once, and creates the token account if needed', async () => {
  const { local, umi, creator, tokens, writeLaunch, claimCurve } = await startWithCreatorFees()
  const at = writeLaunch({ curve: { accrued: 700_000_000n, claimed: 200_000_000n } })
  await mustSend(local, umi, claimCurve(at))
  expect(tokens(creator)).toBe(500_000_000n)
  expect(tokens(at.primary)).toBe(5_000_000_000n)
  const bucket = await fetchBondingCurveBucketV2(umi, publicKey(at.primary))
  expect([bucket.creatorFeeAccrued, bucket.creatorFeeClaimed]).toEqual([700_000_000n, 700_000_000n])
  const payer = wallet(local)
  const again = claimBondingCurveCreatorFeeV2(payer, {
    genesisAccount: publicKey(at.genesis),
    bucket: publicKey(at.primary),
    baseMint: publicKey(at.mint),
    creatorFeeWallet: publicKey(creator),
  })
  expect((await send(local, payer, again)).err).toEqual(custom(26))
})

test('a curve pays only its creator', async () => {
  const { local, umi, rent, tokens, writeLaunch, claimCurve } = await startWithCreatorFees()
  const at = writeLaunch({ curve: { accrued: 700_000_000n, claimed: 0n } })
  const other = writeLaunch({ curve: { accrued: 700_000_000n, claimed: 0n } })
  const without = writeLaunch({ creator: undefined as never })
  expect((await send(local, umi, claimCurve(at, { creatorFeeWallet: umi.payer.publicKey }))).err).toEqual(
    custom(218),
  )
  const attacker = asAddress(umi.payer.publicKey)
  const theirs = publicKey(associatedToken(WRAPPED_SOL, attacker))
  // The creator's token account cannot be created at another wallet's token address.
  expect((await send(local, umi, claimCurve(at, { creatorFeeWalletQuoteTokenAccount: theirs }))).err).toEqual(
    { InstructionError: [0, 'InvalidSeeds'] },
  )
  local.chain.writeAccounts(
    new Map([[asAddress(theirs), buildTokenAccount(WRAPPED_SOL, attacker, 0n, rent)]]),
  )
  // A new slot has a new blockhash, so that the next attempt is not a repeat.
  await new Promise(resolve => setTimeout(resolve, 450))
  local.chain.tick()
  expect((await send(local, umi, claimCurve(at, { creatorFeeWalletQuoteTokenAccount: theirs }))).err).toEqual(
    custom(218),
  )
  expect((await send(local, umi, claimCurve(at, { bucket: publicKey(other.primary) }))).err).toEqual(
    custom(35),
  )
  expect((await send(local, umi, claimCurve(at, { bucket: umi.payer.publicKey }))).err).toEqual(custom(27))
  expect((await send(local, umi, claimCurve(at, { bucket: publicKey(at.genesis) }))).err).toEqual(custom(27))
  expect((await send(local, umi, claimCurve(at, { genesisAccount: publicKey(at.primary) }))).err).toEqual(
    custom(47),
  )
  expect((await send(local, umi, claimCurve(at, { baseMint: publicKey(other.mint) }))).err).toEqual(
    custom(34),
  )
  expect((await send(local, umi, claimCurve(without))).err).toEqual(custom(216))
  expect(tokens(at.primary)).toBe(5_700_000_000n)
})

test("a pool's fees can be collected and claimed in one transaction", async () => {
  const { local, umi, creator, tokens, writeLaunch, claimPool, collect } = await startWithCreatorFees()
  const at = writeLaunch({
    amm: { graduatedAt: 1, accrued: 300n, claimed: 100n },
    pool: { base: 40n, quote: 2_000_000n },
  })
  await mustSend(local, umi, collect(at).add(claimPool(at)))
  expect(tokens(creator)).toBe(2_000_200n)
  expect(tokens(at.ammSigner)).toBe(0n)
  expect(tokens(asAddress(at.raydium.raydiumSigner), at.mint)).toBe(40n)
  const bucket = await fetchRaydiumCpmmBucketV2(umi, publicKey(at.amm))
  expect([bucket.creatorFeeAccrued, bucket.creatorFeeClaimed]).toEqual([2_000_300n, 2_000_300n])
  expect((await send(local, umi, claimPool(at))).err).toEqual(custom(26))
  expect((await send(local, umi, collect(at))).err).toEqual(custom(6014))
})

test('a failed claim undoes a collection in the same transaction', async () => {
  const { local, umi, tokens, writeLaunch, claimPool, collect } = await startWithCreatorFees()
  const at = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 0n, quote: 2_000_000n },
  })
  const wrong = collect(at).add(claimPool(at, { creatorFeeWallet: umi.payer.publicKey }))
  expect((await send(local, umi, wrong)).err).toEqual(custom(218, 1))
  expect(tokens(at.ammSigner)).toBe(0n)
  expect((await fetchRaydiumCpmmBucketV2(umi, publicKey(at.amm))).creatorFeeAccrued).toBe(0n)
  await mustSend(local, umi, collect(at))
  expect(tokens(at.ammSigner)).toBe(2_000_000n)
})

test("two memcmp filters find a creator's buckets", async () => {
  const { local, umi, creator, writeLaunch } = await startWithCreatorFees()
  const at = writeLaunch({ amm: { graduatedAt: 1, accrued: 300n, claimed: 100n } })
  writeLaunch({ creator: asAddress(umi.payer.publicKey) })
  const find = async (first: string, offset: number) => {
    const { result } = await call(
      local,
      'getProgramAccounts',
      'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B',
      {
        commitment: 'confirmed',
        encoding: 'base64',
        filters: [{ memcmp: { offset: 0, bytes: first } }, { memcmp: { offset, bytes: creator } }],
      },
    )
    return (result as { pubkey: string }[]).map(found => found.pubkey)
  }
  expect(await find('S', 576)).toEqual([at.primary])
  expect(await find('P', 888)).toEqual([at.amm])
})

test('an instruction without a stand-in says that it needs the real program', async () => {
  const { local, umi } = await startWithCreatorFees()
  const builder = setLaunchTypeV2(umi, {
    genesisAccount: signer(umi).publicKey,
    baseMint: signer(umi).publicKey,
    launchType: LaunchType.Meme,
    padding: Array(6).fill(0),
  })
  const { err, logs } = await send(local, umi, builder)
  expect(err).toEqual(custom(16))
  expect(logs.join('\n')).toContain('npm run chain:programs')
})
