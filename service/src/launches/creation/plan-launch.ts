import type { Address } from '@slipway/schema/address'
import type { LaunchInput } from '@slipway/schema/create-launch'
import type { BondingCurveAllocation, LaunchPoolAllocation } from '@slipway/schema/launch-allocations'
import { bucketAddress, unlockedBucketAddress } from '../../chain/addresses/addresses.ts'
import type {
  Behaviour,
  BondingCurvePlan,
  LaunchPlan,
  LaunchPoolPlan,
  RaydiumPlan,
} from '../../chain/transactions/launch/launch-plan.ts'
import type { LaunchOutline } from './outline-launch.ts'
import { createSchedule, planCondition } from './schedules.ts'
import { toUnits } from './to-units.ts'

interface Amounts {
  /** Decimals of the new token; `quoteDecimals` are those of the payment token. */
  decimals: number
  quoteDecimals: number
}

/** The buckets of a launch that has been checked, as the program will have them. */
export function planBuckets(
  { decimals }: Pick<LaunchInput, 'decimals'>,
  { primaries, pools, unlocked, shares }: LaunchOutline,
  { genesis, quoteDecimals }: { genesis: Address; quoteDecimals: number },
): Pick<LaunchPlan, 'primary' | 'behaviours' | 'pools' | 'unlocked'> {
  const allocation = primaries[0]?.allocation
  if (!allocation) throw new RangeError('a launch has a primary bucket')
  const amounts = { decimals, quoteDecimals }
  return {
    primary:
      allocation.type === 'launchpoolV2'
        ? planLaunchPool(allocation, genesis, amounts)
        : planCurve(allocation, genesis, amounts),
    behaviours: shares.flatMap(share => planShare(share, genesis)),
    pools: pools.map(pool => planPool(pool, genesis, decimals)),
    unlocked: unlocked.map(({ supply, recipient, claimStartCondition, claimEndCondition }) => ({
      allocation: units(supply, decimals),
      recipient,
      claimStart: planCondition(claimStartCondition, genesis),
      claimEnd: planCondition(claimEndCondition, genesis),
    })),
  }
}

/** For amounts that have been checked. */
function units(tokens: number, decimals: number): bigint {
  const amount = toUnits(tokens, decimals)
  if (amount === undefined) throw new RangeError('the amount does not fit into 64 bits')
  return amount
}

function planLaunchPool(
  { supply, launchpoolV2: pool }: LaunchPoolAllocation,
  genesis: Address,
  { decimals, quoteDecimals }: Amounts,
): LaunchPoolPlan {
  const threshold = pool.minimumQuoteTokenThreshold
  return {
    kind: 'launchpoolV2',
    allocation: units(supply, decimals),
    depositStart: planCondition(pool.depositStartCondition, genesis),
    depositEnd: planCondition(pool.depositEndCondition, genesis),
    claimStart: planCondition(pool.claimStartCondition, genesis),
    claimEnd: planCondition(pool.claimEndCondition, genesis),
    bonus: createSchedule(pool.depositBonus, pool, genesis),
    withdrawPenalty: createSchedule(pool.withdrawPenalty, pool, genesis),
    quoteThreshold: threshold == null ? undefined : units(threshold, quoteDecimals),
  }
}

function planCurve(
  { supply, bondingCurveV2: curve }: BondingCurveAllocation,
  genesis: Address,
  { decimals, quoteDecimals }: Amounts,
): BondingCurvePlan {
  const { firstBuy, creatorFee } = curve
  return {
    kind: 'bondingCurveV2',
    allocation: units(supply, decimals),
    swapStart: planCondition(curve.swapStartCondition, genesis),
    swapEnd: planCondition(curve.swapEndCondition, genesis),
    virtualQuote: units(curve.virtualQuoteTokens, quoteDecimals),
    virtualBase: units(curve.virtualBaseTokens, decimals),
    firstBuy: firstBuy?.enabled
      ? { buyer: firstBuy.buyer, amount: units(firstBuy.amount, quoteDecimals) }
      : undefined,
    creatorFeeWallet: creatorFee?.enabled ? creatorFee.wallet : undefined,
  }
}

function planPool(
  { supply, startCondition, lpLockSchedule: lock, creatorFee }: LaunchOutline['pools'][number],
  genesis: Address,
  decimals: number,
): RaydiumPlan {
  return {
    allocation: units(supply, decimals),
    start: planCondition(startCondition, genesis),
    lock: lock?.enabled
      ? {
          start: planCondition(lock.startCondition, genesis),
          duration: BigInt(lock.duration),
          period: BigInt(lock.period),
          cliff: planCondition(lock.cliffCondition, genesis),
          cliffAmountBps: lock.cliffAmountBps,
        }
      : undefined,
    creatorFeeWallet: creatorFee?.enabled ? creatorFee.wallet : undefined,
  }
}

/** A pool also needs the price to open at. Without it the launch could never graduate. */
function planShare(
  { percentageBps, to, index }: LaunchOutline['shares'][number],
  genesis: Address,
): Behaviour[] {
  const bucket =
    to === 'pool' ? bucketAddress('raydiumCpmmV2', genesis, index) : unlockedBucketAddress(genesis, index)
  const send: Behaviour = { kind: 'SendQuoteTokenPercentage', percentageBps, bucket }
  return to === 'pool' ? [{ kind: 'SendStartPrice', bucket }, send] : [send]
}
