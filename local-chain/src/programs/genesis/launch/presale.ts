import {
  type AddPresaleBucketV2BaseInstructionData,
  type AddPresaleBucketV2ExtensionsInstructionData,
  DEFAULT_PRESALE_CLAIM_FEE,
  DEFAULT_PRESALE_CLAIM_FEE_TYPE,
  DEFAULT_PRESALE_DEPOSIT_FEE,
  DEFAULT_PRESALE_DEPOSIT_FEE_TYPE,
  type PresaleV2Extension,
  type PresaleV2Extensions,
} from '@metaplex-foundation/genesis'
import { some } from '@metaplex-foundation/umi'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { withoutExtensions } from '../blank.ts'
import { presale } from '../buckets.ts'
import { GENESIS } from '../checks.ts'
import { assertInitialized, assertInOrder, assertKind } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { addBucket, BUCKET_ACCOUNTS, PROGRAM_ACCOUNTS } from './add-bucket.ts'
import { extendBucket } from './extend-bucket.ts'
import { parseClaimSchedule } from './schedules.ts'

/** Adds a bucket that sells its tokens at one price, up to a cap. */
export function addPresale(ctx: Invocation, args: AddPresaleBucketV2BaseInstructionData): void {
  const accounts = namedAccounts(ctx, GENESIS, [...BUCKET_ACCOUNTS, ...PROGRAM_ACCOUNTS])
  const { depositStartCondition, depositEndCondition, claimStartCondition, claimEndCondition } = args
  const { bucketIndex, baseTokenAllocation: allocation, allocationQuoteTokenCap } = args
  const quoteHolder = { account: accounts.bucketQuoteTokenAccount, owner: accounts.bucket }
  addBucket(ctx, accounts, { kind: presale, bucketIndex, allocation, quoteHolder }, bucket => {
    if (allocationQuoteTokenCap === 0n) throw genesisError('InvalidAllocationQuoteTokenCap')
    assertInitialized(depositStartCondition, depositEndCondition, claimStartCondition, claimEndCondition)
    assertKind(depositStartCondition, ['Always', 'TimeAbsolute', 'TimeRelative'])
    assertKind(depositEndCondition, ['TimeAbsolute', 'TimeRelative', 'Never'])
    assertKind(claimStartCondition, ['TimeAbsolute', 'TimeRelative'])
    assertKind(claimEndCondition, ['TimeAbsolute', 'TimeRelative', 'Never'])
    if (depositEndCondition.__kind === 'Never' && claimStartCondition.__kind === 'TimeAbsolute')
      throw genesisError('InvalidClaimStartTime')
    assertInOrder(depositStartCondition, depositEndCondition, 'InvalidEndTime')
    assertInOrder(depositEndCondition, claimStartCondition, 'InvalidClaimStartTime')
    assertInOrder(claimStartCondition, claimEndCondition, 'InvalidEndTime')
    const blank = presale.blank()
    return presale.serialize({
      ...blank,
      depositFeeType: DEFAULT_PRESALE_DEPOSIT_FEE_TYPE,
      depositFee: DEFAULT_PRESALE_DEPOSIT_FEE,
      claimFeeType: DEFAULT_PRESALE_CLAIM_FEE_TYPE,
      claimFee: DEFAULT_PRESALE_CLAIM_FEE,
      bucket,
      allocationQuoteTokenCap,
      depositStartCondition,
      depositEndCondition,
      claimStartCondition,
      claimEndCondition,
      extensions: withoutExtensions(blank.extensions),
    })
  })
}

export function addPresaleExtensions(
  ctx: Invocation,
  { extensions }: AddPresaleBucketV2ExtensionsInstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, ['genesisAccount', 'bucket', 'payer', 'authority?'])
  extendBucket(ctx, accounts, presale, extensions, one => parseExtension(ctx, one))
}

function parseExtension(ctx: Invocation, extension: PresaleV2Extension): Partial<PresaleV2Extensions> {
  switch (extension.__kind) {
    case 'DepositLimit':
      return { depositLimit: some(extension.depositLimit) }
    case 'DepositCooldown':
      return { depositCooldown: some(extension.depositCooldown) }
    case 'PerCooldownDepositLimit':
      return { perCooldownDepositLimit: some(extension.perCooldownDepositLimit) }
    case 'ClaimSchedule':
      return { claimSchedule: some(parseClaimSchedule(extension.claimSchedule)) }
    case 'MinimumDepositAmount': {
      const { minimumDepositAmount } = extension
      if (minimumDepositAmount.amount === 0n) throw genesisError('InvalidMinimumDepositAmount')
      return { minimumDepositAmount: some(minimumDepositAmount) }
    }
    default:
      ctx.log(`The extension ${extension.__kind} needs the real program: npm run chain:programs`)
      throw genesisError('InstructionNotImplemented')
  }
}
