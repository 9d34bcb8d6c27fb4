import {
  type AddLaunchPoolBucketV2BaseInstructionData,
  type AddLaunchPoolBucketV2ExtensionsInstructionData,
  type AddPresaleBucketV2BaseInstructionData,
  type AddPresaleBucketV2ExtensionsInstructionData,
  DEFAULT_LAUNCHPOOL_CLAIM_FEE,
  DEFAULT_LAUNCHPOOL_CLAIM_FEE_TYPE,
  DEFAULT_LAUNCHPOOL_DEPOSIT_FEE,
  DEFAULT_LAUNCHPOOL_DEPOSIT_FEE_TYPE,
  DEFAULT_LAUNCHPOOL_WITHDRAW_FEE,
  DEFAULT_LAUNCHPOOL_WITHDRAW_FEE_TYPE,
  DEFAULT_PRESALE_CLAIM_FEE,
  DEFAULT_PRESALE_CLAIM_FEE_TYPE,
  DEFAULT_PRESALE_DEPOSIT_FEE,
  DEFAULT_PRESALE_DEPOSIT_FEE_TYPE,
  type LaunchPoolV2Extension,
  type LaunchPoolV2Extensions,
  type PresaleV2Extension,
  type PresaleV2Extensions,
} from '@metaplex-foundation/genesis'
import { some } from '@metaplex-foundation/umi'
import type { Invocation } from '../../stand-in.ts'
import { accountsOf } from '../accounts.ts'
import { type BucketKind, launchPool, presale, withoutExtensions } from '../buckets.ts'
import { assertInitialized, assertInOrder, assertKind, genesisError } from '../checks.ts'
import { addBucket, extendBucket, parseClaimSchedule, parseSchedule } from './add-bucket.ts'

/** Adds a bucket whose tokens are shared among its depositors. */
export const addLaunchPool = (ctx: Invocation, args: AddLaunchPoolBucketV2BaseInstructionData): void =>
  addSale(ctx, launchPool, args, {
    assertTerms: () => assertInitialized(...conditionsOf(args)),
    fields: {
      depositFeeType: DEFAULT_LAUNCHPOOL_DEPOSIT_FEE_TYPE,
      depositFee: DEFAULT_LAUNCHPOOL_DEPOSIT_FEE,
      withdrawFeeType: DEFAULT_LAUNCHPOOL_WITHDRAW_FEE_TYPE,
      withdrawFee: DEFAULT_LAUNCHPOOL_WITHDRAW_FEE,
      claimFeeType: DEFAULT_LAUNCHPOOL_CLAIM_FEE_TYPE,
      claimFee: DEFAULT_LAUNCHPOOL_CLAIM_FEE,
    },
  })

/** Adds a bucket that sells its tokens at one price, up to a cap. */
export const addPresale = (ctx: Invocation, args: AddPresaleBucketV2BaseInstructionData): void =>
  addSale(ctx, presale, args, {
    assertTerms() {
      if (args.allocationQuoteTokenCap === 0n) throw genesisError('InvalidAllocationQuoteTokenCap')
      assertInitialized(...conditionsOf(args))
      assertKind(args.depositStartCondition, ['Always', 'TimeAbsolute', 'TimeRelative'])
      assertKind(args.depositEndCondition, ['TimeAbsolute', 'TimeRelative', 'Never'])
      assertKind(args.claimStartCondition, ['TimeAbsolute', 'TimeRelative'])
      assertKind(args.claimEndCondition, ['TimeAbsolute', 'TimeRelative', 'Never'])
      if (args.depositEndCondition.__kind === 'Never' && args.claimStartCondition.__kind === 'TimeAbsolute')
        throw genesisError('InvalidClaimStartTime')
    },
    fields: {
      depositFeeType: DEFAULT_PRESALE_DEPOSIT_FEE_TYPE,
      depositFee: DEFAULT_PRESALE_DEPOSIT_FEE,
      claimFeeType: DEFAULT_PRESALE_CLAIM_FEE_TYPE,
      claimFee: DEFAULT_PRESALE_CLAIM_FEE,
      allocationQuoteTokenCap: args.allocationQuoteTokenCap,
    },
  })

type SaleArguments = Pick<
  AddLaunchPoolBucketV2BaseInstructionData,
  | 'bucketIndex'
  | 'baseTokenAllocation'
  | 'depositStartCondition'
  | 'depositEndCondition'
  | 'claimStartCondition'
  | 'claimEndCondition'
>
const conditionsOf = (args: SaleArguments) => [
  args.depositStartCondition,
  args.depositEndCondition,
  args.claimStartCondition,
  args.claimEndCondition,
]

function addSale<Args, Bucket extends Args & { extensions: object }>(
  ctx: Invocation,
  kind: BucketKind<Args, Bucket>,
  args: SaleArguments,
  { assertTerms, fields }: { assertTerms(): void; fields: Partial<Bucket> },
): void {
  const accounts = accountsOf(ctx, 'addBucket')
  const { depositStartCondition, depositEndCondition, claimStartCondition, claimEndCondition } = args
  const quoteHolder = { account: accounts.bucketQuoteTokenAccount, owner: accounts.bucket }
  const { bucketIndex, baseTokenAllocation: allocation } = args
  addBucket(ctx, accounts, { kind, bucketIndex, allocation, quoteHolder }, bucket => {
    assertTerms()
    assertInOrder(depositStartCondition, depositEndCondition, 'InvalidEndTime')
    assertInOrder(depositEndCondition, claimStartCondition, 'InvalidClaimStartTime')
    assertInOrder(claimStartCondition, claimEndCondition, 'InvalidEndTime')
    const blank = kind.blank()
    return kind.serialize({
      ...blank,
      ...fields,
      bucket,
      depositStartCondition,
      depositEndCondition,
      claimStartCondition,
      claimEndCondition,
      extensions: withoutExtensions(blank.extensions),
    })
  })
}

export const addLaunchPoolExtensions = (
  ctx: Invocation,
  { extensions }: AddLaunchPoolBucketV2ExtensionsInstructionData,
): void => extendBucket(ctx, accountsOf(ctx, 'extendBucket'), launchPool, extensions, one => ofPool(ctx, one))

export const addPresaleExtensions = (
  ctx: Invocation,
  { extensions }: AddPresaleBucketV2ExtensionsInstructionData,
): void => extendBucket(ctx, accountsOf(ctx, 'extendBucket'), presale, extensions, one => ofPresale(ctx, one))

function ofPool(ctx: Invocation, extension: LaunchPoolV2Extension): Partial<LaunchPoolV2Extensions> {
  switch (extension.__kind) {
    case 'DepositPenalty':
      return { depositPenalty: some(parseSchedule(extension.depositPenalty)) }
    case 'WithdrawPenalty':
      return { withdrawPenalty: some(parseSchedule(extension.withdrawPenalty)) }
    case 'BonusSchedule':
      return { bonusSchedule: some(parseSchedule(extension.bonusSchedule)) }
    case 'MinimumQuoteTokenThreshold': {
      const { minimumQuoteTokenThreshold } = extension
      if (minimumQuoteTokenThreshold.amount === 0n) throw genesisError('InvalidMinimumQuoteTokenThreshold')
      return { minimumQuoteTokenThreshold: some(minimumQuoteTokenThreshold) }
    }
    default:
      return ofBoth(ctx, extension)
  }
}

function ofPresale(ctx: Invocation, extension: PresaleV2Extension): Partial<PresaleV2Extensions> {
  switch (extension.__kind) {
    case 'DepositCooldown':
      return { depositCooldown: some(extension.depositCooldown) }
    case 'PerCooldownDepositLimit':
      return { perCooldownDepositLimit: some(extension.perCooldownDepositLimit) }
    default:
      return ofBoth(ctx, extension)
  }
}

/** The extensions that launch pools and presales have in common. */
function ofBoth(ctx: Invocation, extension: LaunchPoolV2Extension | PresaleV2Extension) {
  switch (extension.__kind) {
    case 'DepositLimit':
      return { depositLimit: some(extension.depositLimit) }
    case 'ClaimSchedule':
      return { claimSchedule: some(parseClaimSchedule(extension.claimSchedule)) }
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
