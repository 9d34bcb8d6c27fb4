import { findGenesisPoolStatePda, findRaydiumSignerPda } from '@metaplex-foundation/genesis'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import { raydiumError } from '../raydium/errors.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { raydiumCpmm } from './buckets.ts'
import {
  asKey,
  assertHolder,
  assertMints,
  assertPrograms,
  GENESIS,
  loadBucket,
  loadGenesis,
  saveBucket,
} from './checks.ts'
import { genesisError } from './errors.ts'
import { decodePool, encodePoolFees } from './pool-state.ts'
import { assertPoolAccounts, assertRaydiumProgram } from './raydium.ts'
import { assertBucketSigner } from './raydium-bucket.ts'
import { ensureTokenAccount, moveTokens } from './tokens.ts'

/**
 * Takes the creator fees out of the pool: quote tokens go to the bucket's account, where they count as accrued, and
 * base tokens to the signer that created the pool. On the real chain, Raydium's program moves them; here this
 * stand-in does.
 */
export function collectRaydiumFees(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'baseMint',
    'quoteMint',
    'raydiumSigner',
    'payer',
    'poolState',
    'ammConfig',
    'poolAuthority',
    'baseVault',
    'quoteVault',
    'raydiumSignerBaseTokenAccount',
    'raydiumSignerQuoteTokenAccount',
    'feeWallet',
    'feeWalletQuoteTokenAccount',
    'genesisAccount',
    'raydiumCpmmBucket',
    'bucketSigner',
    'bucketSignerQuoteTokenAccount',
    'raydiumProgram',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { raydiumCpmmBucket: bucket, bucketSigner, quoteMint, baseMint, payer, systemProgram } = accounts
  assertSigner(payer)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertRaydiumProgram(accounts.raydiumProgram)
  const genesis = loadGenesis(ctx, accounts.genesisAccount)
  const decoded = loadBucket(ctx, bucket, accounts.genesisAccount, raydiumCpmm)
  assertMints(genesis, accounts)
  if (decoded.extensions.creatorFee.__option === 'None') throw genesisError('InvalidCreatorFeeConfig')
  if (findRaydiumSignerPda(umi)[0] !== asKey(accounts.raydiumSigner.address))
    throw genesisError('InvalidRaydiumSigner')
  assertBucketSigner(bucketSigner, bucket)
  if (ctx.read(accounts.bucketSignerQuoteTokenAccount.address)) {
    assertHolder(ctx, accounts.bucketSignerQuoteTokenAccount, bucketSigner, quoteMint)
  }
  const [pool] = findGenesisPoolStatePda(umi, asKey(bucket.address))
  if (pool !== asKey(accounts.poolState.address)) throw genesisError('InvalidPoolStatePda')

  const state = ctx.read(accounts.poolState.address)
  if (state?.owner !== accounts.raydiumProgram.address) throw genesisError('InvalidRaydiumPoolState')
  const fees = decodePool(state.data, asKey(baseMint.address), asKey(quoteMint.address))
  if (!fees) throw genesisError('InvalidRaydiumPoolState')
  assertPoolAccounts(ctx, accounts)
  if (fees.base === 0n && fees.quote === 0n) throw raydiumError('NoFeeCollect')

  for (const { amount, from, to, owner, mint, tokenProgram } of [
    {
      amount: fees.quote,
      from: accounts.quoteVault,
      to: accounts.bucketSignerQuoteTokenAccount,
      owner: bucketSigner,
      mint: quoteMint,
      tokenProgram: accounts.quoteTokenProgram,
    },
    {
      amount: fees.base,
      from: accounts.baseVault,
      to: accounts.raydiumSignerBaseTokenAccount,
      owner: accounts.raydiumSigner,
      mint: baseMint,
      tokenProgram: accounts.baseTokenProgram,
    },
  ]) {
    if (amount === 0n) continue
    ensureTokenAccount(ctx, { account: to, owner, mint, payer, tokenProgram, systemProgram })
    moveTokens(ctx, { from, to, authority: accounts.poolAuthority, tokenProgram }, amount)
  }
  const now = ctx.read(accounts.poolState.address)
  if (!now) throw genesisError('InvalidRaydiumPoolState')
  ctx.write(accounts.poolState.address, { ...now, data: encodePoolFees(now.data, 0n, 0n) })
  const creatorFeeAccrued = decoded.creatorFeeAccrued + fees.quote
  saveBucket(ctx, bucket, raydiumCpmm.serialize({ ...decoded, creatorFeeAccrued }))
}
