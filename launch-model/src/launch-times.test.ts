import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bucket } from './bucket.ts'
import type { BucketTime, Condition } from './conditions.ts'
import { resolveLaunchTimes, TIME_MAX } from './launch-times.ts'

type PlacedBucket = Bucket & { address: Address }
const named = (name: string) => name as Address
/** A bucket with only what its times depend on. */
const bucket = (more: Record<string, unknown> = {}): PlacedBucket =>
  ({
    address: named('pool'),
    kind: 'launchpoolV2',
    genesis: named('genesis'),
    bucketIndex: 0,
    baseTokenAllocation: 100n,
    conditions: { DepositStart: at(1_000), DepositEnd: at(2_000) },
    endBehaviors: [],
    ...more,
  }) as unknown as PlacedBucket
const at = (time: number): Condition => ({ kind: 'TimeAbsolute', time: BigInt(time) })
const after = (name: string, bucketTime: BucketTime, seconds: number): Condition => ({
  kind: 'TimeRelative',
  bucket: named(name),
  bucketTime,
  timeOffset: BigInt(seconds),
})
const times = (...buckets: PlacedBucket[]) => {
  const found = resolveLaunchTimes(buckets)
  return found && [found.startTime, found.endTime]
}

test('absolute times are the times of the launch', () => {
  expect(times(bucket())).toEqual([1_000, 2_000])
  const presale = bucket({ kind: 'presaleV2' })
  expect(resolveLaunchTimes([presale])).toEqual({
    primary: presale,
    mechanic: 'presaleV2',
    startTime: 1_000,
    endTime: 2_000,
    graduated: false,
  })
})

test('the time when a condition was triggered replaces the planned time', () => {
  const start: Condition = { kind: 'TimeAbsolute', time: 1_000n, triggeredTimestamp: 1_005n }
  const end: Condition = { ...after('unknown', 'SwapEnd', 5), triggeredTimestamp: 1_900n }
  expect(times(bucket({ conditions: { DepositStart: start, DepositEnd: end } }))).toEqual([1_005, 1_900])
})

test('a curve that is always open and ends on a trigger has no planned times', () => {
  const curve = (end: Condition) =>
    bucket({ kind: 'bondingCurveV2', conditions: { SwapStart: { kind: 'Always' }, SwapEnd: end } })
  expect(times(curve({ kind: 'Triggered' }))).toEqual([undefined, undefined])
  expect(times(curve({ kind: 'Triggered', triggeredTimestamp: 77n }))).toEqual([undefined, 77])
  expect(times(curve({ kind: 'Never' }))).toEqual([undefined, undefined])
  expect(times(curve({ kind: 'Uninitialized' }))).toEqual([undefined, undefined])
  expect(resolveLaunchTimes([curve({ kind: 'Never' })])).not.toHaveProperty('startTime')
})

test('a relative time is resolved through at most four buckets', () => {
  /** `steps` buckets in a row, each a minute after the next; the last has a time. */
  const chain = (steps: number) => [
    bucket({ conditions: { DepositStart: after('b1', 'GraduateStart', 60) } }),
    ...Array.from({ length: steps - 1 }, (_, index) =>
      bucket({
        kind: 'raydiumCpmmV2',
        address: named(`b${index + 1}`),
        conditions: { GraduateStart: after(`b${index + 2}`, 'GraduateStart', 60) },
      }),
    ),
    bucket({ kind: 'raydiumCpmmV2', address: named(`b${steps}`), conditions: { GraduateStart: at(10_000) } }),
  ]
  expect(times(...chain(1))).toEqual([10_060, undefined])
  expect(times(...chain(4))).toEqual([10_240, undefined])
  expect(times(...chain(5))).toEqual([undefined, undefined])
})

test('a cycle, an unknown bucket and an instant that the bucket does not have stay unresolved', () => {
  expect(times(bucket({ conditions: { DepositStart: after('pool', 'DepositStart', 1) } }))).toEqual([
    undefined,
    undefined,
  ])
  const one = bucket({ conditions: { DepositStart: after('two', 'DepositEnd', 1) } })
  const two = bucket({
    address: named('two'),
    baseTokenAllocation: 1n,
    conditions: { DepositEnd: after('pool', 'DepositStart', 1) },
  })
  expect(times(one, two)).toEqual([undefined, undefined])
  expect(
    times(
      bucket({
        conditions: {
          DepositStart: after('gone', 'DepositStart', 1),
          DepositEnd: after('pool', 'SwapEnd', 1),
        },
      }),
    ),
  ).toEqual([undefined, undefined])
})

test('a condition that was never written has no time, and absurd times stay between 1970 and 9999', () => {
  const start = (condition: Condition) => times(bucket({ conditions: { DepositStart: condition } }))?.[0]
  expect(start({ kind: 'Uninitialized', triggeredTimestamp: 0n })).toBeUndefined()
  expect(start({ kind: 'Uninitialized', triggeredTimestamp: -5n })).toBeUndefined()
  expect(start({ kind: 'TimeAbsolute', time: -(2n ** 63n) })).toBe(0)
  expect(start({ kind: 'TimeAbsolute', time: 2n ** 62n })).toBe(TIME_MAX)
  expect(start({ kind: 'Triggered', triggeredTimestamp: 2n ** 62n })).toBe(TIME_MAX)
})

test('sums stay between 1970 and 9999', () => {
  const relative = (offset: number) =>
    times(
      bucket({ conditions: { DepositStart: at(5_000), DepositEnd: after('pool', 'DepositStart', offset) } }),
    )?.[1]
  fc.assert(
    fc.property(fc.integer({ min: -TIME_MAX, max: TIME_MAX }), offset => {
      expect(relative(offset)).toBe(Math.min(Math.max(5_000 + offset, 0), TIME_MAX))
    }),
  )
  expect(new Date(TIME_MAX * 1_000).toISOString()).toBe('9999-12-31T23:59:59.000Z')
})

test('the bucket with the largest share of the supply is the primary one', () => {
  const mechanic = (...buckets: PlacedBucket[]) => resolveLaunchTimes(buckets)?.primary
  const pool = bucket({ baseTokenAllocation: 5n })
  const presale = bucket({ kind: 'presaleV2', address: named('sale'), baseTokenAllocation: 6n })
  const amm = bucket({ kind: 'raydiumCpmmV2', baseTokenAllocation: 90n })
  expect(mechanic(pool, amm, presale)).toBe(presale)
  const equal = bucket({ kind: 'presaleV2', baseTokenAllocation: 5n })
  expect(mechanic(equal, pool)).toBe(pool)
  const second = bucket({ baseTokenAllocation: 5n, bucketIndex: 1 })
  expect(mechanic(second, pool)).toBe(pool)
  expect(mechanic(amm)).toBeUndefined()
  expect(mechanic()).toBeUndefined()
})

test('a launch with an AMM bucket has graduated once that bucket has received its tokens', () => {
  const graduated = (...buckets: PlacedBucket[]) => resolveLaunchTimes(buckets)?.graduated
  const done = bucket({ endBehaviors: [{ kind: 'SendQuoteTokenPercentage', processed: true }] })
  const amm = (graduatedBaseTokenAmount: bigint) =>
    bucket({ kind: 'raydiumCpmmV2', graduatedBaseTokenAmount })
  expect(graduated(done, amm(0n))).toBe(false)
  expect(graduated(done, amm(1n))).toBe(true)
  expect(graduated(bucket(), amm(1n))).toBe(true)
  expect(graduated(done)).toBe(true)
  const curve = bucket({ kind: 'bondingCurveV2', endBehaviors: done.endBehaviors })
  expect(graduated(curve)).toBe(false)
  expect(graduated(curve, amm(3n))).toBe(true)
})

test('a launch without an AMM bucket has graduated once every behavior of a successful end has run', () => {
  const graduated = (...endBehaviors: object[]) => resolveLaunchTimes([bucket({ endBehaviors })])?.graduated
  const send = (processed: boolean) => ({ kind: 'SendQuoteTokenPercentage' as const, processed })
  const fallBack = (processed: boolean) => ({ kind: 'ReallocateBaseTokensOnFailure' as const, processed })
  expect(graduated()).toBe(false)
  expect(graduated({ kind: 'None', processed: true })).toBe(false)
  expect(graduated(send(true), send(false))).toBe(false)
  expect(graduated(send(true), fallBack(false))).toBe(true)
  expect(graduated(send(false), fallBack(true))).toBe(false)
  expect(graduated(fallBack(true))).toBe(false)
})
