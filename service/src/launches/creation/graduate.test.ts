import {
  claimLaunchPoolV2,
  depositLaunchPoolV2,
  deriveRaydiumPDAsV2,
  findLaunchPoolBucketV2Pda,
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  graduateToRaydiumCpmmV2,
  triggerBehaviorsV2,
  triggerConditionsV2,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import {
  createAssociatedToken,
  findAssociatedTokenPda,
  mplToolbox,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import { type PublicKey, publicKey, signerIdentity, sol } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { parseTransaction } from '@slipway/local-chain/ledger/parse-transaction'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { genesis } from '@slipway/local-chain/programs/genesis/genesis'
import { createManualChain, latestBlockhash } from '@slipway/local-chain/testing/start-chain'
import { asAddress, mustSend, signer } from '@slipway/local-chain/testing/umi-wallet'
import { expect, test } from 'vitest'
import { packSteps } from '../../chain/transactions/launch/pack-steps.ts'
import { payloadOf, planOf, poolInput } from './test-launches.ts'

/** When the chain begins. */
const BEGINNING = 1_000_000_000
const HOURS = 3_600

test('a launch pool of the official SDK that reaches its goal graduates, and pays its recipient and its depositor', async () => {
  const manual = createManualChain({ standIns: [genesis] })
  const { chain } = manual
  const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
  const [wallet, mint] = [signer(umi), signer(umi)]
  umi.use(signerIdentity(wallet))
  chain.mint(asAddress(wallet.publicKey), 1_000_000_000_000n)
  const depositStartTime = new Date((BEGINNING + 60) * 1_000)
  const payload = payloadOf(poolInput(wallet.publicKey, { depositStartTime, raydiumLiquidityBps: 4_000 }))
  const plan = planOf(payload, { mint: asAddress(mint.publicKey) })
  for (const packed of packSteps(plan, listLaunchSteps(plan), latestBlockhash(manual))) {
    let transaction = umi.transactions.deserialize(Buffer.from(packed, 'base64'))
    for (const one of [wallet, mint])
      if (transaction.message.accounts.slice(0, transaction.signatures.length).includes(one.publicKey))
        transaction = await one.signTransaction(transaction)
    const { err, logs } = await chain.submit(parseTransaction(umi.transactions.serialize(transaction)))
    expect({ err, logs }).toMatchObject({ err: null })
  }

  const genesisAccount = publicKey(plan.genesis)
  const seeds = { genesisAccount, bucketIndex: 0 }
  const bucket = findLaunchPoolBucketV2Pda(umi, seeds)[0]
  const unlocked = findUnlockedBucketV2Pda(umi, seeds)[0]
  const raydium = findRaydiumCpmmBucketV2Pda(umi, seeds)[0]
  const tokenAccount = (owner: PublicKey, mint: PublicKey = WRAPPED_SOL_MINT) =>
    findAssociatedTokenPda(umi, { mint, owner })[0]
  const held = (account: PublicKey) => decodeTokenAccount(chain.account(asAddress(account)))?.amount
  const common = { genesisAccount, baseMint: mint.publicKey }
  manual.advanceTo(BEGINNING + HOURS)
  const quote = tokenAccount(wallet.publicKey)
  const deposit = createAssociatedToken(umi, { mint: WRAPPED_SOL_MINT })
    .add(transferSol(umi, { destination: quote, amount: sol(5) }))
    .add(syncNative(umi, { account: quote }))
    .add(depositLaunchPoolV2(umi, { ...common, bucket, amountQuoteToken: 5_000_000_000n }))
  await mustSend(manual, umi, deposit)

  manual.advanceTo(BEGINNING + 49 * HOURS)
  const writable = (...keys: PublicKey[]) =>
    keys.map(pubkey => ({ pubkey, isSigner: false, isWritable: true }))
  const bucketSigner = findRaydiumBucketSignerPda(umi, { bucket: raydium })[0]
  const trigger = triggerBehaviorsV2(umi, { ...common, primaryBucket: bucket }).addRemainingAccounts(
    writable(unlocked, tokenAccount(unlocked), raydium, tokenAccount(bucketSigner)),
  )
  await mustSend(manual, umi, trigger)
  const proceeds = 4_900_000_000n
  expect(held(tokenAccount(unlocked))).toBe((proceeds * 6n) / 10n)
  const pool = deriveRaydiumPDAsV2(umi, mint.publicKey, raydium, { env: 'mainnet' })
  await mustSend(manual, umi, graduateToRaydiumCpmmV2(umi, { ...pool, ...common, bucket: raydium }))
  expect(held(pool.quoteVault)).toBe((proceeds * 4n) / 10n)
  const { data } = chain.account(asAddress(raydium)) ?? {}
  const [graduated] = getRaydiumCpmmBucketV2AccountDataSerializer().deserialize(data ?? new Uint8Array())
  expect(graduated.graduatedBaseTokenAmount).toBeGreaterThan(0n)
  // Claims start at the graduation.
  const conditions = triggerConditionsV2(umi, { ...common, bucket }).addRemainingAccounts(writable(raydium))
  await mustSend(manual, umi, conditions)
  await mustSend(manual, umi, claimLaunchPoolV2(umi, { ...common, bucket, recipient: wallet.publicKey }))
  expect(held(tokenAccount(wallet.publicKey, mint.publicKey))).toBe(plan.primary.added.baseTokenAllocation)
})
