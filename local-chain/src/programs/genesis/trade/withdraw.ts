import type { WithdrawLaunchPoolV2InstructionData } from '@metaplex-foundation/genesis'
import { paidOutOfPool } from '@slipway/launch-model/deposits'
import { launchPool as model } from '@slipway/launch-model/kinds/launch-pool'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { launchPool } from '../buckets.ts'
import {
  assertFeeAccount,
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
import { assertAssociated, closeIfEmpty, ensureTokenAccount, moveTokens } from '../tokens.ts'
import { poolDeposits } from './deposit-account.ts'

/** Withdraws a part of a deposit while the pool is open. The fee and any penalty are taken from what is paid out. */
export function withdrawFromLaunchPool(
  ctx: Invocation,
  { amountQuoteToken: amount }: WithdrawLaunchPoolV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'withdrawerBaseTokenAccount',
    'bucketQuoteTokenAccount',
    'withdrawerQuoteTokenAccount',
    'depositPda',
    'payer',
    'withdrawer?',
    'backendSigner?',
    'feeQuoteTokenAccount',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, depositPda, payer, quoteMint: mint, quoteTokenProgram: tokenProgram } = accounts
  const owner = accounts.withdrawer ?? payer
  assertSigner(payer)
  assertSigner(owner)
  assertPrograms([accounts.baseTokenProgram, tokenProgram], accounts)
  assertMints(assertFinalized(ctx, accounts.genesisAccount), accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, mint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, mint)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  if (amount === 0n || amount > deposit.amountQuoteToken) throw genesisError('InvalidAmount')
  const now = readUnixTime(ctx)
  const depositEndCondition = triggerIfDue(pool.depositEndCondition, now)
  if (isMet(depositEndCondition)) throw genesisError('LaunchPoolEnded')

  const { fee, penalty, receives } = paidOutOfPool(readTerms(ctx, bucket, model), amount, now)
  const to = { account: accounts.withdrawerQuoteTokenAccount, owner, mint, tokenProgram }
  assertAssociated(to)
  ensureTokenAccount(ctx, { ...to, payer, systemProgram: accounts.systemProgram })
  const source = { from: accounts.bucketQuoteTokenAccount, authority: bucket, tokenProgram }
  moveTokens(ctx, { ...source, to: accounts.withdrawerQuoteTokenAccount }, receives)
  moveTokens(ctx, { ...source, to: accounts.feeQuoteTokenAccount }, fee + penalty)

  const weighted = (deposit.weightedQuoteToken * amount) / deposit.amountQuoteToken
  const emptied = amount === deposit.amountQuoteToken
  if (emptied) {
    poolDeposits.close(ctx, depositPda, payer)
    closeIfEmpty(ctx, {
      account: accounts.withdrawerBaseTokenAccount,
      owner,
      receiver: payer,
      tokenProgram: accounts.baseTokenProgram,
    })
  } else {
    poolDeposits.save(
      ctx,
      { depositPda, payer },
      {
        ...deposit,
        amountQuoteToken: deposit.amountQuoteToken - amount,
        weightedQuoteToken: deposit.weightedQuoteToken - weighted,
      },
    )
  }
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      depositCount: pool.depositCount - (emptied ? 1n : 0n),
      quoteTokenDepositTotal: pool.quoteTokenDepositTotal - amount,
      weightedQuoteTokenTotal: pool.weightedQuoteTokenTotal - weighted,
      bucket: { ...pool.bucket, quoteTokenBalance: pool.bucket.quoteTokenBalance - amount },
    }),
  )
}
