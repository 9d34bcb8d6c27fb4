import {
  type AddBondingCurveBucketV2ExtensionsInstructionData,
  type AddConstantProductBondingCurveBucketV2BaseInstructionData,
  type AddConstantProductBondingCurveBucketV2InstructionData,
  type BondingCurveV2Extension,
  type BondingCurveV2Extensions,
  FeeDiscriminants,
  type FirstBuy,
} from '@metaplex-foundation/genesis'
import { some, unwrapOption } from '@metaplex-foundation/umi'
import { assertSigner } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { accountsOf } from '../accounts.ts'
import { bondingCurve, withoutExtensions } from '../buckets.ts'
import { asKey, assertInitialized, assertInOrder, assertKind, genesisError } from '../checks.ts'
import { addBucket, createCreatorFee, extendBucket } from './add-bucket.ts'

/** The program's own part of every trade, 0.5 %. */
export const PROTOCOL_FEE_BPS = 50n

type CurveArguments = Pick<
  AddConstantProductBondingCurveBucketV2BaseInstructionData,
  | 'bucketIndex'
  | 'baseTokenAllocation'
  | 'swapStartCondition'
  | 'swapEndCondition'
  | 'virtualSol'
  | 'virtualTokens'
>

/** Adds a bucket whose tokens are bought and sold along a curve. */
export function addBondingCurve(ctx: Invocation, args: CurveArguments): void {
  const accounts = accountsOf(ctx, 'addBucket')
  createCurve(ctx, accounts, args, {})
}

/** The same with extensions and behaviors in one instruction. */
export function addWholeBondingCurve(
  ctx: Invocation,
  args: AddConstantProductBondingCurveBucketV2InstructionData,
): void {
  const accounts = accountsOf(ctx, 'addWholeCurve')
  const { firstBuyer } = accounts
  const creatorFee = unwrapOption(args.creatorFee)
  const backendSigner = unwrapOption(args.backendSigner)
  const amount = args.firstBuyQuoteAmount
  if (amount > 0n && !firstBuyer) throw genesisError('MissingFirstBuySigner')
  createCurve(ctx, accounts, args, {
    endBehaviors: args.endBehaviors,
    extensions: {
      ...(backendSigner && { backendSigner: some(backendSigner) }),
      ...(creatorFee && { creatorFee: some(createCreatorFee(creatorFee)) }),
      ...(amount > 0n &&
        firstBuyer && {
          firstBuy: some(createFirstBuy({ buyer: asKey(firstBuyer.address), amount }, firstBuyer)),
        }),
    },
  })
}

function createCurve(
  ctx: Invocation,
  accounts: Parameters<typeof addBucket>[1] & { bucketQuoteTokenAccount: AccountRef },
  { bucketIndex, baseTokenAllocation: allocation, ...args }: CurveArguments,
  {
    extensions = {},
    endBehaviors = [],
  }: {
    extensions?: Partial<BondingCurveV2Extensions>
    endBehaviors?: AddConstantProductBondingCurveBucketV2InstructionData['endBehaviors']
  },
): void {
  const { swapStartCondition, swapEndCondition, virtualSol, virtualTokens } = args
  const quoteHolder = { account: accounts.bucketQuoteTokenAccount, owner: accounts.bucket }
  addBucket(ctx, accounts, { kind: bondingCurve, bucketIndex, allocation, quoteHolder }, bucket => {
    assertInitialized(swapStartCondition, swapEndCondition)
    assertKind(swapStartCondition, ['Always', 'TimeAbsolute', 'TimeRelative'])
    assertInOrder(swapStartCondition, swapEndCondition, 'InvalidEndTime')
    if (virtualSol === 0n || virtualTokens === 0n) throw genesisError('InvalidConstantProduct')
    const blank = bondingCurve.blank()
    return bondingCurve.serialize({
      ...blank,
      depositFeeType: FeeDiscriminants.BasisPoints,
      depositFee: PROTOCOL_FEE_BPS,
      withdrawFeeType: FeeDiscriminants.BasisPoints,
      withdrawFee: PROTOCOL_FEE_BPS,
      bucket,
      swapStartCondition,
      swapEndCondition,
      extensions: { ...withoutExtensions(blank.extensions), ...extensions },
      endBehaviors,
      constantProductParams: { virtualSol, virtualTokens },
    })
  })
}

export function addBondingCurveExtensions(
  ctx: Invocation,
  { extensions }: AddBondingCurveBucketV2ExtensionsInstructionData,
): void {
  const accounts = accountsOf(ctx, 'extendCurve')
  const parse = (extension: BondingCurveV2Extension): Partial<BondingCurveV2Extensions> => {
    switch (extension.__kind) {
      case 'BackendSigner':
        return { backendSigner: some(extension.backendSigner) }
      case 'FirstBuy':
        return { firstBuy: some(createFirstBuy(extension, accounts.firstBuyer)) }
      case 'CreatorFee':
        return { creatorFee: some(createCreatorFee(extension.creatorFee)) }
    }
  }
  extendBucket(ctx, accounts, bondingCurve, extensions, parse)
}

/** A first buy is reserved for a buyer who has agreed to it. */
function createFirstBuy({ buyer, amount }: FirstBuy, signer: AccountRef | undefined): FirstBuy {
  if (amount === 0n) throw genesisError('InvalidFirstBuyConfig')
  if (!signer || asKey(signer.address) !== buyer) throw genesisError('MissingFirstBuySigner')
  assertSigner(signer)
  return { buyer, amount }
}
