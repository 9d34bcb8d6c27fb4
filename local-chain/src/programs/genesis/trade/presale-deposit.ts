import type {
  DepositPresaleV2InstructionData,
  PresaleBucketV2AccountData,
} from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { presale } from '../buckets.ts'
import { asKey, GENESIS, loadBucket, loadGenesis, saveBucket } from '../checks.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { feeOn, grossForNet } from '../fees.ts'
import { DEPOSIT_ACCOUNTS, openDeposit, payDeposit } from './deposit.ts'
import { findPresaleDeposit, savePresaleDeposit } from './presale-account.ts'

/** Deposits quote tokens in a presale. A deposit that exceeds the remaining room is filled partly. */
export function depositInPresale(
  ctx: Invocation,
  { amountQuoteToken }: DepositPresaleV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, DEPOSIT_ACCOUNTS)
  const { bucket, depositPda, rentPayer } = accounts
  // Like a curve, a presale is open before its launch is finalized.
  const { owner, now } = openDeposit(ctx, accounts, loadGenesis)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  const { bump, deposit } = findPresaleDeposit(ctx, { depositPda, bucket, owner })
  const before = deposit?.amountQuoteToken ?? 0n
  if (amountQuoteToken === 0n) throw genesisError('InvalidPresaleDepositAmount')
  const filled = fill(sale, amountQuoteToken)
  assertWithinLimits(sale, { ...filled, before, lastDeposit: deposit?.timestamp, now })
  payDeposit(ctx, accounts, filled)
  // The program checks the time, and whether anything was left, only after the transfers.
  const depositStartCondition = triggerIfDue(sale.depositStartCondition, now)
  const depositEndCondition = triggerIfDue(sale.depositEndCondition, now)
  if (!isMet(depositStartCondition)) throw genesisError('PresaleSaleNotStarted')
  if (isMet(depositEndCondition)) throw genesisError('PresaleSaleEnded')
  if (filled.amount === 0n) throw genesisError('PresaleBucketAlreadyFunded')

  savePresaleDeposit(
    ctx,
    { depositPda, payer: rentPayer },
    {
      ...(deposit ?? {
        bump,
        index: Number(sale.depositCount),
        depositor: asKey(owner.address),
        bucket: asKey(bucket.address),
      }),
      timestamp: now,
      amountQuoteToken: before + filled.amount,
    },
  )
  saveBucket(
    ctx,
    bucket,
    presale.serialize({
      ...sale,
      depositStartCondition,
      depositEndCondition,
      depositCount: sale.depositCount + (deposit ? 0n : 1n),
      quoteTokenDepositTotal: sale.quoteTokenDepositTotal + filled.amount,
      bucket: { ...sale.bucket, quoteTokenBalance: sale.bucket.quoteTokenBalance + filled.amount },
    }),
  )
}

/** What the cap leaves room for, and the fee on that. */
function fill(sale: PresaleBucketV2AccountData, gross: bigint): { amount: bigint; fee: bigint } {
  const fee = { type: sale.depositFeeType, amount: sale.depositFee }
  const amount = gross - feeOn(gross, fee)
  const room = sale.allocationQuoteTokenCap - sale.quoteTokenDepositTotal
  if (amount <= room) return { amount, fee: gross - amount }
  return { amount: room, fee: grossForNet(room, [fee]) - room }
}

/** The minimum and the limit apply to a wallet's total deposit, excluding fees. */
function assertWithinLimits(
  { extensions }: PresaleBucketV2AccountData,
  {
    amount,
    before,
    lastDeposit,
    now,
  }: Record<'amount' | 'before' | 'now', bigint> & {
    lastDeposit: bigint | undefined
  },
): void {
  if (before + amount < (unwrapOption(extensions.minimumDepositAmount)?.amount ?? 0n))
    throw genesisError('PresaleDepositBelowMinimum')
  const limit = unwrapOption(extensions.depositLimit)?.limit
  if (limit !== undefined && before + amount > limit) throw genesisError('PresaleDepositLimitExceeded')
  const cooldown = unwrapOption(extensions.depositCooldown)?.duration
  if (cooldown !== undefined && lastDeposit !== undefined && now < lastDeposit + cooldown)
    throw genesisError('PresaleDepositCooldownActive')
  const perCooldown = unwrapOption(extensions.perCooldownDepositLimit)?.limit
  if (perCooldown !== undefined && amount > perCooldown)
    throw genesisError('PresalePerCooldownDepositLimitExceeded')
}
