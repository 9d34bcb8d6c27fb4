import {
  createTimeAbsoluteCondition,
  createTriggeredCondition,
  findGenesisAccountV2Pda,
  findRaydiumBucketSignerPda,
  getBondingCurveBucketV2AccountDataSerializer,
  getGenesisAccountV2AccountDataSerializer,
  getLaunchPoolBucketV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  Key,
  LaunchType,
} from '@metaplex-foundation/genesis'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import { blank, withoutExtensions } from '../programs/genesis/blank.ts'
import { bondingCurve, launchPool, presale, raydiumCpmm } from '../programs/genesis/buckets.ts'
import { asKey, GENESIS } from '../programs/genesis/checks.ts'
import { PROTOCOL_FEE_BPS } from '../programs/genesis/launch/bonding-curve.ts'
import { umi } from '../programs/umi-context.ts'
import { creatorFee, curveParameters, unsoldOnCurve } from './curve-numbers.ts'
import { BUCKET_INDEX, type LaunchAddresses, launchAddresses, type Mechanic } from './launch-addresses.ts'
import { claimStartOf, PRESALE_CAP_LAMPORTS, releaseOf } from './sale-terms.ts'

export { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'

const PRIMARY_KINDS = { launchpoolV2: launchPool, presaleV2: presale, bondingCurveV2: bondingCurve }

export type LaunchPlan = {
  readonly mechanic: Mechanic
  readonly mint: Address
  readonly authority: Address
  /** Unix seconds. A bonding curve has no end time, and is usually open from the start. */
  readonly startTime: number
  readonly endTime: number
  readonly supply: bigint
  readonly depositedLamports: bigint
  readonly creatorWallet?: Address
  readonly creatorFee?: { readonly accrued: bigint; readonly claimed: bigint }
  /** The AMM bucket that follows the primary one, with its creator fees. */
  readonly amm?: { readonly graduatedAt?: number; readonly accrued: bigint; readonly claimed: bigint }
  /** A curve that opens at `startTime`, whose first buy is reserved, or whose tokens are all sold. */
  readonly opensLater?: boolean
  readonly firstBuy?: { readonly buyer: Address; readonly amount: bigint }
  readonly soldOutAt?: number
  /** Lamports that a launch pool must raise. */
  readonly goal?: bigint
  /** The part of the deposits that belongs to the visitor. */
  readonly ofVisitor?: bigint
  /** How many deposits there are besides the visitor's. One by default. */
  readonly deposits?: number
  readonly releases?: boolean
  readonly claimsAtGraduation?: boolean
  /** A launch without an AMM bucket has graduated once its end behaviors have run. */
  readonly behaviorsDone?: boolean
}

/** The Genesis accounts of a launch, byte for byte as the program would write them. */
export function buildLaunchAccounts(
  plan: LaunchPlan,
  rent: (size: number) => bigint,
): Map<Address, ChainAccount> {
  const at = launchAddresses(plan.mint, plan.mechanic)
  const own = (data: Uint8Array): ChainAccount => ({
    lamports: rent(data.length),
    owner: GENESIS,
    data,
    executable: false,
  })
  const accounts = new Map([
    [at.genesis, own(genesisData(plan))],
    [at.primary, own(primaryData(plan, at))],
  ])
  if (plan.amm) accounts.set(at.amm, own(ammData(plan, plan.amm, at)))
  return accounts
}

function genesisData(plan: LaunchPlan): Uint8Array {
  const serializer = getGenesisAccountV2AccountDataSerializer()
  const [, bump] = findGenesisAccountV2Pda(umi, { baseMint: asKey(plan.mint), genesisIndex: 0 })
  return serializer.serialize({
    ...blank(serializer, Key.GenesisAccountV2),
    bump,
    finalized: true,
    authority: asKey(plan.authority),
    baseMint: asKey(plan.mint),
    quoteMint: asKey(WRAPPED_NATIVE_MINT),
    totalSupplyBaseToken: plan.supply,
    totalAllocatedSupplyBaseToken: plan.supply,
    totalProceedsQuoteToken: plan.depositedLamports,
    launchType: plan.mechanic === 'bondingCurveV2' ? LaunchType.Meme : LaunchType.Project,
    bucketCount: plan.amm ? 2 : 1,
  })
}

function primaryData(plan: LaunchPlan, at: LaunchAddresses): Uint8Array {
  const graduated = plan.behaviorsDone ?? plan.amm?.graduatedAt !== undefined
  const deposits = {
    // The program records when it first finds a condition met: at the first deposit, and when the end behaviors run.
    depositStartCondition: timed(plan.startTime, plan.depositedLamports > 0n),
    depositEndCondition: timed(plan.endTime, graduated),
    claimStartCondition: claimStartOf(plan),
    claimEndCondition: never(),
  }
  const released = plan.releases ? { claimSchedule: releaseOf(plan) } : {}
  const endBehaviors = endBehaviorsOf(plan, at, graduated)
  const common = { quoteTokenDepositTotal: plan.depositedLamports, endBehaviors }
  switch (plan.mechanic) {
    case 'launchpoolV2': {
      const serializer = getLaunchPoolBucketV2AccountDataSerializer()
      const empty = blank(serializer, Key.LaunchPoolBucketV2)
      return serializer.serialize({
        ...empty,
        ...common,
        ...deposits,
        weightedQuoteTokenTotal: plan.depositedLamports,
        depositCount: depositCount(plan),
        depositId: depositCount(plan),
        bucket: bucketBase(empty.bucket, plan, at.genesis, 'primary'),
        extensions: {
          ...withoutExtensions(empty.extensions),
          ...released,
          ...(plan.goal !== undefined && { minimumQuoteTokenThreshold: { amount: plan.goal } }),
        },
      })
    }
    case 'presaleV2': {
      const serializer = getPresaleBucketV2AccountDataSerializer()
      const empty = blank(serializer, Key.PresaleBucketV2)
      return serializer.serialize({
        ...empty,
        ...common,
        ...deposits,
        allocationQuoteTokenCap: PRESALE_CAP_LAMPORTS,
        depositCount: depositCount(plan),
        bucket: bucketBase(empty.bucket, plan, at.genesis, 'primary'),
        extensions: { ...withoutExtensions(empty.extensions), ...released },
      })
    }
    case 'bondingCurveV2': {
      const serializer = getBondingCurveBucketV2AccountDataSerializer()
      const empty = blank(serializer, Key.BondingCurveBucketV2)
      return serializer.serialize({
        ...empty,
        ...common,
        depositFee: PROTOCOL_FEE_BPS,
        withdrawFee: PROTOCOL_FEE_BPS,
        bucket: {
          ...bucketBase(empty.bucket, plan, at.genesis, 'primary'),
          baseTokenBalance:
            graduated || plan.soldOutAt !== undefined
              ? 0n
              : unsoldOnCurve(plan.supply, plan.depositedLamports),
        },
        swapStartCondition: hasStartTime(plan) ? timed(plan.startTime, !plan.opensLater) : always(),
        swapEndCondition: triggered(plan.amm?.graduatedAt ?? plan.soldOutAt),
        creatorFeeAccrued: plan.creatorFee?.accrued ?? 0n,
        creatorFeeClaimed: plan.creatorFee?.claimed ?? 0n,
        extensions: {
          ...withoutExtensions(empty.extensions),
          creatorFee: creatorFee(plan.creatorWallet),
          ...(plan.firstBuy && {
            firstBuy: { buyer: asKey(plan.firstBuy.buyer), amount: plan.firstBuy.amount },
          }),
        },
        constantProductParams: curveParameters(plan.supply),
      })
    }
  }
}

/** Without a time, a launch starts when it is registered, which is after the end of a curve that is already full. */
export const hasStartTime = ({ amm, opensLater, soldOutAt }: LaunchPlan): boolean =>
  opensLater === true || soldOutAt !== undefined || amm?.graduatedAt !== undefined

function endBehaviorsOf(plan: LaunchPlan, at: LaunchAddresses, graduated: boolean) {
  return [
    // The price that an open curve will hand on to its pool.
    ...(plan.mechanic === 'bondingCurveV2' && plan.amm && !graduated
      ? [
          {
            __kind: 'SendStartPrice' as const,
            processed: false,
            padding: [0, 0, 0, 0, 0, 0],
            destinationBucket: asKey(at.amm),
          },
        ]
      : []),
    {
      __kind: 'SendQuoteTokenPercentage' as const,
      processed: graduated,
      percentageBps: 10_000,
      padding: [0, 0, 0, 0],
      destinationBucket: asKey(plan.amm ? at.amm : at.primary),
    },
  ]
}

function ammData(plan: LaunchPlan, amm: NonNullable<LaunchPlan['amm']>, at: LaunchAddresses): Uint8Array {
  const serializer = getRaydiumCpmmBucketV2AccountDataSerializer()
  const empty = blank(serializer, Key.RaydiumCpmmBucketV2)
  const [, bucketSignerBump] = findRaydiumBucketSignerPda(umi, { bucket: asKey(at.amm) })
  const graduated = amm.graduatedAt !== undefined
  return serializer.serialize({
    ...empty,
    bucketSignerBump,
    bucket: bucketBase(empty.bucket, plan, at.genesis, 'amm'),
    bucketSigner: asKey(at.ammSigner),
    graduatedBaseTokenAmount: graduated ? plan.supply / 5n : 0n,
    lpTokenBalance: graduated ? 1_000_000_000n : 0n,
    lpClaimAuthority: null,
    startCondition: graduated ? triggered(amm.graduatedAt) : always(),
    graduateCondition: triggered(amm.graduatedAt),
    poolState: asKey(graduated ? at.pool : ('11111111111111111111111111111111' as Address)),
    creatorFeeAccrued: amm.accrued,
    creatorFeeClaimed: amm.claimed,
    extensions: { ...withoutExtensions(empty.extensions), creatorFee: creatorFee(plan.creatorWallet) },
  })
}

function bucketBase<T extends object>(base: T, plan: LaunchPlan, genesis: Address, role: 'primary' | 'amm') {
  const primary = role === 'primary'
  const kind = primary ? PRIMARY_KINDS[plan.mechanic] : raydiumCpmm
  const [, bump] = kind.pda(asKey(genesis), BUCKET_INDEX)
  return {
    ...base,
    bump,
    bucketIndex: BUCKET_INDEX,
    genesis: asKey(genesis),
    baseTokenAllocation: primary ? (plan.supply * 4n) / 5n : plan.supply / 5n,
    baseTokenBalance: primary ? (plan.supply * 3n) / 5n : plan.supply / 5n,
    quoteTokenBalance: primary ? plan.depositedLamports : 0n,
    baseMint: asKey(plan.mint),
    quoteMint: asKey(WRAPPED_NATIVE_MINT),
  }
}

const depositCount = ({ depositedLamports }: LaunchPlan): bigint => depositedLamports / 1_500_000_000n
const timed = (time: number, met: boolean) => ({
  ...createTimeAbsoluteCondition(BigInt(time)),
  triggeredTimestamp: met ? BigInt(time) : null,
})
const always = () => ({ __kind: 'Always' as const, padding: Array(55).fill(0), triggeredTimestamp: null })
const never = () => ({ __kind: 'Never' as const, padding: Array(55).fill(0), triggeredTimestamp: null })
const triggered = (at: number | undefined) => ({
  ...createTriggeredCondition(),
  triggeredTimestamp: at === undefined ? null : BigInt(at),
})
