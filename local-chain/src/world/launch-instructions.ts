import {
  addBondingCurveBucketV2Extensions,
  addConstantProductBondingCurveBucketV2Base,
  addLaunchPoolBucketV2Base,
  addLaunchPoolBucketV2Extensions,
  addPresaleBucketV2Base,
  addPresaleBucketV2Extensions,
  addRaydiumCpmmBucketV2Base,
  addRaydiumCpmmBucketV2Extensions,
  addUnlockedBucketV2,
  type BehaviorArgs,
  type ConditionArgs,
  createNeverCondition,
  createTimeAbsoluteCondition,
  createTriggeredCondition,
  finalizeV2,
  findUnlockedBucketV2Pda,
  initializeV2,
  type LaunchPoolV2ExtensionArgs,
  setBondingCurveBucketV2Behaviors,
  setLaunchPoolBucketV2Behaviors,
  setPresaleBucketV2Behaviors,
} from '@metaplex-foundation/genesis'
import type { PublicKey, Signer, TransactionBuilder } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { ASSOCIATED_TOKEN_PROGRAM, asKey } from '../programs/genesis/checks.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi } from '../programs/umi-context.ts'
import { curveParameters } from './curve-numbers.ts'
import { hasStartTime, type LaunchPlan, WRAPPED_SOL } from './launch-accounts.ts'
import { launchAddresses } from './launch-addresses.ts'
import { claimStartOf, PRESALE_CAP_LAMPORTS, releaseOf } from './sale-terms.ts'
import { associatedToken } from './token-accounts.ts'
import { signerAt, toInstructions } from './trade-instructions.ts'

type Token = {
  readonly name: string
  readonly symbol: string
  readonly uri: string
  readonly decimals: number
}

/**
 * The instructions that create a launch, one list for each transaction. The maker pays, and the authority and the
 * mint sign too.
 */
export function buildLaunchInstructions(plan: LaunchPlan, maker: Address, token: Token): Instruction[][] {
  const at = launchAddresses(plan.mint, plan.mechanic)
  const second = plan.amm ? at.amm : unlockedBucket(plan)
  const signers = { payer: signerAt(maker), authority: signerAt(plan.authority) }
  const launch = { genesisAccount: asKey(at.genesis), baseMint: asKey(plan.mint) }
  const bucket = { ...launch, ...signers, bucketIndex: 0, padding: Array(6).fill(0) }
  const initialize = initializeV2(umi, {
    ...signers,
    baseMint: signerAt(plan.mint),
    fundingMode: 0,
    totalSupplyBaseToken: plan.supply,
    ...token,
  })
  const finalize = finalizeV2(umi, { ...launch, authority: signers.authority }).addRemainingAccounts(
    [at.primary, second].map(address => ({ pubkey: asKey(address), isSigner: false, isWritable: true })),
  )
  return [
    [initialize],
    plan.mechanic === 'bondingCurveV2' ? addCurve(plan, bucket) : addSale(plan, bucket, second),
    [
      ...extendSale(plan, bucket),
      ...(plan.amm ? addRaydium(plan, bucket) : [addUnlocked(plan, bucket)]),
      finalize,
    ],
  ].map(builders => builders.flatMap(toInstructions))
}

/** Gets the proceeds of a launch that has no AMM bucket. */
export const unlockedBucket = ({ mint, mechanic }: LaunchPlan): Address => {
  const genesisAccount = asKey(launchAddresses(mint, mechanic).genesis)
  return findUnlockedBucketV2Pda(umi, { genesisAccount, bucketIndex: 0 })[0] as string as Address
}

type BucketInput = {
  readonly genesisAccount: PublicKey
  readonly baseMint: PublicKey
  readonly payer: Signer
  readonly authority: Signer
  readonly bucketIndex: number
  readonly padding: number[]
}

/** A launch pool or a presale. */
function addSale(plan: LaunchPlan, bucket: BucketInput, second: Address): TransactionBuilder[] {
  const { primary } = launchAddresses(plan.mint, plan.mechanic)
  const sale = {
    ...bucket,
    baseTokenAllocation: (plan.supply * 4n) / 5n,
    depositStartCondition: timeAt(plan.startTime),
    depositEndCondition: timeAt(plan.endTime),
    claimStartCondition: claimStartOf(plan),
    claimEndCondition: createNeverCondition(),
  }
  const behaviors = {
    ...extended(bucket, primary),
    endBehaviors: [...(plan.amm ? [sendPrice(second)] : []), sendProceeds(second)],
  }
  return plan.mechanic === 'launchpoolV2'
    ? [addLaunchPoolBucketV2Base(umi, sale), setLaunchPoolBucketV2Behaviors(umi, behaviors)]
    : [
        addPresaleBucketV2Base(umi, { ...sale, allocationQuoteTokenCap: PRESALE_CAP_LAMPORTS }),
        setPresaleBucketV2Behaviors(umi, behaviors),
      ]
}

function extendSale(plan: LaunchPlan, bucket: BucketInput): TransactionBuilder[] {
  const target = extended(bucket, launchAddresses(plan.mint, plan.mechanic).primary)
  const released = plan.releases ? [{ __kind: 'ClaimSchedule' as const, claimSchedule: releaseOf(plan) }] : []
  if (plan.mechanic === 'presaleV2')
    return released.length > 0 ? [addPresaleBucketV2Extensions(umi, { ...target, extensions: released })] : []
  const extensions: LaunchPoolV2ExtensionArgs[] = [
    ...released,
    ...(plan.goal === undefined
      ? []
      : [
          {
            __kind: 'MinimumQuoteTokenThreshold' as const,
            minimumQuoteTokenThreshold: { amount: plan.goal },
          },
        ]),
  ]
  return extensions.length > 0 ? [addLaunchPoolBucketV2Extensions(umi, { ...target, extensions })] : []
}

function addCurve(plan: LaunchPlan, bucket: BucketInput): TransactionBuilder[] {
  const { primary, amm } = launchAddresses(plan.mint, plan.mechanic)
  return [
    addConstantProductBondingCurveBucketV2Base(umi, {
      ...bucket,
      bucket: asKey(primary),
      quoteMint: asKey(WRAPPED_SOL),
      bucketQuoteTokenAccount: asKey(associatedToken(WRAPPED_SOL, primary)),
      quoteTokenProgram: asKey(TOKEN_PROGRAM),
      associatedTokenProgram: asKey(ASSOCIATED_TOKEN_PROGRAM),
      baseTokenAllocation: (plan.supply * 4n) / 5n,
      swapStartCondition: hasStartTime(plan) ? timeAt(plan.startTime) : always(),
      swapEndCondition: createTriggeredCondition(),
      ...curveParameters(plan.supply),
    }),
    addBondingCurveBucketV2Extensions(umi, {
      ...extended(bucket, primary),
      extensions: [...firstBuy(plan), ...creatorFee(plan)],
      ...(plan.firstBuy && { firstBuyer: signerAt(plan.firstBuy.buyer) }),
    }),
    setBondingCurveBucketV2Behaviors(umi, {
      ...extended(bucket, primary),
      endBehaviors: [sendPrice(amm), sendProceeds(amm)],
    }),
  ]
}

function addRaydium(plan: LaunchPlan, bucket: BucketInput): TransactionBuilder[] {
  const { amm } = launchAddresses(plan.mint, plan.mechanic)
  const extensions = creatorFee(plan)
  return [
    addRaydiumCpmmBucketV2Base(umi, {
      ...bucket,
      baseTokenAllocation: plan.supply / 5n,
      startCondition: always(),
    }),
    ...(extensions.length > 0
      ? [addRaydiumCpmmBucketV2Extensions(umi, { ...extended(bucket, amm), extensions })]
      : []),
  ]
}

const addUnlocked = (plan: LaunchPlan, bucket: BucketInput): TransactionBuilder =>
  addUnlockedBucketV2(umi, {
    ...bucket,
    recipient: asKey(plan.authority),
    baseTokenAllocation: plan.supply / 5n,
    claimStartCondition: always(),
    claimEndCondition: createNeverCondition(),
  })

const extended = ({ genesisAccount, payer, authority }: BucketInput, bucket: Address) => ({
  genesisAccount,
  payer,
  authority,
  bucket: asKey(bucket),
  padding: [0, 0, 0],
})
const firstBuy = ({ firstBuy: reserved }: LaunchPlan) =>
  reserved ? [{ __kind: 'FirstBuy' as const, buyer: asKey(reserved.buyer), amount: reserved.amount }] : []
const creatorFee = ({ creatorWallet: wallet }: LaunchPlan) =>
  wallet ? [{ __kind: 'CreatorFee' as const, creatorFee: { wallet: asKey(wallet) } }] : []

const timeAt = (unixTime: number): ConditionArgs => createTimeAbsoluteCondition(BigInt(unixTime))
const always = (): ConditionArgs => ({
  __kind: 'Always',
  padding: Array(55).fill(0),
  triggeredTimestamp: null,
})
const sendProceeds = (bucket: Address): BehaviorArgs => ({
  __kind: 'SendQuoteTokenPercentage',
  processed: false,
  percentageBps: 10_000,
  padding: [0, 0, 0, 0],
  destinationBucket: asKey(bucket),
})
const sendPrice = (bucket: Address): BehaviorArgs => ({
  __kind: 'SendStartPrice',
  processed: false,
  padding: Array(6).fill(0),
  destinationBucket: asKey(bucket),
})
