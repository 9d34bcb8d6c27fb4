import { launchPool as model } from '@slipway/launch-model/kinds/launch-pool'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { launchPool } from '../buckets.ts'
import {
  assertFinalized,
  assertHolder,
  assertMints,
  assertPrograms,
  GENESIS,
  loadBucket,
  readTerms,
  saveBucket,
} from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { assertAssociated, ensureTokenAccount, moveTokens } from '../tokens.ts'
import { poolDeposits } from './deposit-account.ts'

/** Pays a deposit back when the pool has missed its goal. Anyone may send it, for any depositor. */
export function refundFromLaunchPool(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'recipientBaseTokenAccount',
    'bucketQuoteTokenAccount',
    'recipientQuoteTokenAccount',
    'depositPda',
    'recipient',
    'payer',
    'backendSigner?',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, depositPda, recipient: owner, payer, quoteMint: mint, systemProgram } = accounts
  const tokenProgram = accounts.quoteTokenProgram
  assertSigner(payer)
  assertPrograms([accounts.baseTokenProgram, tokenProgram], accounts)
  assertMints(assertFinalized(ctx, accounts.genesisAccount), accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, mint)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  // A refund finds that deposits have ended, but doesn't record it.
  if (!isMet(triggerIfDue(pool.depositEndCondition, readUnixTime(ctx))))
    throw genesisError('LaunchPoolNotEnded')
  if (!model.sale.misses(readTerms(ctx, bucket, model))) throw genesisError('LaunchPoolThresholdMet')
  if (deposit.refunded) throw genesisError('DepositAlreadyRefunded')

  const amount = deposit.amountQuoteToken
  const to = accounts.recipientQuoteTokenAccount
  assertAssociated({ account: to, owner, mint, tokenProgram })
  ensureTokenAccount(ctx, { account: to, owner, mint, payer, tokenProgram, systemProgram })
  moveTokens(ctx, { from: accounts.bucketQuoteTokenAccount, to, authority: bucket, tokenProgram }, amount)
  poolDeposits.save(ctx, { depositPda, payer }, { ...deposit, refunded: true })
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      refundCount: pool.refundCount + 1n,
      weightedQuoteTokenTotal: pool.weightedQuoteTokenTotal - deposit.weightedQuoteToken,
      bucket: { ...pool.bucket, quoteTokenBalance: pool.bucket.quoteTokenBalance - amount },
    }),
  )
}
