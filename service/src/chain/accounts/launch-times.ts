import type { Address } from '@slipway/schema/address'
import type { Bucket } from './bucket.ts'
import type { BucketKind } from './bucket-layouts.ts'
import { type BucketTime, type Condition, clampTime } from './condition.ts'
import type { Decoded } from './decoded.ts'

export type Mechanic = Exclude<BucketKind, 'raydiumCpmmV2'>

/** What the buckets of a launch say together. Times are unix seconds, and absent where the chain has none. */
export interface LaunchTimes {
  /** The bucket that names the launch. */
  primary: FoundBucket
  mechanic: Mechanic
  startTime?: number
  endTime?: number
  graduated: boolean
}

type FoundBucket = Extract<Decoded<Bucket>, { exists: true }>

/** `undefined` while none of the buckets is one that a launch can be about. */
export function resolveLaunchTimes(decoded: readonly Decoded<Bucket>[]): LaunchTimes | undefined {
  const buckets = decoded.filter(bucket => bucket.exists)
  const primary = findPrimary(buckets)
  if (!primary) return undefined
  const times = INSTANTS[primary.kind as Mechanic]
  const startTime = resolveTime(buckets, primary.conditions[times.start])
  const endTime = resolveTime(buckets, primary.conditions[times.end])
  return {
    primary,
    mechanic: primary.kind as Mechanic,
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    graduated: isGraduated(buckets, primary),
  }
}

/** In the order in which a tie is broken. */
const INSTANTS: Record<Mechanic, { start: BucketTime; end: BucketTime }> = {
  launchpoolV2: { start: 'DepositStart', end: 'DepositEnd' },
  presaleV2: { start: 'DepositStart', end: 'DepositEnd' },
  bondingCurveV2: { start: 'SwapStart', end: 'SwapEnd' },
}
const MECHANICS = Object.keys(INSTANTS)

/** The bucket that most of the supply goes through; of equals the first kind, then the first of it. */
function findPrimary(buckets: readonly FoundBucket[]): FoundBucket | undefined {
  const [first] = buckets
    .filter(({ kind }) => MECHANICS.includes(kind))
    .sort(
      (a, b) =>
        Number(b.baseTokenAllocation > a.baseTokenAllocation) -
          Number(b.baseTokenAllocation < a.baseTokenAllocation) ||
        MECHANICS.indexOf(a.kind) - MECHANICS.indexOf(b.kind) ||
        a.bucketIndex - b.bucketIndex,
    )
  return first
}

const STEPS_MAX = 4

/** When a condition is or was met, as far as that is a time. Ends on a circle, because it ends after a few steps. */
export function resolveTime(
  buckets: readonly FoundBucket[],
  condition: Condition | undefined,
  stepsLeft = STEPS_MAX,
): number | undefined {
  if (!condition || condition.triggeredTimestamp !== undefined) return condition?.triggeredTimestamp
  if (condition.kind === 'TimeAbsolute') return condition.time
  if (condition.kind !== 'TimeRelative' || stepsLeft === 0) return undefined
  const other = findBucket(buckets, condition.bucket)?.conditions[condition.bucketTime]
  const time = resolveTime(buckets, other, stepsLeft - 1)
  return time === undefined ? undefined : clampTime(time + condition.timeOffset)
}

const findBucket = (buckets: readonly FoundBucket[], address: Address) =>
  buckets.find(bucket => bucket.address === address)

/** With an AMM bucket it is the pool that counts, without one that everything to be done at the end was done. */
function isGraduated(buckets: readonly FoundBucket[], primary: FoundBucket): boolean {
  const pools = buckets.filter(({ kind }) => kind === 'raydiumCpmmV2')
  if (pools.length > 0) return pools.some(pool => (pool.graduatedBaseTokenAmount ?? 0n) > 0n)
  if (primary.kind === 'bondingCurveV2') return false
  // A launch that fails does the one for failures instead of the others.
  const due = primary.endBehaviours.filter(
    ({ kind }) => kind !== 'None' && kind !== 'ReallocateBaseTokensOnFailure',
  )
  return due.length > 0 && due.every(({ processed }) => processed)
}
