import {
  findAuthorityPda,
  findGenesisPoolStatePda,
  findRaydiumSignerPda,
  findTokenVaultPda,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
} from '@metaplex-foundation/genesis'
import type { Option, PublicKey } from '@metaplex-foundation/umi'
import { decodeTokenAccount } from '../../ledger/token-balances.ts'
import { assertSigner } from '../instruction-accounts.ts'
import { raydiumError } from '../raydium/errors.ts'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { accountsOf } from './accounts.ts'
import { bondingCurve, raydiumCpmm } from './buckets.ts'
import {
  asKey,
  assertBucketSigner,
  assertCreatorAccount,
  assertCreatorFeeWallet,
  assertHolder,
  assertMints,
  assertPrograms,
  genesisError,
  loadBucket,
  loadGenesis,
  saveBucket,
} from './checks.ts'
import { decodePool, encodePoolFees } from './pool-state.ts'
import { ensureTokenAccount, moveTokens } from './tokens.ts'

type Bucket = {
  readonly creatorFeeAccrued: bigint
  readonly creatorFeeClaimed: bigint
  readonly extensions: { readonly creatorFee: Option<{ wallet: PublicKey }> }
}

/**
 * Pays a bucket's accrued fees to its creator, no matter who sent the transaction. Returns the bucket's changed
 * field.
 */
export function payCreator(
  ctx: Invocation,
  { creatorFeeAccrued: accrued, creatorFeeClaimed: claimed, extensions }: Bucket,
  /** The token account that pays, and its owner. */
  { account, owner }: { account: AccountRef; owner: AccountRef },
  accounts: Record<
    | 'creatorFeeWallet'
    | 'creatorFeeWalletQuoteTokenAccount'
    | 'quoteMint'
    | 'quoteTokenProgram'
    | 'payer'
    | 'systemProgram',
    AccountRef
  >,
): { creatorFeeClaimed: bigint } {
  const { creatorFeeWallet, creatorFeeWalletQuoteTokenAccount: to, quoteMint: mint } = accounts
  const tokenProgram = accounts.quoteTokenProgram
  assertCreatorFeeWallet(creatorFeeWallet, extensions.creatorFee)
  assertHolder(ctx, account, owner, mint)
  assertCreatorAccount(ctx, to, creatorFeeWallet, mint)
  if (accrued <= claimed) throw genesisError('InsufficientFunds')

  const { payer, systemProgram } = accounts
  ensureTokenAccount(ctx, { account: to, owner: creatorFeeWallet, mint, payer, tokenProgram, systemProgram })
  moveTokens(ctx, { from: account, to, authority: owner, tokenProgram }, accrued - claimed)
  return { creatorFeeClaimed: accrued }
}

/** Pays out what a bonding curve has accrued. */
export function claimBondingCurveCreatorFee(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'claimCurveFees')
  const { bucket, genesisAccount } = accounts
  assertSigner(accounts.payer)
  assertPrograms([accounts.quoteTokenProgram], accounts)
  const genesis = loadGenesis(ctx, genesisAccount)
  const decoded = loadBucket(ctx, bucket, genesisAccount, bondingCurve)
  assertMints(genesis, accounts)
  const source = { account: accounts.bucketQuoteTokenAccount, owner: bucket }
  const paid = payCreator(ctx, decoded, source, accounts)
  saveBucket(ctx, bucket, bondingCurve.serialize({ ...decoded, ...paid }))
}

/** Pays out what was collected from the pool. */
export function claimRaydiumCreatorFee(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'claimPoolFees')
  const { bucket, bucketSigner, genesisAccount } = accounts
  assertSigner(accounts.payer)
  assertPrograms([accounts.quoteTokenProgram], accounts)
  const genesis = loadGenesis(ctx, genesisAccount)
  const decoded = loadBucket(ctx, bucket, genesisAccount, raydiumCpmm)
  assertMints(genesis, accounts)
  assertBucketSigner(bucketSigner, bucket)
  const source = { account: accounts.bucketSignerQuoteTokenAccount, owner: bucketSigner }
  const paid = payCreator(ctx, decoded, source, accounts)
  saveBucket(ctx, bucket, raydiumCpmm.serialize({ ...decoded, ...paid }))
}

/**
 * Takes the creator fees out of the pool: quote tokens go to the bucket's account, where they count as accrued, and
 * base tokens to the signer that created the pool. On the real chain, Raydium's program moves them; here this
 * stand-in does.
 */
export function collectRaydiumFees(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'collectPoolFees')
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

const PROGRAMS: string[] = [RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET, RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET]

export function assertRaydiumProgram({ address }: AccountRef): void {
  if (!PROGRAMS.includes(address)) throw genesisError('InvalidRaydiumProgram')
}

/** Throws unless the accounts are the pool's own, because it may pay only from its own vaults. */
export function assertPoolAccounts(
  ctx: Invocation,
  accounts: Record<
    | 'raydiumProgram'
    | 'poolState'
    | 'poolAuthority'
    | 'ammConfig'
    | 'baseMint'
    | 'baseVault'
    | 'quoteMint'
    | 'quoteVault'
    | 'raydiumSigner'
    | 'raydiumSignerBaseTokenAccount',
    AccountRef
  >,
): void {
  const is = (ref: AccountRef, key: string) => (ref.address as string) === key
  const program = asKey(accounts.raydiumProgram.address)
  const pool = asKey(accounts.poolState.address)
  const vaultOf = (mint: AccountRef) => findTokenVaultPda(umi, program, pool, asKey(mint.address))[0]
  if (!is(accounts.poolAuthority, findAuthorityPda(umi, program)[0])) throw raydiumError('ConstraintSeeds')
  const config =
    program === RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET
      ? RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET
      : RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET
  if (!is(accounts.ammConfig, config)) throw raydiumError('ConstraintAddress')
  if (!is(accounts.baseVault, vaultOf(accounts.baseMint))) throw raydiumError('ConstraintRaw')
  if (!is(accounts.quoteVault, vaultOf(accounts.quoteMint))) throw raydiumError('ConstraintRaw')
  const base = decodeTokenAccount(ctx.read(accounts.raydiumSignerBaseTokenAccount.address))
  if (base && base.owner !== accounts.raydiumSigner.address) throw raydiumError('ConstraintTokenOwner')
}
