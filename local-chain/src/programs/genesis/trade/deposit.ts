import type { DepositLaunchPoolV2InstructionData, LaunchPoolV2Extensions } from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { costInPool } from '@slipway/launch-model/deposits'
import { launchPool as model } from '@slipway/launch-model/kinds/launch-pool'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
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
import { ensureTokenAccount, takeTokens } from '../tokens.ts'
import { poolDeposits } from './deposit-account.ts'

/** Deposits quote tokens in a launch pool. The fee is taken from the deposit, and a bonus adds to its weight. */
export function depositInLaunchPool(
  ctx: Invocation,
  { amountQuoteToken }: DepositLaunchPoolV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, DEPOSIT_ACCOUNTS)
  const { bucket, depositPda, rentPayer } = accounts
  const owner = openDeposit(ctx, accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  if (amountQuoteToken === 0n) throw genesisError('InvalidPresaleDepositAmount')
  const now = readUnixTime(ctx)
  const cost = costInPool(readTerms(ctx, bucket, model), amountQuoteToken, now)
  const { deposit, created } = poolDeposits.find(ctx, { depositPda, bucket, owner })
  assertWithinLimits(pool.extensions, (deposit?.amountQuoteToken ?? 0n) + cost.credited)
  const depositStartCondition = triggerIfDue(pool.depositStartCondition, now)
  const depositEndCondition = triggerIfDue(pool.depositEndCondition, now)
  if (!isMet(depositStartCondition)) throw genesisError('LaunchPoolNotStarted')
  if (isMet(depositEndCondition)) throw genesisError('LaunchPoolEnded')
  payDeposit(ctx, accounts, { amount: cost.credited, fee: cost.fee + cost.penalty })

  poolDeposits.save(
    ctx,
    { depositPda, payer: rentPayer },
    {
      ...(deposit ?? { ...created, index: Number(pool.depositId) }),
      timestamp: now,
      amountQuoteToken: (deposit?.amountQuoteToken ?? 0n) + cost.credited,
      weightedQuoteToken: (deposit?.weightedQuoteToken ?? 0n) + cost.weighted,
    },
  )
  const first = deposit ? 0n : 1n
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      depositStartCondition,
      depositEndCondition,
      depositId: pool.depositId + first,
      depositCount: pool.depositCount + first,
      quoteTokenDepositTotal: pool.quoteTokenDepositTotal + cost.credited,
      weightedQuoteTokenTotal: pool.weightedQuoteTokenTotal + cost.weighted,
      bucket: { ...pool.bucket, quoteTokenBalance: pool.bucket.quoteTokenBalance + cost.credited },
    }),
  )
}

/** The limits apply to a wallet's total deposit, excluding fees, not to each deposit. */
function assertWithinLimits(
  { minimumDepositAmount, depositLimit }: LaunchPoolV2Extensions,
  total: bigint,
): void {
  const limit = unwrapOption(depositLimit)?.limit
  if (limit !== undefined && total > limit) throw genesisError('PresaleDepositLimitExceeded')
  if (total < (unwrapOption(minimumDepositAmount)?.amount ?? 0n))
    throw genesisError('PresaleDepositBelowMinimum')
}

export const DEPOSIT_ACCOUNTS = [
  'genesisAccount',
  'bucket',
  'baseMint',
  'quoteMint',
  'recipientBaseTokenAccount',
  'depositorQuoteTokenAccount',
  'bucketQuoteTokenAccount',
  'depositPda',
  'rentPayer',
  'depositor',
  'recipient?',
  'backendSigner?',
  'feeQuoteTokenAccount',
  'baseTokenProgram',
  'quoteTokenProgram',
  'associatedTokenProgram',
  'systemProgram',
] as const

type DepositAccounts = Record<
  Exclude<(typeof DEPOSIT_ACCOUNTS)[number], 'recipient?' | 'backendSigner?'>,
  AccountRef
> & { readonly recipient?: AccountRef; readonly backendSigner?: AccountRef }

/** The checks that a deposit starts with. Returns the wallet that the deposit will belong to. */
export function openDeposit(ctx: Invocation, accounts: DepositAccounts, load = assertFinalized): AccountRef {
  const { quoteMint, bucket, depositor } = accounts
  assertSigner(accounts.rentPayer)
  assertSigner(depositor)
  if (accounts.recipient) assertSigner(accounts.recipient)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(load(ctx, accounts.genesisAccount), accounts)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, quoteMint)
  assertHolder(ctx, accounts.depositorQuoteTokenAccount, depositor, quoteMint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, quoteMint)
  const owner = accounts.recipient ?? depositor
  ensureTokenAccount(ctx, {
    account: accounts.recipientBaseTokenAccount,
    owner,
    mint: accounts.baseMint,
    payer: accounts.rentPayer,
    tokenProgram: accounts.baseTokenProgram,
    systemProgram: accounts.systemProgram,
  })
  return owner
}

/** Takes a deposit and its fee from the depositor. */
export function payDeposit(
  ctx: Invocation,
  accounts: DepositAccounts,
  { amount, fee }: { amount: bigint; fee: bigint },
): void {
  const source = {
    from: accounts.depositorQuoteTokenAccount,
    authority: accounts.depositor,
    tokenProgram: accounts.quoteTokenProgram,
  }
  takeTokens(ctx, { ...source, to: accounts.bucketQuoteTokenAccount }, amount)
  takeTokens(ctx, { ...source, to: accounts.feeQuoteTokenAccount }, fee)
}
