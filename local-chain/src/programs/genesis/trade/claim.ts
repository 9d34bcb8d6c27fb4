import { entitledInPool } from '@slipway/launch-model/deposits'
import { launchPool as model } from '@slipway/launch-model/kinds/launch-pool'
import { releasedOf } from '@slipway/launch-model/releases'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { launchPool } from '../buckets.ts'
import {
  assertFinalized,
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

/** Gives a depositor their share of a launch pool's tokens. Anyone may send it, for any depositor. */
export function claimFromLaunchPool(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, GENESIS, CLAIM_ACCOUNTS)
  const { bucket, depositPda, recipient: owner, payer } = accounts
  openClaim(ctx, accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(pool.claimStartCondition, now)
  const claimEndCondition = triggerIfDue(pool.claimEndCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (isMet(claimEndCondition)) throw genesisError('LaunchPoolClaimEnded')
  const terms = readTerms(ctx, bucket, model)
  if (model.sale.misses(terms)) throw genesisError('LaunchPoolFundingThresholdNotMet')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')

  const entitled = entitledInPool(terms, { weighted: deposit.weightedQuoteToken })
  const amountClaimed = releasedOf(terms.extensions.claimSchedule, entitled, now)
  const amount = amountClaimed - deposit.amountClaimed
  // Deposits after the first claim make the shares add up to more than the whole.
  if (amount > pool.bucket.baseTokenBalance) throw genesisError('NumericalOverflow')
  payClaim(ctx, accounts, amount)
  const claimed = amountClaimed === entitled
  poolDeposits.save(ctx, { depositPda, payer }, { ...deposit, claimed, amountClaimed })
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      depositEndCondition: triggerIfDue(pool.depositEndCondition, now),
      claimStartCondition,
      claimCount: pool.claimCount + (claimed ? 1n : 0n),
      bucket: { ...pool.bucket, baseTokenBalance: pool.bucket.baseTokenBalance - amount },
    }),
  )
}

export const CLAIM_ACCOUNTS = [
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
  'feeTokenAccount',
  'baseTokenProgram',
  'quoteTokenProgram',
  'associatedTokenProgram',
  'systemProgram',
] as const
type ClaimAccounts = Record<Exclude<(typeof CLAIM_ACCOUNTS)[number], 'backendSigner?'>, AccountRef>

/** The checks that a claim starts with. */
export function openClaim(ctx: Invocation, accounts: ClaimAccounts): void {
  assertSigner(accounts.payer)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(assertFinalized(ctx, accounts.genesisAccount), accounts)
}

/** Sends the launch's tokens to the recipient. */
export function payClaim(ctx: Invocation, accounts: ClaimAccounts, amount: bigint): void {
  const { recipient: owner, baseMint: mint, baseTokenProgram: tokenProgram, payer, systemProgram } = accounts
  const account = accounts.recipientBaseTokenAccount
  assertAssociated({ account, owner, mint, tokenProgram })
  ensureTokenAccount(ctx, { account, owner, mint, payer, tokenProgram, systemProgram })
  const from = accounts.genesisBaseTokenAccount
  moveTokens(ctx, { from, to: account, authority: accounts.genesisAccount, tokenProgram }, amount)
}
