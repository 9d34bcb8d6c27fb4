import type {
  DepositPresaleV2InstructionData,
  PresaleBucketV2AccountData,
} from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { costInPresale } from '@slipway/launch-model/deposits'
import { presale as model } from '@slipway/launch-model/kinds/presale'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { presale } from '../buckets.ts'
import { GENESIS, loadBucket, loadGenesis, readTerms, saveBucket } from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { isMet, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { DEPOSIT_ACCOUNTS, openDeposit, payDeposit } from './deposit.ts'
import { presaleDeposits } from './deposit-account.ts'

/** Deposits quote tokens in a presale. A deposit that exceeds the remaining room is filled partly. */
export function depositInPresale(
  ctx: Invocation,
  { amountQuoteToken }: DepositPresaleV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, DEPOSIT_ACCOUNTS)
  const { bucket, depositPda, rentPayer } = accounts
  // Like a curve, a presale is open before its launch is finalized.
  const owner = openDeposit(ctx, accounts, loadGenesis)
  const now = readUnixTime(ctx)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  const { deposit, created } = presaleDeposits.find(ctx, { depositPda, bucket, owner })
  const before = deposit?.amountQuoteToken ?? 0n
  if (amountQuoteToken === 0n) throw genesisError('InvalidPresaleDepositAmount')
  const { credited: amount, fee } = costInPresale(readTerms(ctx, bucket, model), amountQuoteToken)
  // The program makes most of its checks after the transfers.
  payDeposit(ctx, accounts, { amount, fee })
  assertWithinLimits(sale, { amount, before, lastDeposit: deposit?.timestamp, now })
  const depositStartCondition = triggerIfDue(sale.depositStartCondition, now)
  const depositEndCondition = triggerIfDue(sale.depositEndCondition, now)
  if (!isMet(depositStartCondition)) throw genesisError('PresaleSaleNotStarted')
  if (isMet(depositEndCondition)) throw genesisError('PresaleSaleEnded')
  if (amount === 0n) throw genesisError('PresaleBucketAlreadyFunded')

  presaleDeposits.save(
    ctx,
    { depositPda, payer: rentPayer },
    {
      ...(deposit ?? { ...created, index: Number(sale.depositCount) }),
      timestamp: now,
      amountQuoteToken: before + amount,
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
      quoteTokenDepositTotal: sale.quoteTokenDepositTotal + amount,
      bucket: { ...sale.bucket, quoteTokenBalance: sale.bucket.quoteTokenBalance + amount },
    }),
  )
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
  const limit = unwrapOption(extensions.depositLimit)?.limit
  if (limit !== undefined && before + amount > limit) throw genesisError('PresaleDepositLimitExceeded')
  const cooldown = unwrapOption(extensions.depositCooldown)?.duration
  if (cooldown !== undefined && lastDeposit !== undefined && now < lastDeposit + cooldown)
    throw genesisError('PresaleDepositCooldownActive')
  const perCooldown = unwrapOption(extensions.perCooldownDepositLimit)?.limit
  if (perCooldown !== undefined && amount > perCooldown)
    throw genesisError('PresalePerCooldownDepositLimitExceeded')
  if (before + amount < (unwrapOption(extensions.minimumDepositAmount)?.amount ?? 0n))
    throw genesisError('PresaleDepositBelowMinimum')
}
