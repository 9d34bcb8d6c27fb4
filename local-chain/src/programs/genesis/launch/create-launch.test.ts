import {
  fetchBondingCurveBucketV2,
  fetchGenesisAccountV2,
  fetchLaunchPoolBucketV2,
  fetchRaydiumCpmmBucketV2,
  fetchUnlockedBucketV2,
} from '@metaplex-foundation/genesis'
import { findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { fetchMetadataFromSeeds } from '@metaplex-foundation/mpl-token-metadata'
import { fetchMint } from '@metaplex-foundation/mpl-toolbox'
import { createNoopSigner, publicKey, type TransactionBuilder, unwrapOption } from '@metaplex-foundation/umi'
import { beforeEach, expect, test } from 'vitest'
import type { LocalChain } from '../../../start-local-chain.ts'
import { curveSteps, launchBuilders, newLaunch, poolSteps } from '../../../testing/launches.ts'
import { startChain } from '../../../testing/start-chain.ts'
import {
  custom,
  mintAsset,
  mustSend,
  send,
  signer,
  wallet,
  wrapInExecute,
} from '../../../testing/umi-wallet.ts'

let local: LocalChain
let umi: ReturnType<typeof wallet>
const TIMES = { start: 2_000_000_000, end: 2_000_100_000 }
beforeEach(async () => {
  local = await startChain()
  umi = wallet(local)
})

async function run(steps: readonly TransactionBuilder[]): Promise<void> {
  for (const step of steps) await mustSend(local, umi, step)
}

test('the official builders create a bonding curve, its pool bucket and its token', async () => {
  const launch = newLaunch(umi)
  const creator = signer(umi).publicKey
  await run(curveSteps(launch, creator))
  const genesis = await fetchGenesisAccountV2(umi, launch.genesisAccount)
  expect(genesis).toMatchObject({ finalized: true, bucketCount: 2, authority: umi.payer.publicKey })
  expect(genesis.totalAllocatedSupplyBaseToken).toBe(genesis.totalSupplyBaseToken)
  const curve = await fetchBondingCurveBucketV2(umi, launch.curve)
  expect(curve.endBehaviors.map(({ __kind }) => __kind)).toEqual([
    'SendStartPrice',
    'SendQuoteTokenPercentage',
  ])
  const amm = await fetchRaydiumCpmmBucketV2(umi, launch.raydium)
  for (const { extensions } of [curve, amm])
    expect(unwrapOption(extensions.creatorFee)).toMatchObject({ wallet: creator, feeType: 0, fee: 60n })
  const mint = await fetchMint(umi, launch.mint)
  expect([mint.supply, mint.decimals]).toEqual([genesis.totalSupplyBaseToken, 6])
  const metadata = await fetchMetadataFromSeeds(umi, { mint: launch.mint })
  expect(metadata).toMatchObject({
    name: 'Tidewater',
    symbol: 'TIDE',
    uri: 'https://tidewater.example/token.json',
    updateAuthority: umi.payer.publicKey,
  })
})

test('the official builders create a launch pool with its extensions', async () => {
  const launch = newLaunch(umi)
  const recipient = signer(umi).publicKey
  const threshold = {
    __kind: 'MinimumQuoteTokenThreshold',
    minimumQuoteTokenThreshold: { amount: 5n },
  } as const
  await run(poolSteps(launch, recipient, TIMES, [threshold]))
  const pool = await fetchLaunchPoolBucketV2(umi, launch.pool)
  expect(unwrapOption(pool.extensions.minimumQuoteTokenThreshold)).toEqual({ amount: 5n })
  expect(pool.depositStartCondition).toMatchObject({ __kind: 'TimeAbsolute', time: BigInt(TIMES.start) })
  expect((await fetchUnlockedBucketV2(umi, launch.unlocked)).recipient).toBe(recipient)
})

test('an agent creates a launch through execute, and its wallet is the authority', async () => {
  const asset = await mintAsset(local, umi)
  const [pda] = findAssetSignerPda(umi, { asset })
  const mint = signer(umi)
  const launch = launchBuilders(umi, mint, createNoopSigner(publicKey(pda)))
  const [initialize, ...rest] = curveSteps(launch, publicKey(pda))
  if (!initialize) throw new Error('no steps')
  await mustSend(local, umi, wrapInExecute(umi, asset, initialize, { signers: [mint] }))
  for (const step of rest) await mustSend(local, umi, wrapInExecute(umi, asset, step))
  expect((await fetchGenesisAccountV2(umi, launch.genesisAccount)).authority).toBe(pda)
})

test('a launch with a first buy needs the signature of its buyer', async () => {
  const launch = newLaunch(umi)
  await run([launch.initialize(), launch.addCurve()])
  const buyer = signer(umi)
  const firstBuy = [{ __kind: 'FirstBuy', buyer: buyer.publicKey, amount: 1_000_000_000n } as const]
  expect((await send(local, umi, launch.extendCurve(firstBuy))).err).toEqual(custom(214))
  expect((await send(local, umi, launch.extendCurve(firstBuy, signer(umi)))).err).toEqual(custom(214))
  await mustSend(local, umi, launch.extendCurve(firstBuy, buyer))
  const { extensions } = await fetchBondingCurveBucketV2(umi, launch.curve)
  expect(unwrapOption(extensions.firstBuy)).toEqual({ buyer: buyer.publicKey, amount: 1_000_000_000n })
  expect(extensions.firstBuyDone).toBe(false)
})

test('only the authority can add buckets and finalize, and nothing can be added afterwards', async () => {
  const launch = newLaunch(umi)
  const thief = launchBuilders(umi, { publicKey: launch.mint } as never, signer(umi))
  const [initialize, addCurve, ...rest] = curveSteps(launch, umi.payer.publicKey)
  await run([initialize as TransactionBuilder])
  expect((await send(local, umi, thief.addCurve())).err).toEqual(custom(14))
  await run([addCurve as TransactionBuilder])
  expect((await send(local, umi, thief.setCurveBehaviors())).err).toEqual(custom(14))
  expect((await send(local, umi, launch.finalize())).err).toEqual(custom(187))
  await run(rest.slice(0, -1))
  expect((await send(local, umi, thief.finalize(launch.curve, launch.raydium))).err).toEqual(custom(14))
  expect((await send(local, umi, launch.finalize(launch.curve))).err).toEqual(custom(183))
  await run(rest.slice(-1))
  expect((await send(local, umi, launch.addUnlocked(umi.payer.publicKey))).err).toEqual(custom(43))
  expect((await send(local, umi, launch.finalize(launch.raydium, launch.curve))).err).toEqual(custom(60))
})

test('a curve without a behavior that sends its proceeds cannot be finalized', async () => {
  const launch = newLaunch(umi)
  await run([launch.initialize(), launch.addCurve(), launch.addRaydium()])
  expect((await send(local, umi, launch.finalize(launch.curve, launch.raydium))).err).toEqual(custom(209))
})
