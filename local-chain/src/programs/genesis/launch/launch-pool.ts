import {
  type AddLaunchPoolBucketV2BaseInstructionData,
  type AddLaunchPoolBucketV2ExtensionsInstructionData,
  DEFAULT_LAUNCHPOOL_CLAIM_FEE,
  DEFAULT_LAUNCHPOOL_CLAIM_FEE_TYPE,
  DEFAULT_LAUNCHPOOL_DEPOSIT_FEE,
  DEFAULT_LAUNCHPOOL_DEPOSIT_FEE_TYPE,
  DEFAULT_LAUNCHPOOL_WITHDRAW_FEE,
  DEFAULT_LAUNCHPOOL_WITHDRAW_FEE_TYPE,
  type LaunchPoolV2Extension,
  type LaunchPoolV2Extensions,
} from '@metaplex-foundation/genesis'
import { some } from '@metaplex-foundation/umi'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { withoutExtensions } from '../blank.ts'
import { launchPool } from '../buckets.ts'
import { GENESIS } from '../checks.ts'
import { assertInitialized, assertInOrder } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { addBucket, BUCKET_ACCOUNTS, PROGRAM_ACCOUNTS } from './add-bucket.ts'
import { extendBucket } from './extend-bucket.ts'
import { parseClaimSchedule, parseSchedule } from './schedules.ts'

/** Adds a bucket whose tokens are shared among its depositors. */
export function addLaunchPool(ctx: Invocation, args: AddLaunchPoolBucketV2BaseInstructionData): void {
  const accounts = namedAccounts(ctx, GENESIS, [...BUCKET_ACCOUNTS, ...PROGRAM_ACCOUNTS])
  const { depositStartCondition, depositEndCondition, claimStartCondition, claimEndCondition } = args
  const quoteHolder = { account: accounts.bucketQuoteTokenAccount, owner: accounts.bucket }
  const { bucketIndex, baseTokenAllocation: allocation } = args
  addBucket(ctx, accounts, { kind: launchPool, bucketIndex, allocation, quoteHolder }, bucket => {
    assertInitialized(depositStartCondition, depositEndCondition, claimStartCondition, claimEndCondition)
    assertInOrder(depositStartCondition, depositEndCondition, 'InvalidEndTime')
    assertInOrder(depositEndCondition, claimStartCondition, 'InvalidClaimStartTime')
    assertInOrder(claimStartCondition, claimEndCondition, 'InvalidEndTime')
    const blank = launchPool.blank()
    return launchPool.serialize({
      ...blank,
      depositFeeType: DEFAULT_LAUNCHPOOL_DEPOSIT_FEE_TYPE,
      depositFee: DEFAULT_LAUNCHPOOL_DEPOSIT_FEE,
      withdrawFeeType: DEFAULT_LAUNCHPOOL_WITHDRAW_FEE_TYPE,
      withdrawFee: DEFAULT_LAUNCHPOOL_WITHDRAW_FEE,
      claimFeeType: DEFAULT_LAUNCHPOOL_CLAIM_FEE_TYPE,
      claimFee: DEFAULT_LAUNCHPOOL_CLAIM_FEE,
      bucket,
      depositStartCondition,
      depositEndCondition,
      claimStartCondition,
      claimEndCondition,
      extensions: withoutExtensions(blank.extensions),
    })
  })
}

export function addLaunchPoolExtensions(
  ctx: Invocation,
  { extensions }: AddLaunchPoolBucketV2ExtensionsInstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, ['genesisAccount', 'bucket', 'payer', 'authority?'])
  extendBucket(ctx, accounts, launchPool, extensions, one => parseExtension(ctx, one))
}

function parseExtension(ctx: Invocation, extension: LaunchPoolV2Extension): Partial<LaunchPoolV2Extensions> {
  switch (extension.__kind) {
    case 'DepositPenalty':
      return { depositPenalty: some(parseSchedule(extension.depositPenalty)) }
    case 'WithdrawPenalty':
      return { withdrawPenalty: some(parseSchedule(extension.withdrawPenalty)) }
    case 'BonusSchedule':
      return { bonusSchedule: some(parseSchedule(extension.bonusSchedule)) }
    case 'DepositLimit':
      return { depositLimit: some(extension.depositLimit) }
    case 'ClaimSchedule':
      return { claimSchedule: some(parseClaimSchedule(extension.claimSchedule)) }
    case 'MinimumQuoteTokenThreshold': {
      const { minimumQuoteTokenThreshold } = extension
      if (minimumQuoteTokenThreshold.amount === 0n) throw genesisError('InvalidMinimumQuoteTokenThreshold')
      return { minimumQuoteTokenThreshold: some(minimumQuoteTokenThreshold) }
    }
    case 'MinimumDepositAmount': {
      const { minimumDepositAmount } = extension
      if (minimumDepositAmount.amount === 0n) throw genesisError('InvalidMinimumDepositAmount')
      return { minimumDepositAmount: some(minimumDepositAmount) }
    }
    default:
      // Their rules for deposits are not implemented here.
      ctx.log(`The extension ${extension.__kind} needs the real program: npm run chain:programs`)
      throw genesisError('InstructionNotImplemented')
  }
}
