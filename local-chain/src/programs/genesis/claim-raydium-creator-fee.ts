import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import {
  assertCreatorAccount,
  assertCreatorFeeWallet,
  assertHolder,
  assertMints,
  assertPrograms,
  GENESIS,
  loadGenesis,
} from './checks.ts'
import { assertBucketSigner, loadRaydiumBucket, saveRaydiumBucket } from './raydium-bucket.ts'
import { claimable, ensureTokenAccount, moveTokens } from './tokens.ts'

/** Pays what was collected from the pool for the creator, to the creator, whoever asks. */
export function claimRaydiumCreatorFee(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'bucketSigner',
    'bucketSignerQuoteTokenAccount',
    'creatorFeeWallet',
    'creatorFeeWalletQuoteTokenAccount',
    'payer',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, bucketSigner, quoteMint, quoteTokenProgram, creatorFeeWallet } = accounts
  assertSigner(accounts.payer)
  assertPrograms({
    tokens: [quoteTokenProgram],
    associatedToken: accounts.associatedTokenProgram,
    system: accounts.systemProgram,
  })
  const genesis = loadGenesis(ctx, accounts.genesisAccount)
  const decoded = loadRaydiumBucket(ctx, bucket, accounts.genesisAccount)
  assertMints(genesis, accounts)
  assertBucketSigner(bucketSigner, bucket)
  assertCreatorFeeWallet(creatorFeeWallet, decoded.extensions.creatorFee)
  assertHolder(ctx, accounts.bucketSignerQuoteTokenAccount, bucketSigner, quoteMint)
  assertCreatorAccount(ctx, accounts.creatorFeeWalletQuoteTokenAccount, creatorFeeWallet, quoteMint)
  const amount = claimable(decoded.creatorFeeAccrued, decoded.creatorFeeClaimed)

  ensureTokenAccount(ctx, {
    account: accounts.creatorFeeWalletQuoteTokenAccount,
    owner: creatorFeeWallet,
    mint: quoteMint,
    payer: accounts.payer,
    tokenProgram: quoteTokenProgram,
    systemProgram: accounts.systemProgram,
  })
  moveTokens(
    ctx,
    {
      from: accounts.bucketSignerQuoteTokenAccount,
      to: accounts.creatorFeeWalletQuoteTokenAccount,
      mint: quoteMint,
      authority: bucketSigner,
      tokenProgram: quoteTokenProgram,
    },
    amount,
  )
  saveRaydiumBucket(ctx, bucket, { ...decoded, creatorFeeClaimed: decoded.creatorFeeClaimed + amount })
}
