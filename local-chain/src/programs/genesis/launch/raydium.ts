import {
  type AddRaydiumCpmmBucketV2BaseInstructionData,
  type AddRaydiumCpmmBucketV2ExtensionsInstructionData,
  type AddRaydiumCpmmBucketV2InstructionData,
  type AddUnlockedBucketV2BaseInstructionData,
  type AddUnlockedBucketV2InstructionData,
  type Behavior,
  createTriggeredCondition,
  DEFAULT_UNLOCKED_CLAIM_FEE,
  DEFAULT_UNLOCKED_CLAIM_FEE_TYPE,
  findRaydiumSignerPda,
  type RaydiumCpmmV2Extension,
  type RaydiumCpmmV2Extensions,
} from '@metaplex-foundation/genesis'
import { type OptionOrNullable, type PublicKey, some, unwrapOption } from '@metaplex-foundation/umi'
import { systemTransfer } from '../../../ledger/system-instructions.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { accountsOf } from '../accounts.ts'
import { raydiumCpmm, unlocked, withoutExtensions } from '../buckets.ts'
import {
  asKey,
  assertBucketSigner,
  assertInitialized,
  assertInOrder,
  assertKind,
  genesisError,
} from '../checks.ts'
import { addBucket, createCreatorFee, extendBucket } from './add-bucket.ts'

/** What creating the pool will cost. It waits in the account of the bucket's signer. */
const POOL_CREATION_LAMPORTS = 194_196_000n

type RaydiumArguments = Pick<
  AddRaydiumCpmmBucketV2BaseInstructionData,
  'bucketIndex' | 'baseTokenAllocation' | 'startCondition' | 'deferPoolCreationCost'
>
type RaydiumAccounts = Parameters<typeof addBucket>[1] &
  Record<'bucketSigner' | 'raydiumSigner' | 'bucketSignerQuoteTokenAccount', AccountRef>
type Extras = {
  extensions?: Partial<RaydiumCpmmV2Extensions>
  endBehaviors?: Behavior[]
  lpClaimAuthority?: OptionOrNullable<PublicKey>
}

/** Adds a bucket that becomes a Raydium pool when the launch graduates. */
export function addRaydium(ctx: Invocation, args: AddRaydiumCpmmBucketV2BaseInstructionData): void {
  const accounts = accountsOf(ctx, 'addRaydium')
  createRaydium(ctx, accounts, args, {})
}

/** The same with extensions and behaviors in one instruction, whose accounts are in another order. */
export function addWholeRaydium(ctx: Invocation, args: AddRaydiumCpmmBucketV2InstructionData): void {
  const accounts = accountsOf(ctx, 'addWholeRaydium')
  const [creatorFee, lpLockSchedule, backendSigner] = [
    unwrapOption(args.creatorFee),
    unwrapOption(args.lpLockSchedule),
    unwrapOption(args.backendSigner),
  ]
  createRaydium(ctx, accounts, args, {
    endBehaviors: args.endBehaviors,
    lpClaimAuthority: args.lpClaimAuthority,
    extensions: {
      ...(backendSigner && { backendSigner: some(backendSigner) }),
      ...(lpLockSchedule && { lpLockSchedule: some(lpLockSchedule) }),
      ...(creatorFee && { creatorFee: some(createCreatorFee(creatorFee)) }),
    },
  })
}

function createRaydium(
  ctx: Invocation,
  accounts: RaydiumAccounts,
  { bucketIndex, baseTokenAllocation: allocation, startCondition, deferPoolCreationCost }: RaydiumArguments,
  { extensions = {}, endBehaviors = [], lpClaimAuthority = null }: Extras,
): void {
  const { bucketSigner, payer } = accounts
  const quoteHolder = { account: accounts.bucketSignerQuoteTokenAccount, owner: bucketSigner }
  addBucket(ctx, accounts, { kind: raydiumCpmm, bucketIndex, allocation, quoteHolder }, bucket => {
    assertInitialized(startCondition)
    assertKind(startCondition, ['Always', 'TimeAbsolute', 'TimeRelative'])
    const bucketSignerBump = assertBucketSigner(bucketSigner, accounts.bucket)
    if (findRaydiumSignerPda(umi)[0] !== asKey(accounts.raydiumSigner.address))
      throw genesisError('InvalidRaydiumSigner')
    const blank = raydiumCpmm.blank()
    return raydiumCpmm.serialize({
      ...blank,
      bucketSignerBump,
      bucket,
      bucketSigner: asKey(bucketSigner.address),
      lpClaimAuthority,
      startCondition,
      graduateCondition: createTriggeredCondition(),
      extensions: { ...withoutExtensions(blank.extensions), ...extensions },
      endBehaviors,
    })
  })
  if (!deferPoolCreationCost)
    ctx.invoke(systemTransfer(payer.address, bucketSigner.address, POOL_CREATION_LAMPORTS))
}

export function addRaydiumExtensions(
  ctx: Invocation,
  { extensions }: AddRaydiumCpmmBucketV2ExtensionsInstructionData,
): void {
  const accounts = accountsOf(ctx, 'extendBucket')
  extendBucket(ctx, accounts, raydiumCpmm, extensions, parseExtension)
}

function parseExtension(extension: RaydiumCpmmV2Extension): Partial<RaydiumCpmmV2Extensions> {
  switch (extension.__kind) {
    case 'BackendSigner':
      return { backendSigner: some(extension.backendSigner) }
    case 'LpLockSchedule':
      return { lpLockSchedule: some(extension.lpLockSchedule) }
    case 'CreatorFee':
      return { creatorFee: some(createCreatorFee(extension.creatorFee)) }
  }
}

/**
 * Adds a bucket whose recipient can claim tokens and funds. It may have no tokens, only funds that a behavior sends.
 */
export function addUnlocked(
  ctx: Invocation,
  args: AddUnlockedBucketV2BaseInstructionData | AddUnlockedBucketV2InstructionData,
): void {
  const accounts = accountsOf(ctx, 'addUnlocked')
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
