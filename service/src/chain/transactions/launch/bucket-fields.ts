import {
  BUCKET_LAYOUTS,
  type BucketLayout,
  type BucketTime,
  type Condition,
} from '../../accounts/bucket-layouts.ts'
import { addressBytes } from '../../addresses/base58.ts'
import { u64 } from '../encode-fields.ts'
import { type Written, writtenCondition } from './evidence.ts'
import type {
  BondingCurvePlan,
  LaunchPlan,
  LaunchPoolPlan,
  RaydiumPlan,
  UnlockedPlan,
} from './launch-plan.ts'

export const layoutOf = (kind: 'launchpoolV2' | 'bondingCurveV2' | 'raydiumCpmmV2'): BucketLayout =>
  BUCKET_LAYOUTS.find(layout => layout.kind === kind) as BucketLayout

/** Offset of the byte that tells whether a curve's first buy has taken place. */
export const FIRST_BUY_DONE = 568

/** Offsets in an unlocked bucket. */
const UNLOCKED = { allocation: 56, recipient: 216, claimStart: 248, claimEnd: 312 }

/** What the chain has of a new primary bucket before its extensions. */
export const baseOfPrimary = ({ primary }: LaunchPlan): Written[] =>
  primary.kind === 'launchpoolV2' ? baseOfLaunchPool(primary) : baseOfCurve(primary)

const baseOfLaunchPool = (pool: LaunchPoolPlan): Written[] =>
  base('launchpoolV2', pool.allocation, {
    DepositStart: pool.depositStart,
    DepositEnd: pool.depositEnd,
    ClaimStart: pool.claimStart,
    ClaimEnd: pool.claimEnd,
  })

const baseOfCurve = (curve: BondingCurvePlan): Written[] => [
  ...base('bondingCurveV2', curve.allocation, { SwapStart: curve.swapStart, SwapEnd: curve.swapEnd }),
  { at: -VIRTUAL_RESERVES_BYTES, bytes: Buffer.concat([u64(curve.virtualQuote), u64(curve.virtualBase)]) },
]
/** At the end of the account, after the behaviours. */
const VIRTUAL_RESERVES_BYTES = 16

export const baseOfPool = ({ allocation, start }: RaydiumPlan): Written[] =>
  base('raydiumCpmmV2', allocation, { GraduateStart: start })

export const baseOfUnlocked = ({ allocation, recipient, claimStart, claimEnd }: UnlockedPlan): Written[] => [
  { at: UNLOCKED.allocation, bytes: u64(allocation) },
  { at: UNLOCKED.recipient, bytes: addressBytes(recipient) },
  writtenCondition(UNLOCKED.claimStart, claimStart),
  writtenCondition(UNLOCKED.claimEnd, claimEnd),
]

function base(
  kind: Parameters<typeof layoutOf>[0],
  allocation: bigint,
  conditions: Partial<Record<BucketTime, Condition>>,
): Written[] {
  const layout = layoutOf(kind)
  return [
    { at: layout.baseTokenAllocation, bytes: u64(allocation) },
    ...(Object.entries(conditions) as [BucketTime, Condition][]).map(([time, condition]) =>
      writtenCondition(layout.conditions[time] as number, condition),
    ),
  ]
}
