import {
  findGenesisPoolStatePda,
  findRaydiumSignerPda,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
} from '@metaplex-foundation/genesis'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import { type Invocation, ProgramError } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { asKey, assertHolder, assertMints, assertPrograms, GENESIS, loadGenesis } from './checks.ts'
import { genesisError } from './errors.ts'
import { decodePool, encodePoolFees } from './pool-state.ts'
import { assertBucketSigner, loadRaydiumBucket, saveRaydiumBucket } from './raydium-bucket.ts'
import { ensureTokenAccount, moveTokens } from './tokens.ts'

const RAYDIUM_PROGRAMS: string[] = [RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET, RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET]
/** Raydium's `NoFeeCollect`, which comes through from the inner call. */
const NO_FEE_COLLECT = 6014

/**
 * Takes the creator's fees out of the pool: the quote side into the bucket's account, where it counts as accrued, the
 * base side to the signer that created the pool. On the real chain the pool's program moves them; here its share is
 * carried out with it.
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
  assertPrograms({
    tokens: [accounts.baseTokenProgram, accounts.quoteTokenProgram],
    associatedToken: accounts.associatedTokenProgram,
    system: systemProgram,
  })
  if (!RAYDIUM_PROGRAMS.includes(accounts.raydiumProgram.address)) throw genesisError('InvalidRaydiumProgram')
  const genesis = loadGenesis(ctx, accounts.genesisAccount)
  const decoded = loadRaydiumBucket(ctx, bucket, accounts.genesisAccount)
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
  if (fees.base === 0n && fees.quote === 0n)
    throw new ProgramError({ Custom: NO_FEE_COLLECT }, 'No fee to collect')

  const authority = accounts.poolAuthority
  if (fees.quote > 0n) {
    ensureTokenAccount(ctx, {
      account: accounts.bucketSignerQuoteTokenAccount,
      owner: bucketSigner,
      mint: quoteMint,
      payer,
      tokenProgram: accounts.quoteTokenProgram,
      systemProgram,
    })
    moveTokens(
      ctx,
      {
        from: accounts.quoteVault,
        to: accounts.bucketSignerQuoteTokenAccount,
        mint: quoteMint,
        authority,
        tokenProgram: accounts.quoteTokenProgram,
      },
      fees.quote,
    )
  }
  if (fees.base > 0n) {
    ensureTokenAccount(ctx, {
      account: accounts.raydiumSignerBaseTokenAccount,
      owner: accounts.raydiumSigner,
      mint: baseMint,
      payer,
      tokenProgram: accounts.baseTokenProgram,
      systemProgram,
    })
    moveTokens(
      ctx,
      {
        from: accounts.baseVault,
        to: accounts.raydiumSignerBaseTokenAccount,
        mint: baseMint,
        authority,
        tokenProgram: accounts.baseTokenProgram,
      },
      fees.base,
    )
  }
  const now = ctx.read(accounts.poolState.address)
  if (!now) throw genesisError('InvalidRaydiumPoolState')
  ctx.write(accounts.poolState.address, { ...now, data: encodePoolFees(now.data, 0n, 0n) })
  saveRaydiumBucket(ctx, bucket, { ...decoded, creatorFeeAccrued: decoded.creatorFeeAccrued + fees.quote })
}
