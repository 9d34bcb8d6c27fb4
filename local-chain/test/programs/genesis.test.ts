import {
  claimBondingCurveCreatorFeeV2,
  claimRaydiumCreatorFeeV2,
  collectRaydiumCpmmFeesWithCreatorFeeV2,
  deriveRaydiumPDAsV2,
  fetchBondingCurveBucketV2,
  fetchRaydiumCpmmBucketV2,
  initializeV2,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
} from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LocalChain } from '../../src/index.ts'
import { blankPool, encodePoolFees } from '../../src/programs/genesis/pool-state.ts'
import {
  buildLaunchAccounts,
  type LaunchPlan,
  launchAddresses,
  WRAPPED_SOL,
} from '../../src/world/launch-accounts.ts'
import { associatedToken, buildMint, buildTokenAccount } from '../../src/world/token-accounts.ts'
import { call } from '../start-chain.ts'
import { asAddress, custom, mustSend, send, signer, startWith, wallet } from './on-chain.ts'

// No binary that can be had knows these instructions yet, so they are only checked here.
describe('creator fees, stand-ins', () => {
  let local: LocalChain
  let umi: ReturnType<typeof wallet>
  let creator: Address
  beforeEach(async () => {
    local = await startWith('stand-ins')
    umi = wallet(local)
    creator = asAddress(signer(umi).publicKey)
  })
  const rent = (size: number) => local.chain.vm.rentExemptMinimum(size)
  const tokens = (owner: Address, mint: Address = WRAPPED_SOL) => {
    const data = local.chain.account(associatedToken(mint, owner))?.data
    return data ? new DataView(data.buffer, data.byteOffset).getBigUint64(64, true) : undefined
  }

  function launch(plan: Partial<LaunchPlan> = {}, poolFees?: { base: bigint; quote: bigint }) {
    const mint = asAddress(signer(umi).publicKey)
    const full: LaunchPlan = {
      mechanic: 'bondingCurveV2',
      mint,
      authority: asAddress(umi.payer.publicKey),
      startTime: 0,
      endTime: 0,
      supply: 1_000_000_000_000_000n,
      depositedLamports: 5_000_000_000n,
      creatorWallet: creator,
      ...plan,
    }
    const at = launchAddresses(mint, full.mechanic)
    const raydium = deriveRaydiumPDAsV2(umi, publicKey(mint), publicKey(at.amm), {
      creatorFee: true,
      env: 'mainnet',
    })
    const changes = buildLaunchAccounts(full, rent)
    changes.set(mint, buildMint(undefined, full.supply, 6, rent))
    changes.set(
      associatedToken(WRAPPED_SOL, at.primary),
      buildTokenAccount(WRAPPED_SOL, at.primary, 5_000_000_000n, rent),
    )
    if (poolFees) {
      const fees = raydium.isProjectMintToken0
        ? [poolFees.base, poolFees.quote]
        : [poolFees.quote, poolFees.base]
      const data = encodePoolFees(
        blankPool(raydium.token0Mint, raydium.token1Mint),
        fees[0] as bigint,
        fees[1] as bigint,
      )
      changes.set(at.pool, {
        lamports: rent(data.length),
        owner: asAddress(raydium.raydiumProgram),
        data,
        executable: false,
      })
      const authority = asAddress(raydium.poolAuthority)
      changes.set(
        asAddress(raydium.quoteVault),
        buildTokenAccount(WRAPPED_SOL, authority, 9_000_000_000n, rent),
      )
      changes.set(asAddress(raydium.baseVault), buildTokenAccount(mint, authority, 1_000_000n, rent))
    }
    if (full.amm) {
      changes.set(
        associatedToken(WRAPPED_SOL, at.ammSigner),
        buildTokenAccount(WRAPPED_SOL, at.ammSigner, full.amm.accrued - full.amm.claimed, rent),
      )
    }
    local.chain.writeAccounts(changes)
    return { ...at, mint, raydium }
  }
  type Launch = ReturnType<typeof launch>
  const claimCurve = (at: Launch, more: object = {}) =>
    claimBondingCurveCreatorFeeV2(umi, {
      genesisAccount: publicKey(at.genesis),
      bucket: publicKey(at.primary),
      baseMint: publicKey(at.mint),
      creatorFeeWallet: publicKey(creator),
      ...more,
    })
  const claimPool = (at: Launch, more: object = {}) =>
    claimRaydiumCreatorFeeV2(umi, {
      genesisAccount: publicKey(at.genesis),
      bucket: publicKey(at.amm),
      baseMint: publicKey(at.mint),
      creatorFeeWallet: publicKey(creator),
      ...more,
    })
  const collect = (at: Launch, more: object = {}) =>
    collectRaydiumCpmmFeesWithCreatorFeeV2(umi, {
      ...at.raydium,
      baseMint: publicKey(at.mint),
      genesisAccount: publicKey(at.genesis),
      raydiumCpmmBucket: publicKey(at.amm),
      ...more,
    })

  test('a curve pays its creator once, into an account that is made on the way', async () => {
    const at = launch({ creatorFee: { accrued: 700_000_000n, claimed: 200_000_000n } })
    await mustSend(local, umi, claimCurve(at))
    expect(tokens(creator)).toBe(500_000_000n)
    expect(tokens(at.primary)).toBe(4_500_000_000n)
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

  test('a curve pays nobody but its creator', async () => {
    const at = launch({ creatorFee: { accrued: 700_000_000n, claimed: 0n } })
    const other = launch({ creatorFee: { accrued: 700_000_000n, claimed: 0n } })
    const without = launch({ creatorWallet: undefined as never })
    expect((await send(local, umi, claimCurve(at, { creatorFeeWallet: umi.payer.publicKey }))).err).toEqual(
      custom(218),
    )
    const thief = asAddress(umi.payer.publicKey)
    const theirs = publicKey(associatedToken(WRAPPED_SOL, thief))
    // One that does not exist cannot be made for the creator at another's address.
    expect(
      (await send(local, umi, claimCurve(at, { creatorFeeWalletQuoteTokenAccount: theirs }))).err,
    ).toEqual({ InstructionError: [0, 'InvalidSeeds'] })
    local.chain.writeAccounts(new Map([[asAddress(theirs), buildTokenAccount(WRAPPED_SOL, thief, 0n, rent)]]))
    await new Promise(resolve => setTimeout(resolve, 450))
    expect(
      (await send(local, umi, claimCurve(at, { creatorFeeWalletQuoteTokenAccount: theirs }))).err,
    ).toEqual(custom(218))
    expect((await send(local, umi, claimCurve(at, { bucket: publicKey(other.primary) }))).err).toEqual(
      custom(35),
    )
    expect((await send(local, umi, claimCurve(at, { bucket: umi.payer.publicKey }))).err).toEqual(custom(27))
    expect((await send(local, umi, claimCurve(at, { bucket: publicKey(at.genesis) }))).err).toEqual(
      custom(27),
    )
    expect((await send(local, umi, claimCurve(at, { genesisAccount: publicKey(at.primary) }))).err).toEqual(
      custom(47),
    )
    expect((await send(local, umi, claimCurve(at, { baseMint: publicKey(other.mint) }))).err).toEqual(
      custom(34),
    )
    expect((await send(local, umi, claimCurve(without))).err).toEqual(custom(216))
    expect(tokens(at.primary)).toBe(5_000_000_000n)
  })

  test("the pool's fees are collected and claimed in one transaction", async () => {
    const at = launch(
      { amm: { graduatedAt: 1, accrued: 300n, claimed: 100n } },
      { base: 40n, quote: 2_000_000n },
    )
    await mustSend(local, umi, collect(at).add(claimPool(at)))
    expect(tokens(creator)).toBe(2_000_200n)
    expect(tokens(at.ammSigner)).toBe(0n)
    expect(tokens(asAddress(at.raydium.raydiumSigner), at.mint)).toBe(40n)
    const bucket = await fetchRaydiumCpmmBucketV2(umi, publicKey(at.amm))
    expect([bucket.creatorFeeAccrued, bucket.creatorFeeClaimed]).toEqual([2_000_300n, 2_000_300n])
    expect((await send(local, umi, claimPool(at))).err).toEqual(custom(26))
    expect((await send(local, umi, collect(at))).err).toEqual(custom(6014))
  })

  test('what is collected stays when the claim behind it fails, only if it was sent before', async () => {
    const at = launch({ amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } }, { base: 0n, quote: 2_000_000n })
    const wrong = collect(at).add(claimPool(at, { creatorFeeWallet: umi.payer.publicKey }))
    expect((await send(local, umi, wrong)).err).toEqual(custom(218, 1))
    expect(tokens(at.ammSigner)).toBe(0n)
    expect((await fetchRaydiumCpmmBucketV2(umi, publicKey(at.amm))).creatorFeeAccrued).toBe(0n)
    await mustSend(local, umi, collect(at))
    expect(tokens(at.ammSigner)).toBe(2_000_000n)
  })

  test('collecting checks the pool', async () => {
    const at = launch({ amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } }, { base: 0n, quote: 2_000_000n })
    const other = launch(
      { amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } },
      { base: 0n, quote: 2_000_000n },
    )
    expect((await send(local, umi, collect(at, { poolState: publicKey(other.pool) }))).err).toEqual(
      custom(219),
    )
    expect((await send(local, umi, collect(at, { raydiumProgram: umi.payer.publicKey }))).err).toEqual(
      custom(137),
    )
    expect((await send(local, umi, collect(at, { bucketSigner: umi.payer.publicKey }))).err).toEqual(
      custom(136),
    )
    expect((await send(local, umi, collect(at, { ammConfig: umi.payer.publicKey }))).err).toEqual(
      custom(2012),
    )
    const devnet = publicKey(RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET)
    expect((await send(local, umi, collect(at, { raydiumProgram: devnet }))).err).toEqual(custom(206))
  })

  test('what is collected goes to the bucket and to the signer of the pool, and to nobody else', async () => {
    const at = launch({ amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } }, { base: 40n, quote: 2_000_000n })
    const thief = asAddress(umi.payer.publicKey)
    const theirs = (mint: Address) => publicKey(associatedToken(mint, thief))
    local.chain.writeAccounts(
      new Map(
        [WRAPPED_SOL, at.mint].map(mint => [
          asAddress(theirs(mint)),
          buildTokenAccount(mint, thief, 0n, rent),
        ]),
      ),
    )
    const taking = (more: object) => send(local, umi, collect(at, more))
    expect((await taking({ bucketSignerQuoteTokenAccount: theirs(WRAPPED_SOL) })).err).toEqual(custom(143))
    expect((await taking({ raydiumSignerBaseTokenAccount: theirs(at.mint) })).err).toEqual(custom(2015))
    expect([tokens(thief), tokens(thief, at.mint)]).toEqual([0n, 0n])
  })

  test('collecting takes from the vaults of the pool and from nobody else', async () => {
    const at = launch({ amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } }, { base: 0n, quote: 2_000_000n })
    const other = launch(
      { amm: { graduatedAt: 1, accrued: 0n, claimed: 0n } },
      { base: 0n, quote: 2_000_000n },
    )
    const victim = asAddress(signer(umi).publicKey)
    const theirs = associatedToken(WRAPPED_SOL, victim)
    local.chain.writeAccounts(
      new Map([[theirs, buildTokenAccount(WRAPPED_SOL, victim, 5_000_000_000n, rent)]]),
    )
    const robbery = { quoteVault: publicKey(theirs), poolAuthority: publicKey(victim) }
    expect((await send(local, umi, collect(at, robbery))).err).toEqual(custom(2006))
    for (const vault of [{ quoteVault: other.raydium.quoteVault }, { baseVault: other.raydium.baseVault }]) {
      expect((await send(local, umi, collect(at, vault))).err).toEqual(custom(2003))
    }
    expect(tokens(victim)).toBe(5_000_000_000n)
    expect(tokens(at.ammSigner)).toBe(0n)
  })

  test("the creator's buckets are found by two byte filters", async () => {
    const at = launch({ amm: { graduatedAt: 1, accrued: 300n, claimed: 100n } })
    launch({ creatorWallet: asAddress(umi.payer.publicKey) })
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

  test('what only the real program can do says so', async () => {
    const builder = initializeV2(umi, {
      baseMint: signer(umi),
      fundingMode: 0,
      totalSupplyBaseToken: 1n,
      name: 'x',
      uri: 'x',
      symbol: 'x',
    } as never)
    const { err, logs } = await send(local, umi, builder)
    expect(err).toEqual(custom(16))
    expect(logs.join('\n')).toContain('npm run chain:programs')
  })
})
