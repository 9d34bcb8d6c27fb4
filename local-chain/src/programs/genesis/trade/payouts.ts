import type { Condition, WithdrawLaunchPoolV2InstructionData } from '@metaplex-foundation/genesis'
import { entitledInPool, entitledInPresale, paidOutOfPool } from '@slipway/launch-model/deposits'
import { feeOn } from '@slipway/launch-model/fees'
import { launchPool as poolModel } from '@slipway/launch-model/kinds/launch-pool'
import { presale as presaleModel } from '@slipway/launch-model/kinds/presale'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { releasedOf } from '@slipway/launch-model/releases'
import { assertSigner } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { type AccountsOf, accountsOf } from '../accounts.ts'
import { launchPool, presale, unlocked } from '../buckets.ts'
import {
  asKey,
  assertFeeAccount,
  assertFinalized,
  assertHolder,
  assertMints,
  assertPrograms,
  assertTokensOfLaunch,
  genesisError,
  isMet,
  loadBucket,
  loadGenesis,
  readTerms,
  readUnixTime,
  saveBucket,
  triggerIfDue,
} from '../checks.ts'
import { assertAssociated, closeAccount, closeIfEmpty, ensureTokenAccount, moveTokens } from '../tokens.ts'
import { poolDeposits, presaleDeposits } from './deposits.ts'

type Payer = Record<'payer' | 'systemProgram', AccountRef>

/** The checks that every payout starts with. */
function openPayout(
  ctx: Invocation,
  accounts: Payer &
    Record<
      | 'genesisAccount'
      | 'baseMint'
      | 'quoteMint'
      | 'baseTokenProgram'
      | 'quoteTokenProgram'
      | 'associatedTokenProgram',
      AccountRef
    >,
  { signers = [accounts.payer], load = assertFinalized } = {},
): void {
  for (const signer of signers) assertSigner(signer)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(load(ctx, accounts.genesisAccount), accounts)
}

/** Creates the account that is paid, if it is missing. */
function openRecipient(
  ctx: Invocation,
  { payer, systemProgram }: Payer,
  to: Record<'account' | 'owner' | 'mint' | 'tokenProgram', AccountRef>,
): void {
  assertAssociated(to)
  ensureTokenAccount(ctx, { ...to, payer, systemProgram })
}

/** Withdraws a part of a deposit while the pool is open. The fee and any penalty are taken from what is paid out. */
export function withdrawFromLaunchPool(
  ctx: Invocation,
  { amountQuoteToken: amount }: WithdrawLaunchPoolV2InstructionData,
): void {
  const accounts = accountsOf(ctx, 'withdraw')
  const { bucket, depositPda, payer, quoteMint: mint, quoteTokenProgram: tokenProgram } = accounts
  const owner = accounts.withdrawer ?? payer
  openPayout(ctx, accounts, { signers: [payer, owner] })
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, mint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, mint)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  if (amount === 0n || amount > deposit.amountQuoteToken) throw genesisError('InvalidAmount')
  const now = readUnixTime(ctx)
  const depositEndCondition = triggerIfDue(pool.depositEndCondition, now)
  if (isMet(depositEndCondition)) throw genesisError('LaunchPoolEnded')

  const { fee, penalty, receives } = paidOutOfPool(readTerms(ctx, bucket, poolModel), amount, now)
  const to = { account: accounts.withdrawerQuoteTokenAccount, owner, mint, tokenProgram }
  openRecipient(ctx, accounts, to)
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

/** Pays a deposit back when the pool has missed its goal. Anyone may send it, for any depositor. */
export function refundFromLaunchPool(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'refund')
  const { bucket, depositPda, recipient: owner, payer, quoteMint: mint } = accounts
  const tokenProgram = accounts.quoteTokenProgram
  openPayout(ctx, accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, mint)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  // A refund finds that deposits have ended, but doesn't record it.
  if (!isMet(triggerIfDue(pool.depositEndCondition, readUnixTime(ctx))))
    throw genesisError('LaunchPoolNotEnded')
  if (!poolModel.sale.misses(readTerms(ctx, bucket, poolModel))) throw genesisError('LaunchPoolThresholdMet')
  if (deposit.refunded) throw genesisError('DepositAlreadyRefunded')

  const amount = deposit.amountQuoteToken
  const to = accounts.recipientQuoteTokenAccount
  openRecipient(ctx, accounts, { account: to, owner, mint, tokenProgram })
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

/** Gives a depositor their share of a launch pool's tokens. Anyone may send it, for any depositor. */
export function claimFromLaunchPool(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'claim')
  const { bucket, depositPda, recipient: owner, payer } = accounts
  openPayout(ctx, accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  const deposit = poolDeposits.load(ctx, { depositPda, bucket, owner })
  const now = readUnixTime(ctx)
  if (!isMet(triggerIfDue(pool.claimStartCondition, now))) throw genesisError('ClaimNotStarted')
  if (isMet(triggerIfDue(pool.claimEndCondition, now))) throw genesisError('LaunchPoolClaimEnded')
  const terms = readTerms(ctx, bucket, poolModel)
  if (poolModel.sale.misses(terms)) throw genesisError('LaunchPoolFundingThresholdNotMet')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')

  const entitled = entitledInPool(terms, { weighted: deposit.weightedQuoteToken })
  const claim = releaseShare(pool, deposit, { entitled, schedule: terms.extensions.claimSchedule, now })
  // Deposits after the first claim make the shares add up to more than the whole.
  if (claim.amount > pool.bucket.baseTokenBalance) throw genesisError('NumericalOverflow')
  payClaim(ctx, accounts, claim.amount)
  poolDeposits.save(ctx, { depositPda, payer }, { ...deposit, ...claim.deposit })
  saveBucket(ctx, bucket, launchPool.serialize({ ...pool, ...claim.bucket }))
}

type ClaimAccounts = AccountsOf<'claim'>

/** Sends the launch's tokens to the recipient. */
export function payClaim(ctx: Invocation, accounts: ClaimAccounts, amount: bigint): void {
  const { recipient: owner, baseMint: mint, baseTokenProgram: tokenProgram } = accounts
  const account = accounts.recipientBaseTokenAccount
  openRecipient(ctx, accounts, { account, owner, mint, tokenProgram })
  const from = accounts.genesisBaseTokenAccount
  moveTokens(ctx, { from, to: account, authority: accounts.genesisAccount, tokenProgram }, amount)
}

/** Gives a depositor the tokens that they bought in a presale. Anyone may send it, for any depositor. */
export function claimFromPresale(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'claim')
  const { bucket, depositPda, recipient: owner, payer, baseMint: mint } = accounts
  openPayout(ctx, accounts)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  // The fee for a claim is paid in the launch's own token.
  assertFeeAccount(ctx, accounts.feeTokenAccount, mint, 'InvalidMintForTokenAccount')
  const deposit = presaleDeposits.load(ctx, { depositPda, bucket, owner })
  const now = readUnixTime(ctx)
  if (!isMet(triggerIfDue(sale.claimStartCondition, now))) throw genesisError('ClaimNotStarted')
  if (deposit.claimed) throw genesisError('DepositAlreadyClaimed')
  if (isMet(triggerIfDue(sale.claimEndCondition, now))) throw genesisError('PresaleClaimEnded')

  const terms = readTerms(ctx, bucket, presaleModel)
  const entitled = entitledInPresale(terms, { amount: deposit.amountQuoteToken })
  const claim = releaseShare(sale, deposit, { entitled, schedule: terms.extensions.claimSchedule, now })
  payClaim(ctx, accounts, claim.amount)
  presaleDeposits.save(ctx, { depositPda, payer }, { ...deposit, ...claim.deposit })
  saveBucket(ctx, bucket, presale.serialize({ ...sale, ...claim.bucket }))
}

/** What a depositor gets now of the tokens that they are entitled to, and what that changes. */
function releaseShare<Base extends { baseTokenBalance: bigint }>(
  sale: {
    depositEndCondition: Condition
    claimStartCondition: Condition
    claimCount: bigint
    bucket: Base
  },
  deposit: { amountClaimed: bigint },
  { entitled, schedule, now }: { entitled: bigint; schedule: Parameters<typeof releasedOf>[0]; now: bigint },
) {
  const amountClaimed = releasedOf(schedule, entitled, now)
  const amount = amountClaimed - deposit.amountClaimed
  const claimed = amountClaimed === entitled
  return {
    amount,
    deposit: { claimed, amountClaimed },
    bucket: {
      depositEndCondition: triggerIfDue(sale.depositEndCondition, now),
      claimStartCondition: triggerIfDue(sale.claimStartCondition, now),
      claimCount: sale.claimCount + (claimed ? 1n : 0n),
      bucket: { ...sale.bucket, baseTokenBalance: sale.bucket.baseTokenBalance - amount },
    },
  }
}

/**
 * Gives a recipient all tokens and proceeds of their bucket, once. Native currency arrives unwrapped: the bucket's
 * token account is closed, so proceeds that are sent afterwards need a new one, and stay there. Anyone may send it,
 * even before the launch is finalized.
 */
export function claimUnlocked(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'claimUnlocked')
  const { genesisAccount, bucket, baseMint, quoteMint, recipient } = accounts
  const { bucketQuoteTokenAccount, quoteTokenProgram, baseTokenProgram: tokenProgram } = accounts
  openPayout(ctx, accounts, { load: loadGenesis })
  const decoded = loadBucket(ctx, bucket, genesisAccount, unlocked)
  if (decoded.recipient !== asKey(recipient.address)) throw genesisError('RecipientMismatch')
  assertTokensOfLaunch(ctx, bucketQuoteTokenAccount, bucket, quoteMint)
  assertTokensOfLaunch(ctx, accounts.genesisBaseTokenAccount, genesisAccount, baseMint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, quoteMint, 'InvalidMintForTokenAccount')
  const now = readUnixTime(ctx)
  const claimStartCondition = triggerIfDue(decoded.claimStartCondition, now)
  if (!isMet(claimStartCondition)) throw genesisError('ClaimNotStarted')
  if (isMet(triggerIfDue(decoded.claimEndCondition, now))) throw genesisError('UnlockedBucketClaimEnded')
  if (decoded.claimed) throw genesisError('UnlockedBucketAlreadyClaimed')

  const { baseTokenBalance, quoteTokenBalance } = decoded.bucket
  const to = { account: accounts.recipientBaseTokenAccount, owner: recipient, mint: baseMint, tokenProgram }
  openRecipient(ctx, accounts, to)
  const isNative = quoteMint.address === WRAPPED_NATIVE_MINT
  const proceedsTo = {
    account: accounts.recipientQuoteTokenAccount,
    owner: recipient,
    mint: quoteMint,
    tokenProgram: quoteTokenProgram,
  }
  if (!isNative) openRecipient(ctx, accounts, proceedsTo)
  const from = accounts.genesisBaseTokenAccount
  moveTokens(ctx, { from, to: to.account, authority: genesisAccount, tokenProgram }, baseTokenBalance)
  const fee = feeOn(quoteTokenBalance, { type: decoded.claimFeeType, amount: decoded.claimFee })
  const source = { from: bucketQuoteTokenAccount, authority: bucket, tokenProgram: quoteTokenProgram }
  moveTokens(ctx, { ...source, to: accounts.feeQuoteTokenAccount }, fee)
  // Closing the account of wrapped native currency pays out what is in it.
  const closed = { account: bucketQuoteTokenAccount, owner: bucket, receiver: recipient }
  if (isNative) closeAccount(ctx, { ...closed, tokenProgram: quoteTokenProgram }, [bucket.address])
  else moveTokens(ctx, { ...source, to: proceedsTo.account }, quoteTokenBalance - fee)
  saveBucket(
    ctx,
    bucket,
    unlocked.serialize({
      ...decoded,
      claimed: true,
      claimStartCondition,
      bucket: { ...decoded.bucket, baseTokenBalance: 0n, quoteTokenBalance: 0n },
    }),
  )
}
