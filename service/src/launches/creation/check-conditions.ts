import type { LaunchOutline } from '@slipway/launch-model/plan/outline-launch'
import { depositSeconds } from '@slipway/launch-model/plan/schedules'
import type { ErrorDetail } from '@slipway/schema/errors'
import { type LaunchCondition, TIMES_OF_BUCKETS } from '@slipway/schema/launch-allocations'
import { findSaleEnd, listConditions, type PlacedCondition } from './list-conditions.ts'

/** Everything that is wrong with the times of a launch. A time that never comes would lock its funds for good. */
export function checkConditions(outline: LaunchOutline, nowSeconds: number): ErrorDetail[] {
  const places = listConditions(outline)
  const byTime = new Map(places.flatMap(place => (place.time ? [[place.time, place] as const] : [])))
  const times = { byTime, saleEnd: findSaleEnd(outline) }
  const details = places.flatMap(place => [...checkKind(place), ...checkReference(place, times)])
  // Circles can only be found if all references exist, and the order only if there are no circles.
  if (details.length === 0) details.push(...places.flatMap(place => checkCircle(place, times)))
  if (details.length === 0) details.push(...places.flatMap(place => checkOrder(place, times)))
  return [...details, ...checkScheduleTimes(outline), ...checkFirstBuy(outline, nowSeconds)]
}

/** The ends that are past. Checked separately, because a finalized launch may be continued after its end. */
export const checkEnds = (outline: LaunchOutline, nowSeconds: number): ErrorDetail[] =>
  listConditions(outline).flatMap(({ path, condition, isEnd }) =>
    isEnd && condition.type === 'TimeAbsolute' && condition.timestamp <= nowSeconds
      ? [{ path, message: 'must be in the future' }]
      : [],
  )

interface Times {
  byTime: ReadonlyMap<string, PlacedCondition>
  /** The name of the time at which the primary bucket ends. */
  saleEnd: string
}

function checkKind({ path, condition, allowed }: PlacedCondition): ErrorDetail[] {
  if (allowed.includes(condition.type)) return []
  return [{ path: `${path}.type`, message: `must be ${allowed.join(' or ')}` }]
}

type Relative = Extract<LaunchCondition, { type: 'TimeRelativeToUnknownAddress' }>
const isRelative = (condition: LaunchCondition): condition is Relative =>
  condition.type === 'TimeRelativeToUnknownAddress'

const referenceOf = ({ bucketType, bucketIndex, bucketTime }: Relative) =>
  `${bucketType} ${bucketIndex} ${bucketTime}`

function checkReference({ path, condition, bucket }: PlacedCondition, { byTime }: Times): ErrorDetail[] {
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

function checkCircle({ path, condition, time }: PlacedCondition, times: Times): ErrorDetail[] {
  const seen = new Set<string>()
  const open = isRelative(condition) ? [referenceOf(condition)] : []
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one === time) return [{ path, message: 'can never come, because it waits for itself' }]
    if (seen.has(one)) continue
    seen.add(one)
    open.push(...listEarlier(one, times))
  }
  return []
}

/** The times that a time waits for. A graduation has no condition of its own. */
function listEarlier(time: string, { byTime, saleEnd }: Times): string[] {
  const condition = byTime.get(time)?.condition
  // A launch graduates once its pool's start condition is met and its primary bucket has ended.
  if (!condition) return [`${time}Start`, saleEnd]
  if (isRelative(condition)) return [referenceOf(condition)]
  // A curve ends when it is sold out, so it must have opened.
  return condition.type === 'Triggered' ? [time.replace('SwapEnd', 'SwapStart')] : []
}

function checkOrder(place: PlacedCondition, times: Times): ErrorDetail[] {
  const { path, condition, after = [] } = place
  return after.flatMap(time => {
    const earlier = times.byTime.get(time)
    if (!earlier || isSurelyAfter(place, earlier, times)) return []
    const isKnown = condition.type === 'TimeAbsolute' && earlier.condition.type === 'TimeAbsolute'
    const name = time.split(' ').at(-1)
    return [{ path, message: isKnown ? `must be after ${name}` : `is not certain to come after ${name}` }]
  })
}

/** Whether a condition comes after another one, however late each time is triggered. */
function isSurelyAfter({ condition, isEnd }: PlacedCondition, earlier: PlacedCondition, times: Times) {
  if (earlier.condition.type === 'Always' || condition.type === 'Never' || condition.type === 'Triggered')
    return true
  // A start may coincide with what it waits for, but the program refuses two equal absolute times.
  const secondsMin = isEnd || condition.type === 'TimeAbsolute' ? 1 : 0
  const bounds = listBounds(condition, times)
  const isBoundBy = (time: string, seconds: number) =>
    bounds.some(bound => bound.time === time && bound.seconds - seconds >= secondsMin)
  if (earlier.condition.type === 'TimeAbsolute') return isBoundBy(EPOCH, earlier.condition.timestamp)
  if (earlier.time && isBoundBy(earlier.time, 0)) return true
  // The same transactions trigger both. With different references, one could be triggered without the other.
  return (
    isRelative(condition) &&
    isRelative(earlier.condition) &&
    referenceOf(condition) === referenceOf(earlier.condition) &&
    condition.timeOffset - earlier.condition.timeOffset >= secondsMin
  )
}

/** The start of 1970, which absolute times count from. */
const EPOCH = ''

/** A lower bound: this many seconds after the time of this name. */
interface Bound {
  time: string
  seconds: number
}

/**
 * The lower bounds of a condition. A reference to an absolute time gives a lower bound only: it counts from
 * the transaction that triggers that time, which may come late.
 */
function listBounds(condition: LaunchCondition, times: Times): Bound[] {
  if (condition.type === 'TimeAbsolute') return [{ time: EPOCH, seconds: condition.timestamp }]
  if (!isRelative(condition)) return []
  return listBoundsOfTime(referenceOf(condition), times).map(({ time, seconds }) => ({
    time,
    seconds: seconds + condition.timeOffset,
  }))
}

function listBoundsOfTime(time: string, times: Times): Bound[] {
  const condition = times.byTime.get(time)?.condition
  const earlier =
    condition && condition.type !== 'Triggered'
      ? listBounds(condition, times)
      : listEarlier(time, times).flatMap(one => listBoundsOfTime(one, times))
  return [{ time, seconds: 0 }, ...earlier]
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
