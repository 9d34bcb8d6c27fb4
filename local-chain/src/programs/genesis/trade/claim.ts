import { isSome, unwrapOption } from '@metaplex-foundation/umi'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { launchPool } from '../buckets.ts'
import { assertFinalized, assertMints, assertPrograms, GENESIS, loadBucket, saveBucket } from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { assertAssociated, ensureTokenAccount, moveTokens } from '../tokens.ts'
import { loadDeposit, saveDeposit } from './deposit-account.ts'

/** Gives a depositor their share of a launch pool's tokens. Anyone may send it, for any depositor. */
export function claimFromLaunchPool(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'baseMint',
    'quoteMint',
    'genesisBaseTokenAccount',
    'recipientBaseTokenAccount',
    'depositPda',
    'recipient',
    'payer',
    'backendSigner?',
    'feeQuoteTokenAccount',
    'baseTokenProgram',
    'quoteTokenProgram',
    'associatedTokenProgram',
    'systemProgram',
  ])
  const { bucket, depositPda, recipient: owner, payer, baseMint: mint, systemProgram } = accounts
  const tokenProgram = accounts.baseTokenProgram
  assertSigner(payer)
  assertPrograms([tokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(assertFinalized(ctx, accounts.genesisAccount), accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  const deposit = loadDeposit(ctx, { depositPda, bucket, owner })
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(pool.claimStartCondition, now)
  const claimEndCondition = triggerIfDue(pool.claimEndCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (isMet(claimEndCondition)) throw genesisError('LaunchPoolClaimEnded')
  const threshold = unwrapOption(pool.extensions.minimumQuoteTokenThreshold)?.amount ?? 0n
  if (pool.quoteTokenDepositTotal < threshold) throw genesisError('LaunchPoolFundingThresholdNotMet')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')
  if (isSome(pool.extensions.claimSchedule)) {
    ctx.log('Claims by a schedule need the real program: npm run chain:programs')
    throw genesisError('InstructionNotImplemented')
  }

  const to = accounts.recipientBaseTokenAccount
  const amount = (pool.bucket.baseTokenAllocation * deposit.weightedQuoteToken) / pool.weightedQuoteTokenTotal
  // Deposits after the first claim make the shares add up to more than the whole.
  if (amount > pool.bucket.baseTokenBalance) throw genesisError('NumericalOverflow')
  assertAssociated({ account: to, owner, mint, tokenProgram })
  ensureTokenAccount(ctx, { account: to, owner, mint, payer, tokenProgram, systemProgram })
  moveTokens(
    ctx,
    { from: accounts.genesisBaseTokenAccount, to, authority: accounts.genesisAccount, tokenProgram },
    amount,
  )
  saveDeposit(ctx, depositPda, { ...deposit, claimed: true, amountClaimed: amount })
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      depositEndCondition: triggerIfDue(pool.depositEndCondition, now),
      claimStartCondition,
      claimCount: pool.claimCount + 1n,
      bucket: { ...pool.bucket, baseTokenBalance: pool.bucket.baseTokenBalance - amount },
    }),
  )
}
