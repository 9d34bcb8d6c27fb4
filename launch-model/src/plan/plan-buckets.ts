import type { Address } from '@slipway/schema/address'
import type { LaunchInput } from '@slipway/schema/create-launch'
import type { BondingCurveAllocation, LaunchPoolAllocation } from '@slipway/schema/launch-allocations'
import { bucketAddress } from '../addresses.ts'
import type { Behavior } from '../kinds/bucket-parts.ts'
import type {
  BondingCurvePlan,
  LaunchPlan,
  LaunchPoolPlan,
  RaydiumPlan,
  UnlockedPlan,
} from './launch-plan.ts'
import type { LaunchOutline } from './outline-launch.ts'
import { createSchedule, planCondition } from './schedules.ts'
import { toUnits } from './to-units.ts'

interface Context {
  genesis: Address
  /** The decimals of the new token and of the payment token. */
  decimals: number
  quoteDecimals: number
}

/** The buckets of a launch that has been checked, as the program will have them. */
export function planBuckets(
  { decimals }: Pick<LaunchInput, 'decimals'>,
  { primaries, pools, unlocked, shares }: LaunchOutline,
  { genesis, quoteDecimals }: { genesis: Address; quoteDecimals: number },
): Pick<LaunchPlan, 'primary' | 'behaviors' | 'pools' | 'unlocked'> {
  const allocation = primaries[0]?.allocation
  if (!allocation) throw new RangeError('a launch has a primary bucket')
  const context = { genesis, decimals, quoteDecimals }
  return {
    primary:
      allocation.type === 'launchpoolV2'
        ? planLaunchPool(allocation, context)
        : planCurve(allocation, context),
    behaviors: shares.flatMap(share => planShare(share, genesis)),
    pools: pools.map((pool, index) => planPool(pool, index, context)),
    unlocked: unlocked.map((part, index) => planPart(part, index, context)),
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
  { genesis, decimals, quoteDecimals }: Context,
): LaunchPoolPlan {
  const threshold = pool.minimumQuoteTokenThreshold
  return {
    kind: 'launchpoolV2',
    added: {
      bucketIndex: 0,
      baseTokenAllocation: units(supply, decimals),
      conditions: {
        DepositStart: planCondition(pool.depositStartCondition, genesis),
        DepositEnd: planCondition(pool.depositEndCondition, genesis),
        ClaimStart: planCondition(pool.claimStartCondition, genesis),
        ClaimEnd: planCondition(pool.claimEndCondition, genesis),
      },
    },
    extended: {
      bonusSchedule: createSchedule(pool.depositBonus, pool, genesis),
      withdrawPenalty: createSchedule(pool.withdrawPenalty, pool, genesis),
      minimumQuoteTokenThreshold: threshold == null ? undefined : units(threshold, quoteDecimals),
    },
  }
}

function planCurve(
  { supply, bondingCurveV2: curve }: BondingCurveAllocation,
  { genesis, decimals, quoteDecimals }: Context,
): BondingCurvePlan {
  const { firstBuy, creatorFee } = curve
  return {
    kind: 'bondingCurveV2',
    added: {
      bucketIndex: 0,
      baseTokenAllocation: units(supply, decimals),
      conditions: {
        SwapStart: planCondition(curve.swapStartCondition, genesis),
        SwapEnd: planCondition(curve.swapEndCondition, genesis),
      },
      virtualReserves: {
        quote: units(curve.virtualQuoteTokens, quoteDecimals),
        base: units(curve.virtualBaseTokens, decimals),
      },
    },
    extended: {
      firstBuy: firstBuy?.enabled
        ? { buyer: firstBuy.buyer, amount: units(firstBuy.amount, quoteDecimals) }
        : undefined,
      creatorFee: creatorFee?.enabled ? { wallet: creatorFee.wallet } : undefined,
    },
  }
}

function planPool(
  { supply, startCondition, lpLockSchedule: lock, creatorFee }: LaunchOutline['pools'][number],
  bucketIndex: number,
  { genesis, decimals }: Context,
): RaydiumPlan {
  return {
    kind: 'raydiumCpmmV2',
    added: {
      bucketIndex,
      baseTokenAllocation: units(supply, decimals),
      conditions: { GraduateStart: planCondition(startCondition, genesis) },
    },
    extended: {
      lpLockSchedule: lock?.enabled
        ? {
            start: planCondition(lock.startCondition, genesis),
            duration: BigInt(lock.duration),
            period: BigInt(lock.period),
            cliff: planCondition(lock.cliffCondition, genesis),
            cliffAmountBps: lock.cliffAmountBps,
          }
        : undefined,
      creatorFee: creatorFee?.enabled ? { wallet: creatorFee.wallet } : undefined,
    },
  }
}

const planPart = (
  { supply, recipient, claimStartCondition, claimEndCondition }: LaunchOutline['unlocked'][number],
  bucketIndex: number,
  { genesis, decimals }: Context,
): UnlockedPlan => ({
  kind: 'unlockedV2',
  added: {
    bucketIndex,
    baseTokenAllocation: units(supply, decimals),
    conditions: {
      ClaimStart: planCondition(claimStartCondition, genesis),
      ClaimEnd: planCondition(claimEndCondition, genesis),
    },
  },
  extended: {},
  recipient,
})

/** A pool also needs the price to open at. Without it the launch could never graduate. */
function planShare(
  { percentageBps, to, index }: LaunchOutline['shares'][number],
  genesis: Address,
): Behavior[] {
  const bucket = bucketAddress(to === 'pool' ? 'raydiumCpmmV2' : 'unlockedV2', genesis, index)
  const send: Behavior = { kind: 'SendQuoteTokenPercentage', processed: false, percentageBps, bucket }
  return to === 'pool' ? [{ kind: 'SendStartPrice', processed: false, bucket }, send] : [send]
}
