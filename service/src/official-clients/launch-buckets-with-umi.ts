import {
  addBondingCurveBucketV2Extensions,
  addConstantProductBondingCurveBucketV2Base,
  addLaunchPoolBucketV2Base,
  addLaunchPoolBucketV2Extensions,
  type BehaviorArgs,
  BucketTimes,
  type ConditionArgs,
  createNeverCondition,
  createTimeAbsoluteCondition,
  createTimeRelativeCondition,
  createTriggeredCondition,
  setBondingCurveBucketV2Behaviors,
  setLaunchPoolBucketV2Behaviors,
} from '@metaplex-foundation/genesis'
import { createNoopSigner, type PublicKey, type TransactionBuilder, type Umi } from '@metaplex-foundation/umi'
import type { Condition } from '@slipway/launch-model/conditions'
import type { Behavior, Schedule } from '@slipway/launch-model/kinds/bucket-parts'
import type { BondingCurvePlan, LaunchPoolPlan, RaydiumPlan } from '@slipway/launch-model/plan/launch-plan'

const key = (address: string) => address as PublicKey

export function launchPoolSteps(
  umi: Umi,
  pool: LaunchPoolPlan,
  base: Omit<Parameters<typeof addLaunchPoolBucketV2Base>[1], `${string}Condition`>,
  change: Omit<Parameters<typeof addLaunchPoolBucketV2Extensions>[1], 'extensions'>,
  endBehaviors: BehaviorArgs[],
): TransactionBuilder[] {
  const { bonusSchedule: bonus, withdrawPenalty, minimumQuoteTokenThreshold: amount } = pool.extended
  const { conditions } = pool.added
  const extensions = [
    ...(bonus ? [{ __kind: 'BonusSchedule', bonusSchedule: toSchedule(bonus) } as const] : []),
    ...(withdrawPenalty
      ? [{ __kind: 'WithdrawPenalty', withdrawPenalty: toSchedule(withdrawPenalty) } as const]
      : []),
    ...(amount === undefined
      ? []
      : [{ __kind: 'MinimumQuoteTokenThreshold', minimumQuoteTokenThreshold: { amount } } as const]),
  ]
  return [
    addLaunchPoolBucketV2Base(umi, {
      ...base,
      depositStartCondition: toCondition(conditions.DepositStart),
      depositEndCondition: toCondition(conditions.DepositEnd),
      claimStartCondition: toCondition(conditions.ClaimStart),
      claimEndCondition: toCondition(conditions.ClaimEnd),
    }),
    ...(extensions.length > 0 ? [addLaunchPoolBucketV2Extensions(umi, { ...change, extensions })] : []),
    setLaunchPoolBucketV2Behaviors(umi, { ...change, endBehaviors }),
  ]
}

export function curveSteps(
  umi: Umi,
  curve: BondingCurvePlan,
  base: Omit<
    Parameters<typeof addConstantProductBondingCurveBucketV2Base>[1],
    `${string}Condition` | `virtual${string}`
  >,
  change: Omit<Parameters<typeof addBondingCurveBucketV2Extensions>[1], 'extensions'>,
  endBehaviors: BehaviorArgs[],
): TransactionBuilder[] {
  const { firstBuy, creatorFee: fee } = curve.extended
  const { conditions, virtualReserves } = curve.added
  const extensions = [
    ...(firstBuy
      ? [{ __kind: 'FirstBuy', buyer: key(firstBuy.buyer), amount: firstBuy.amount } as const]
      : []),
    ...(fee ? [creatorFee(fee.wallet)] : []),
  ]
  return [
    addConstantProductBondingCurveBucketV2Base(umi, {
      ...base,
      swapStartCondition: toCondition(conditions.SwapStart),
      swapEndCondition: toCondition(conditions.SwapEnd),
      virtualSol: virtualReserves.quote,
      virtualTokens: virtualReserves.base,
    }),
    ...(extensions.length > 0
      ? [
          addBondingCurveBucketV2Extensions(umi, {
            ...change,
            extensions,
            ...(firstBuy && { firstBuyer: createNoopSigner(key(firstBuy.buyer)) }),
          }),
        ]
      : []),
    setBondingCurveBucketV2Behaviors(umi, { ...change, endBehaviors }),
  ]
}

const creatorFee = (wallet: string) =>
  ({ __kind: 'CreatorFee', creatorFee: { wallet: key(wallet) } }) as const

export const raydiumExtensions = ({ extended: { lpLockSchedule: lock, creatorFee: fee } }: RaydiumPlan) => [
  ...(lock
    ? [
        {
          __kind: 'LpLockSchedule',
          lpLockSchedule: {
            startCondition: toCondition(lock.start),
            duration: lock.duration,
            period: lock.period,
            cliffCondition: toCondition(lock.cliff),
            cliffAmountBps: lock.cliffAmountBps,
            reserved: Array(126).fill(0),
          },
        } as const,
      ]
    : []),
  ...(fee ? [creatorFee(fee.wallet)] : []),
]

const toSchedule = ({ start, ...schedule }: Schedule) => ({
  ...schedule,
  startCondition: toCondition(start),
  reserved: new Uint8Array(64),
})

export const toBehavior = (behavior: Behavior): BehaviorArgs => {
  if (behavior.kind === 'None') throw new RangeError('no launch is created with this behavior')
  return behavior.kind === 'SendStartPrice'
    ? {
        __kind: 'SendStartPrice',
        processed: false,
        padding: Array(6).fill(0),
        destinationBucket: key(behavior.bucket),
      }
    : {
        __kind: 'SendQuoteTokenPercentage',
        processed: false,
        percentageBps: behavior.percentageBps,
        padding: Array(4).fill(0),
        destinationBucket: key(behavior.bucket),
      }
}

export function toCondition(condition: Condition): ConditionArgs {
  switch (condition.kind) {
    case 'TimeAbsolute':
      return createTimeAbsoluteCondition(condition.time)
    case 'TimeRelative':
      return createTimeRelativeCondition(
        key(condition.bucket),
        BucketTimes[condition.bucketTime],
        condition.timeOffset,
      )
    case 'Never':
      return createNeverCondition()
    case 'Triggered':
      return createTriggeredCondition()
    case 'Always':
      return { __kind: 'Always', padding: Array(55).fill(0), triggeredTimestamp: null }
    default:
      throw new RangeError(`no launch is created with the condition ${condition.kind}`)
  }
}
