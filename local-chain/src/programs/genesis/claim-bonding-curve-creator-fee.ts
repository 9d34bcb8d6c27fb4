import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { bondingCurve } from './buckets.ts'
import { assertMints, assertPrograms, GENESIS, loadBucket, loadGenesis, saveBucket } from './checks.ts'
import { payCreator } from './pay-creator.ts'

/** Pays out what a bonding curve has accrued. */
export function claimBondingCurveCreatorFee(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'bucketQuoteTokenAccount',
    'creatorFeeWallet',
    'creatorFeeWalletQuoteTokenAccount',
    'payer',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
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
