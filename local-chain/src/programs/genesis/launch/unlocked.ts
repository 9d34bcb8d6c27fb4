import {
  type AddUnlockedBucketV2BaseInstructionData,
  type AddUnlockedBucketV2InstructionData,
  DEFAULT_UNLOCKED_CLAIM_FEE,
  DEFAULT_UNLOCKED_CLAIM_FEE_TYPE,
} from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { namedAccounts } from '../../instruction-accounts.ts'
import type { Invocation } from '../../stand-in.ts'
import { unlocked } from '../buckets.ts'
import { asKey, GENESIS } from '../checks.ts'
import { assertInitialized, assertInOrder, assertKind } from '../conditions.ts'
import { addBucket, BUCKET_ACCOUNTS, PROGRAM_ACCOUNTS } from './add-bucket.ts'

/**
 * Adds a bucket whose recipient can claim tokens and funds. It may have no tokens, only funds that a behavior sends.
 */
export function addUnlocked(
  ctx: Invocation,
  args: AddUnlockedBucketV2BaseInstructionData | AddUnlockedBucketV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, GENESIS, [...BUCKET_ACCOUNTS, 'recipient', ...PROGRAM_ACCOUNTS])
  const { bucketIndex, baseTokenAllocation: allocation, claimStartCondition, claimEndCondition } = args
  const quoteHolder = { account: accounts.bucketQuoteTokenAccount, owner: accounts.bucket }
  const plan = { kind: unlocked, bucketIndex, allocation, emptyAllowed: true, quoteHolder }
  addBucket(ctx, accounts, plan, bucket => {
    assertInitialized(claimStartCondition, claimEndCondition)
    assertKind(claimStartCondition, ['TimeAbsolute', 'TimeRelative', 'Always'])
    assertKind(claimEndCondition, ['TimeAbsolute', 'TimeRelative', 'Never'])
    assertInOrder(claimStartCondition, claimEndCondition, 'InvalidEndTime')
    const blank = unlocked.blank()
    const backendSigner = 'backendSigner' in args ? unwrapOption(args.backendSigner)?.signer : undefined
    return unlocked.serialize({
      ...blank,
      claimFeeType: DEFAULT_UNLOCKED_CLAIM_FEE_TYPE,
      claimFee: DEFAULT_UNLOCKED_CLAIM_FEE,
      bucket,
      recipient: asKey(accounts.recipient.address),
      claimStartCondition,
      claimEndCondition,
      extensions: { ...blank.extensions, ...(backendSigner && { backendSigner }) },
    })
  })
}
