import {
  claimBondingCurveCreatorFeeV2,
  deriveRaydiumPDAsV2,
  fetchBondingCurveBucketV2,
  fetchRaydiumCpmmBucketV2,
  getBondingCurveSwapEventSerializer,
  getSwapResult,
  graduateToRaydiumCpmmV2,
  isGraduated,
  isSoldOut,
  isSwappable,
  SwapDirection,
  swapBondingCurveV2,
  triggerBehaviorsV2,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import {
  createAssociatedToken,
  findAssociatedTokenPda,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import { isSome, type PublicKey, sol } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import { decodeTokenAccount } from '../../../ledger/token-balances.ts'
import { CURVE_NUMBERS, curveSteps, newLaunch, sendQuote, timeAt } from '../../../testing/launches.ts'
import { startChain } from '../../../testing/start-chain.ts'
import { asAddress, custom, mustSend, send, signer, wallet } from '../../../testing/umi-wallet.ts'

/** A chain with one bonding curve, and a buyer with wrapped SOL. */
async function startCurve(
  options: { firstBuy?: bigint; shareBps?: number; times?: { start: number; end: number } } = {},
) {
  const local = await startChain()
  const umi = wallet(local, undefined, 500_000_000_000n)
  const launch = newLaunch(umi)
  const creator = signer(umi).publicKey
  const steps = curveSteps(launch, creator)
  const { firstBuy, times } = options
  if (times)
    steps[1] = launch.addCurve({
      swapStartCondition: timeAt(times.start),
      swapEndCondition: timeAt(times.end),
    })
  if (firstBuy !== undefined)
    steps.splice(
      2,
      0,
      launch.extendCurve([{ __kind: 'FirstBuy', buyer: umi.payer.publicKey, amount: firstBuy }], umi.payer),
    )
  if (options.shareBps !== undefined) {
    const twice = [launch.raydium, launch.raydium].map(bucket => sendQuote(bucket, options.shareBps ?? 0))
    steps.splice(-1, 0, launch.setCurveBehaviors(...twice))
  }
  for (const step of steps) await mustSend(local, umi, step)
  const tokenAccount = (owner: PublicKey, mint: PublicKey = WRAPPED_SOL_MINT) =>
    findAssociatedTokenPda(umi, { mint, owner })[0]
  await mustSend(
    local,
    umi,
    createAssociatedToken(umi, { mint: WRAPPED_SOL_MINT })
      .add(transferSol(umi, { destination: tokenAccount(umi.payer.publicKey), amount: sol(300) }))
      .add(syncNative(umi, { account: tokenAccount(umi.payer.publicKey) })),
  )
  const tokens = (owner: PublicKey, mint?: PublicKey) =>
    decodeTokenAccount(local.chain.account(asAddress(tokenAccount(owner, mint))))?.amount ?? 0n
  const swap = (swapDirection: SwapDirection, amount: bigint, minAmountOutScaled = 0n, by = umi) =>
    swapBondingCurveV2(by, {
      genesisAccount: launch.genesisAccount,
      bucket: launch.curve,
      baseMint: launch.mint,
      baseTokenAccount: tokenAccount(by.payer.publicKey, launch.mint),
      quoteTokenAccount: tokenAccount(by.payer.publicKey),
      swapDirection,
      amount,
      minAmountOutScaled,
    })
  const curve = () => fetchBondingCurveBucketV2(umi, launch.curve)
  return { local, umi, launch, creator, tokens, tokenAccount, swap, curve }
}

test("buys and sells move what the official client's quote says, and a minimum above it is refused", async () => {
  const { local, umi, launch, tokens, swap, curve } = await startCurve()
  const me = umi.payer.publicKey
  for (const [direction, amount] of [
    [SwapDirection.Buy, 3_333_333_333n],
    [SwapDirection.Buy, 1_000n],
    [SwapDirection.Sell, 12_345_678_901n],
    // More than is left.
    [SwapDirection.Buy, 200_000_000_000n],
  ] as const) {
    const quote = getSwapResult(await curve(), amount, direction)
    const before = { base: tokens(me, launch.mint), quote: tokens(me) }
    expect((await send(local, umi, swap(direction, amount, quote.amountOut + 1n))).err).toEqual(custom(87))
    await mustSend(local, umi, swap(direction, amount, quote.amountOut))
    const moved = { base: tokens(me, launch.mint) - before.base, quote: tokens(me) - before.quote }
    expect(moved).toEqual(
      direction === SwapDirection.Buy
        ? { base: quote.amountOut, quote: -quote.amountIn }
        : { base: -quote.amountIn, quote: quote.amountOut },
    )
  }
})

test('a claim pays the creator every unit that trades have accrued, and leaves the proceeds alone', async () => {
  const { local, umi, launch, creator, tokens, swap, curve } = await startCurve()
  await mustSend(local, umi, swap(SwapDirection.Buy, 7_777_777_777n))
  await mustSend(local, umi, swap(SwapDirection.Sell, 55_555_555_555n))
  const { creatorFeeAccrued, bucket } = await curve()
  expect(creatorFeeAccrued).toBeGreaterThan(7_777_777_777n / 200n)
  expect(tokens(launch.curve)).toBe(bucket.quoteTokenBalance + creatorFeeAccrued)
  await mustSend(
    local,
    umi,
    claimBondingCurveCreatorFeeV2(umi, {
      genesisAccount: launch.genesisAccount,
      bucket: launch.curve,
      baseMint: launch.mint,
      creatorFeeWallet: creator,
    }),
  )
  expect(tokens(creator)).toBe(creatorFeeAccrued)
  expect(tokens(launch.curve)).toBe(bucket.quoteTokenBalance)
})

test('a swap emits the event that indexers decode', async () => {
  const { local, umi, swap, curve } = await startCurve()
  const { inner } = await send(local, umi, swap(SwapDirection.Buy, 1_000_000_000n))
  const event = inner.flat().find(({ data }) => data[0] === 255)
  const [decoded] = getBondingCurveSwapEventSerializer().deserialize(event?.data.slice(1) ?? new Uint8Array())
  const { quoteTokenDepositTotal, creatorFeeAccrued } = await curve()
  expect(decoded).toMatchObject({
    swapDirection: SwapDirection.Buy,
    quoteTokenAmount: 1_000_000_000n,
    creatorFee: creatorFeeAccrued,
    quoteTokenDepositTotal,
  })
})

test('only the designated buyer can make the first buy, for the exact amount and without fees', async () => {
  const { local, umi, launch, tokens, swap, curve } = await startCurve({ firstBuy: 2_000_000_000n })
  const stranger = wallet(local)
  expect((await send(local, stranger, swap(SwapDirection.Buy, 2_000_000_000n, 0n, stranger))).err).toEqual(
    custom(210),
  )
  expect((await send(local, umi, swap(SwapDirection.Buy, 1_999_999_999n))).err).toEqual(custom(211))
  expect((await send(local, umi, swap(SwapDirection.Sell, 5n))).err).toEqual(custom(210))
  const quote = getSwapResult(await curve(), 2_000_000_000n, SwapDirection.Buy, true)
  await mustSend(local, umi, swap(SwapDirection.Buy, 2_000_000_000n))
  expect(tokens(umi.payer.publicKey, launch.mint)).toBe(quote.amountOut)
  expect(await curve()).toMatchObject({ creatorFeeAccrued: 0n, extensions: { firstBuyDone: true } })
  await mustSend(local, umi, swap(SwapDirection.Sell, 5_000_000_000n))
})

test('a swap needs the signature of the wallet that pays', async () => {
  const { local, umi, launch, tokenAccount, swap } = await startCurve()
  const thief = wallet(local)
  const steal = (direction: SwapDirection) =>
    swapBondingCurveV2(thief, {
      genesisAccount: launch.genesisAccount,
      bucket: launch.curve,
      baseMint: launch.mint,
      baseTokenAccount: tokenAccount(umi.payer.publicKey, launch.mint),
      quoteTokenAccount: tokenAccount(umi.payer.publicKey),
      baseTokenOwner: umi.payer.publicKey,
      quoteTokenOwner: umi.payer.publicKey,
      swapDirection: direction,
      amount: 1_000_000n,
      minAmountOutScaled: 0n,
    })
  await mustSend(local, umi, swap(SwapDirection.Buy, 1_000_000_000n))
  for (const direction of [SwapDirection.Buy, SwapDirection.Sell])
    expect((await send(local, thief, steal(direction))).err).toEqual({
      InstructionError: [0, 'MissingRequiredSignature'],
    })
})

test('a sale must deliver its tokens to the launch', async () => {
  const { local, umi, launch, tokens, tokenAccount, swap } = await startCurve()
  await mustSend(local, umi, swap(SwapDirection.Buy, 1_000_000_000n))
  const [mine, stranger] = [tokenAccount(umi.payer.publicKey, launch.mint), wallet(local)]
  await mustSend(
    local,
    umi,
    createAssociatedToken(umi, { mint: launch.mint, owner: stranger.payer.publicKey }),
  )
  for (const genesisBaseTokenAccount of [mine, tokenAccount(stranger.payer.publicKey, launch.mint)]) {
    const cheat = swapBondingCurveV2(umi, {
      genesisAccount: launch.genesisAccount,
      bucket: launch.curve,
      baseMint: launch.mint,
      genesisBaseTokenAccount,
      baseTokenAccount: mine,
      quoteTokenAccount: tokenAccount(umi.payer.publicKey),
      swapDirection: SwapDirection.Sell,
      amount: 1_000_000n,
      minAmountOutScaled: 0n,
    })
    expect((await send(local, umi, cheat)).err).toEqual(custom(38))
  }
  expect(tokens(umi.payer.publicKey)).toBe(299_000_000_000n)
})

test('behaviors cannot send more than the proceeds, because the rest of the account is the creator fee', async () => {
  const { local, umi, launch, swap } = await startCurve({ shareBps: 6_000 })
  await mustSend(local, umi, swap(SwapDirection.Buy, 200_000_000_000n))
  const amm = await fetchRaydiumCpmmBucketV2(umi, launch.raydium)
  const account = findAssociatedTokenPda(umi, { mint: WRAPPED_SOL_MINT, owner: amm.bucketSigner })[0]
  const trigger = triggerBehaviorsV2(umi, {
    genesisAccount: launch.genesisAccount,
    baseMint: launch.mint,
    primaryBucket: launch.curve,
  }).addRemainingAccounts(
    [launch.raydium, account].map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
  )
  expect((await send(local, umi, trigger)).err).toEqual(custom(168))
})

test('a sold-out curve that ends at a set time takes tokens back and sells them again', async () => {
  const { local, umi, launch, tokens, swap, curve } = await startCurve({ times: { start: 0, end: 2 ** 40 } })
  await mustSend(local, umi, swap(SwapDirection.Buy, 200_000_000_000n))
  expect((await send(local, umi, swap(SwapDirection.Buy, 1_000_000n))).err).toEqual(custom(93))
  await mustSend(local, umi, swap(SwapDirection.Sell, 5_000_000_000n))
  await mustSend(local, umi, swap(SwapDirection.Buy, 2_000_000n))
  const { baseTokenBalance } = (await curve()).bucket
  expect(baseTokenBalance).toBeLessThan(5_000_000_000n)
  expect(tokens(umi.payer.publicKey, launch.mint)).toBe(CURVE_NUMBERS.onCurve - baseTokenBalance)
})

test('a wallet that cannot pay is refused for that, even while the curve is closed', async () => {
  const early = { start: 2 ** 40, end: 2 ** 41 }
  for (const [times, closed] of [
    [early, 90],
    [{ start: 0, end: 1 }, 91],
  ] as const) {
    const { local, umi, swap } = await startCurve({ times })
    const poor = wallet(local)
    expect((await send(local, umi, swap(SwapDirection.Buy, 1_000_000n))).err).toEqual(custom(closed))
    expect((await send(local, poor, swap(SwapDirection.Buy, 1_000_000n, 0n, poor))).err).toEqual(custom(1))
    expect((await send(local, umi, swap(SwapDirection.Buy, 0n))).err).toEqual(custom(86))
  }
})

test('a trade uses only the associated token accounts of its wallet', async () => {
  const { local, umi, launch, tokenAccount } = await startCurve()
  const other = wallet(local)
  await mustSend(local, other, createAssociatedToken(other, { mint: WRAPPED_SOL_MINT }))
  const { err } = await send(
    local,
    umi,
    swapBondingCurveV2(umi, {
      genesisAccount: launch.genesisAccount,
      bucket: launch.curve,
      baseMint: launch.mint,
      baseTokenAccount: tokenAccount(umi.payer.publicKey, launch.mint),
      quoteTokenAccount: tokenAccount(other.payer.publicKey),
      swapDirection: SwapDirection.Buy,
      amount: 1_000_000n,
      minAmountOutScaled: 0n,
    }),
  )
  expect(err).toEqual({ InstructionError: [0, 'MissingAccount'] })
})

test('a curve that is sold out ends, and graduates to a pool at its last price', async () => {
  const { local, umi, launch, creator, tokens, swap, curve } = await startCurve()
  expect((await send(local, umi, swap(SwapDirection.Buy, 999n))).err).toEqual(custom(215))
  const amm = await fetchRaydiumCpmmBucketV2(umi, launch.raydium)
  const pdas = deriveRaydiumPDAsV2(umi, launch.mint, launch.raydium, { creatorFee: true, env: 'mainnet' })
  const common = { genesisAccount: launch.genesisAccount, baseMint: launch.mint }
  const trigger = () =>
    triggerBehaviorsV2(umi, { ...common, primaryBucket: launch.curve }).addRemainingAccounts(
      [
        launch.raydium,
        findAssociatedTokenPda(umi, { mint: WRAPPED_SOL_MINT, owner: amm.bucketSigner })[0],
      ].map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
    )
  const graduate = (more: object = {}) =>
    graduateToRaydiumCpmmV2(umi, { ...pdas, ...common, bucket: launch.raydium, ...more })
  expect((await send(local, umi, trigger())).err).toEqual(custom(88))
  expect((await send(local, umi, graduate())).err).toEqual(custom(135))
  await mustSend(local, umi, swap(SwapDirection.Buy, 200_000_000_000n))
  const sold = await curve()
  expect([isSoldOut(sold), isSwappable(sold), isSome(sold.swapEndCondition.triggeredTimestamp)]).toEqual([
    true,
    false,
    true,
  ])
  expect((await send(local, umi, swap(SwapDirection.Sell, 1_000_000n))).err).toEqual(custom(91))

  await mustSend(local, umi, trigger().add(graduate()))
  expect(await isGraduated(umi, sold)).toBe(true)
  // With the SDK's numbers, the pool gets all proceeds and all tokens that were set aside for it, up to rounding.
  const vault = (key: PublicKey) => decodeTokenAccount(local.chain.account(asAddress(key)))?.amount ?? 0n
  expect(CURVE_NUMBERS.inPool - vault(pdas.baseVault)).toBeLessThan(10n)
  expect(vault(pdas.quoteVault)).toBe(sold.bucket.quoteTokenBalance)
  const graduated = await fetchRaydiumCpmmBucketV2(umi, launch.raydium)
  expect(graduated).toMatchObject({ poolState: pdas.poolState, quoteTokenInSigner: 0n })
  expect((await send(local, umi, graduate({ payer: umi.payer }))).err).toEqual(custom(188))
  // The creator can still claim what the curve accrued.
  const fee = sold.creatorFeeAccrued
  expect(tokens(launch.curve)).toBe(fee)
  const claim = claimBondingCurveCreatorFeeV2(umi, {
    ...common,
    bucket: launch.curve,
    creatorFeeWallet: creator,
  })
  await mustSend(local, umi, claim)
  expect(tokens(creator)).toBe(fee)
})
