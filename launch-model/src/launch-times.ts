import type { Address } from '@slipway/schema/address'
import type { Mechanic } from '@slipway/schema/launch'
import type { Bucket } from './bucket.ts'
import type { Condition } from './conditions.ts'
import { kindOf, LISTED_KINDS } from './kinds/kinds.ts'

type PlacedBucket = Bucket & { address: Address }

/** What the buckets of a launch determine together. Times are Unix seconds, and absent if the chain has none. */
export interface LaunchTimes<B extends PlacedBucket = PlacedBucket> {
  /** The bucket that gives the launch its mechanic and times. */
  primary: B
  mechanic: Mechanic
  startTime?: number
  endTime?: number
  graduated: boolean
}

/** Undefined while there is no primary bucket. */
export function resolveLaunchTimes<B extends PlacedBucket>(
  buckets: readonly B[],
): LaunchTimes<B> | undefined {
  const primary = findPrimary(buckets)
  const sale = primary && kindOf(primary.kind).sale
  if (!sale) return undefined
  const conditions: Partial<Record<string, Condition>> = primary.conditions
  const startTime = resolveTime(buckets, conditions[sale.start])
  const endTime = resolveTime(buckets, conditions[sale.end])
  return {
    primary,
    mechanic: primary.kind as Mechanic,
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    graduated: isGraduated(buckets, primary),
  }
}

const ORDER: readonly string[] = LISTED_KINDS.map(({ name }) => name)

/** The bucket with the largest share of the supply; a tie goes to the first kind, then to the lowest index. */
function findPrimary<B extends PlacedBucket>(buckets: readonly B[]): B | undefined {
  const [first] = buckets
    .filter(({ kind }) => kindOf(kind).sale)
    .sort(
      (a, b) =>
        Number(b.baseTokenAllocation > a.baseTokenAllocation) -
          Number(b.baseTokenAllocation < a.baseTokenAllocation) ||
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
        a.bucketIndex - b.bucketIndex,
    )
  return first
}

const STEPS_MAX = 4
/** The last second of the year 9999. */
export const TIME_MAX = 253_402_300_799

/** Whatever a stranger wrote on the chain, a listing shows a time from 1970 to 9999. */
export const clampTime = (seconds: number): number => Math.min(Math.max(seconds, 0), TIME_MAX)

/** When a condition is or was met, if that is a time. The limit on steps also ends a cycle. */
export function resolveTime(
  buckets: readonly PlacedBucket[],
  condition: Condition | undefined,
  stepsLeft = STEPS_MAX,
): number | undefined {
  if (!condition) return undefined
  // A condition that was never written is all zeros, which is not a time in 1970.
  if ((condition.triggeredTimestamp ?? 0n) > 0n) return clampTime(Number(condition.triggeredTimestamp))
  if (condition.kind === 'TimeAbsolute') return clampTime(Number(condition.time))
  if (condition.kind !== 'TimeRelative' || stepsLeft === 0) return undefined
  const other = buckets.find(({ address }) => address === condition.bucket)
  const conditions: Partial<Record<string, Condition>> = other?.conditions ?? {}
  const time = resolveTime(buckets, conditions[condition.bucketTime], stepsLeft - 1)
  return time === undefined ? undefined : clampTime(time + Number(condition.timeOffset))
}

/** With an AMM bucket, the pool decides. Without one, every end behavior must have run. */
function isGraduated(buckets: readonly PlacedBucket[], primary: PlacedBucket): boolean {
  const pools = buckets.filter(({ kind }) => kindOf(kind).hasPool)
  if (pools.length > 0) return pools.some(hasPool)
  // A curve goes on trading until a pool takes over.
  if (!kindOf(primary.kind).words.raises) return false
  // If a launch fails, this behavior runs instead of the others.
  const due = primary.endBehaviors.filter(
    ({ kind }) => kind !== 'None' && kind !== 'ReallocateBaseTokensOnFailure',
  )
  return due.length > 0 && due.every(({ processed }) => processed)
}

/** Whether the bucket has become a pool, which sets the price from then on. */
export const hasPool = (bucket: Bucket): boolean => kindOf(bucket.kind).hasPool?.(bucket as never) ?? false

/** Whether this bucket alone shows that its launch has graduated. */
export const showsGraduation = (bucket: PlacedBucket): boolean =>
  hasPool(bucket) || (resolveLaunchTimes([bucket])?.graduated ?? false)
