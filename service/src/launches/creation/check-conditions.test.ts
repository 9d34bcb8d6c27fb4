import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { LaunchAllocations } from '@slipway/schema/launch-allocations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkConditions } from './check-conditions.ts'
import { findSaleEnd, listConditions } from './list-conditions.ts'

const RECIPIENT = '11111111111111111111111111111111'
const TIMES = ['DepositEnd', 'SwapEnd', 'GraduateStart', 'Graduate', 'ClaimStart'] as const
const BUCKET_OF = {
  DepositEnd: 'launchpoolV2',
  SwapEnd: 'bondingCurveV2',
  GraduateStart: 'raydiumV2',
  Graduate: 'raydiumV2',
  ClaimStart: 'unlockedV2',
}

const absolute = fc
  .integer({ min: 1, max: 9 })
  .map(seconds => ({ type: 'TimeAbsolute', timestamp: new Date(seconds * 1_000).toISOString() }))
const relative = fc
  .record({
    bucketTime: fc.constantFrom(...TIMES),
    bucketIndex: fc.nat(1),
    timeOffset: fc.integer({ min: -1, max: 3 }),
  })
  .map(({ bucketTime, bucketIndex, timeOffset }) => ({
    type: 'TimeRelativeToUnknownAddress',
    bucketType: BUCKET_OF[bucketTime],
    bucketIndex: bucketTime === 'ClaimStart' ? bucketIndex : 0,
    bucketTime,
    timeOffset,
  }))
const time = fc.oneof(absolute, relative)
const start = fc.oneof(time, fc.constant({ type: 'Always' }))
const end = fc.oneof(time, fc.constant({ type: 'Never' }))

const claims = { claimStartCondition: start, claimEndCondition: end }
const fundFlows = fc.tuple(
  fc.record({
    type: fc.constant('RaydiumLP'),
    supply: fc.constant(1),
    percentageBps: fc.constant(5_000),
    startCondition: start,
  }),
  fc.record({
    type: fc.constant('UnlockedFunds'),
    supply: fc.constant(0),
    percentageBps: fc.constant(5_000),
    recipient: fc.constant(RECIPIENT),
    ...claims,
  }),
)
const pool = fc
  .record({
    depositStartCondition: start,
    depositEndCondition: time,
    claimStartCondition: time,
    claimEndCondition: end,
    fundFlows,
  })
  .map(launchpoolV2 => ({ type: 'launchpoolV2', supply: 1, launchpoolV2 }))
const curve = fc
  .record({
    swapStartCondition: start,
    swapEndCondition: fc.oneof(time, fc.constant({ type: 'Triggered' })),
    virtualBaseTokens: fc.constant(1),
    virtualQuoteTokens: fc.constant(1),
    fundFlows,
  })
  .map(bondingCurveV2 => ({ type: 'bondingCurveV2', supply: 1, bondingCurveV2 }))
const unlocked = fc
  .record({ recipient: fc.constant(RECIPIENT), ...claims })
  .map(unlockedV2 => ({ type: 'unlockedV2', supply: 1, unlockedV2 }))
const launch = fc
  .tuple(fc.oneof(pool, curve), unlocked)
  .map(allocations => outlineLaunch({ allocations: LaunchAllocations.parse(allocations) }))

test('in a launch that is accepted, starts come before ends and claims after deposits, whenever each time is triggered', () => {
  let accepted = 0
  // Seconds between a time and the transaction that triggers it.
  const delays = fc.infiniteStream(fc.nat(9))
  fc.assert(
    fc.property(launch, delays, (outline, lateness) => {
      if (checkConditions(outline, 0).length > 0) return
      accepted++
      const { planned, met } = runLaunch(outline, () => lateness.next().value)
      for (const { bucket, time, isEnd } of listConditions(outline)) {
        if (!time || !isEnd) continue
        const started = planned(time.replace('End', 'Start'))
        expect({ time, isAfter: started < planned(time) }).toEqual({ time, isAfter: true })
        // The first unlocked bucket receives proceeds.
        if (bucket === 'unlockedV2 0' && planned(time) < Infinity)
          expect(planned(time)).toBeGreaterThan(planned(findSaleEnd(outline)))
      }
      if (findSaleEnd(outline) === 'launchpoolV2 0 DepositEnd')
        expect(met('launchpoolV2 0 ClaimStart')).toBeGreaterThanOrEqual(met('launchpoolV2 0 DepositEnd'))
    }),
    { numRuns: 1_500 },
  )
  expect(accepted).toBeGreaterThan(100)
})

/**
 * When the times of a launch come on a chain like the real one. `planned` is what a condition says, `met` is when the
 * program acts on it. An absolute time is recorded at or after it. A relative one is met only once a transaction
 * names the bucket that it refers to.
 */
function runLaunch(outline: Parameters<typeof listConditions>[0], delay: () => number) {
  const byTime = new Map(listConditions(outline).map(place => [place.time, place]))
  const lateness = new Map<string, number>()
  const delayOf = (name: string) => {
    const known = lateness.get(name) ?? delay()
    lateness.set(name, known)
    return known
  }
  /** The time that others count from. */
  const recorded = (name: string): number => {
    const place = byTime.get(name)
    if (!place) return Math.max(met(`${name}Start`), met(findSaleEnd(outline))) + delayOf(name)
    return place.condition.type === 'TimeAbsolute' ? planned(name) + delayOf(name) : planned(name)
  }
  const planned = (name: string): number => {
    const condition = byTime.get(name)?.condition
    switch (condition?.type) {
      case 'TimeAbsolute':
        return condition.timestamp
      case 'TimeRelativeToUnknownAddress':
        return (
          recorded(`${condition.bucketType} ${condition.bucketIndex} ${condition.bucketTime}`) +
          condition.timeOffset
        )
      case 'Triggered':
        // The curve sells out some time after it opens.
        return Math.max(0, met('bondingCurveV2 0 SwapStart')) + 1 + delayOf(name)
      default:
        return condition?.type === 'Never' ? Infinity : -Infinity
    }
  }
  const met = (name: string): number => {
    const place = byTime.get(name)
    if (!place) return recorded(name)
    const { bucket, condition } = place
    if (condition.type !== 'TimeRelativeToUnknownAddress') return planned(name)
    const reference = `${condition.bucketType} ${condition.bucketIndex} ${condition.bucketTime}`
    const since = Math.max(planned(name), met(reference), recorded(reference))
    // Transactions that name the reference come at multiples of this many seconds.
    const interval = delayOf(`${bucket} by ${reference}`) + 1
    return Math.ceil(since / interval) * interval
  }
  return { planned, met }
}
