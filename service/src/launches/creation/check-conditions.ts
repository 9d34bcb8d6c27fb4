import type { ErrorDetail } from '@slipway/schema/errors'
import { type LaunchCondition, TIMES_OF_BUCKETS } from '@slipway/schema/launch-allocations'
import { listConditions, type PlacedCondition } from './list-conditions.ts'
import type { LaunchOutline } from './outline-launch.ts'
import { depositSeconds } from './schedules.ts'

/** Everything that is wrong with the times of a launch. A time that never comes would lock its funds for good. */
export function checkConditions(outline: LaunchOutline, nowSeconds: number): ErrorDetail[] {
  const places = listConditions(outline)
  const byTime = new Map(places.flatMap(place => (place.time ? [[place.time, place] as const] : [])))
  const details = places.flatMap(place => [
    ...checkKind(place),
    ...checkReference(place, byTime),
    ...checkOrder(place, byTime, nowSeconds),
  ])
  // Only meaningful if all references can be followed.
  const waiting = details.length === 0 ? places.filter(place => waitsForItself(place, byTime, outline)) : []
  return [
    ...details,
    ...waiting.map(({ path }) => ({ path, message: 'can never come, because it waits for itself' })),
    ...checkScheduleTimes(outline),
    ...checkFirstBuy(outline, nowSeconds),
  ]
}

type ByTime = ReadonlyMap<string, PlacedCondition>

function checkKind({ path, condition, allowed }: PlacedCondition): ErrorDetail[] {
  if (allowed.includes(condition.type)) return []
  return [{ path: `${path}.type`, message: `must be ${allowed.join(' or ')}` }]
}

type Relative = Extract<LaunchCondition, { type: 'TimeRelativeToUnknownAddress' }>
const isRelative = (condition: LaunchCondition): condition is Relative =>
  condition.type === 'TimeRelativeToUnknownAddress'

const referenceOf = ({ bucketType, bucketIndex, bucketTime }: Relative) =>
  `${bucketType} ${bucketIndex} ${bucketTime}`

function checkReference({ path, condition, bucket }: PlacedCondition, byTime: ByTime): ErrorDetail[] {
  if (!isRelative(condition)) return []
  const { bucketType, bucketIndex, bucketTime } = condition
  const times: readonly string[] = TIMES_OF_BUCKETS[bucketType]
  if (!times.includes(bucketTime))
    return [{ path: `${path}.bucketTime`, message: `must be ${times.join(' or ')} for ${bucketType}` }]
  if (!byTime.has(`${bucketType} ${bucketIndex} ${times[0]}`))
    return [{ path: `${path}.bucketIndex`, message: `there is no ${bucketType} bucket ${bucketIndex}` }]
  if (bucket === `${bucketType} ${bucketIndex}`)
    return [
      { path, message: "must be relative to another bucket: the program can't compare a bucket with itself" },
    ]
  const target = byTime.get(referenceOf(condition))
  // The program records no time for a condition that is always met.
  if (target?.condition.type === 'Never' || target?.condition.type === 'Always')
    return [
      { path, message: `is relative to a time that never comes: ${bucketTime} is ${target.condition.type}` },
    ]
  return []
}

function checkOrder({ path, condition, after, isEnd }: PlacedCondition, byTime: ByTime, nowSeconds: number) {
  if (condition.type !== 'TimeAbsolute') return []
  const details: ErrorDetail[] = []
  const earlier = after === undefined ? undefined : byTime.get(after)?.condition
  if (earlier?.type === 'TimeAbsolute' && condition.timestamp <= earlier.timestamp)
    details.push({ path, message: `must be after ${after?.split(' ').at(-1)}` })
  if (isEnd && condition.timestamp <= nowSeconds) details.push({ path, message: 'must be in the future' })
  return details
}

/** Follows the references. A launch graduates after its pool may start and its primary bucket has ended. */
function waitsForItself({ condition, time }: PlacedCondition, byTime: ByTime, outline: LaunchOutline) {
  const primary = outline.primaries[0]?.allocation.type
  const end = primary === 'launchpoolV2' ? 'launchpoolV2 0 DepositEnd' : 'bondingCurveV2 0 SwapEnd'
  const next = (one: string): string[] => {
    if (one.endsWith(' Graduate')) return [`${one}Start`, end]
    const found = byTime.get(one)?.condition
    return found && isRelative(found) ? [referenceOf(found)] : []
  }
  const seen = new Set<string>()
  const open = isRelative(condition) ? [referenceOf(condition)] : []
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one === time) return true
    if (seen.has(one)) continue
    seen.add(one)
    open.push(...next(one))
  }
  return false
}

/** A bonus or penalty runs from the start of deposits to their end, so its duration must be known now. */
function checkScheduleTimes({ primaries }: LaunchOutline): ErrorDetail[] {
  return primaries.flatMap(({ allocation, path }) => {
    if (allocation.type !== 'launchpoolV2' || depositSeconds(allocation.launchpoolV2) !== undefined) return []
    return (['depositBonus', 'withdrawPenalty'] as const)
      .filter(name => allocation.launchpoolV2[name]?.enabled)
      .map(name => ({
        path: `${path}.${name}`,
        message: 'needs deposits that start and end at absolute times',
      }))
  })
}

/** The first buy is part of the last transaction, which fails if the curve is not open by then. */
function checkFirstBuy({ primaries }: LaunchOutline, nowSeconds: number): ErrorDetail[] {
  return primaries.flatMap(({ allocation, path }) => {
    if (allocation.type !== 'bondingCurveV2' || !allocation.bondingCurveV2.firstBuy?.enabled) return []
    const { swapStartCondition: start } = allocation.bondingCurveV2
    const isOpen = start.type === 'Always' || (start.type === 'TimeAbsolute' && start.timestamp <= nowSeconds)
    return isOpen ? [] : [{ path: `${path}.firstBuy`, message: 'needs a curve that is open from the start' }]
  })
}
