import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { raydiumCpmm } from './buckets.ts'
import { assertMints, assertPrograms, GENESIS, loadBucket, loadGenesis, saveBucket } from './checks.ts'
import { payCreator } from './pay-creator.ts'
import { assertBucketSigner } from './raydium-bucket.ts'

/** Pays out what was collected from the pool. */
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
