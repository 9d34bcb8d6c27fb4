import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { BucketTime, Condition } from './conditions.ts'
import { isMetNow, listReferences, recordDue } from './triggers.ts'

const [SALE, POOL, TEAM] = ['sale', 'pool', 'team'] as never as [Address, Address, Address]
const absolute = (time: bigint, recorded?: bigint): Condition => ({
  kind: 'TimeAbsolute',
  time,
  ...(recorded !== undefined && { triggeredTimestamp: recorded }),
})
const relative = (bucket: Address, bucketTime: BucketTime, timeOffset: bigint): Condition => ({
  kind: 'TimeRelative',
  bucket,
  bucketTime,
  timeOffset,
})
const bucket = (address: Address, conditions: Record<string, Condition>, extensions = {}) => ({
  address,
  conditions,
  extensions,
})

test('an absolute time counts from the moment it is recorded, and a relative one from there', () => {
  const sale = bucket(SALE, { DepositEnd: absolute(100n) })
  const pool = bucket(POOL, { GraduateStart: relative(SALE, 'DepositEnd', 0n) })
  const team = bucket(
    TEAM,
    { ClaimStart: relative(POOL, 'GraduateStart', 5n) },
    { schedule: { start: absolute(50n) } },
  )
  const [after, graduated, claims] = recordDue([sale, pool, team], 150n)
  expect(after?.conditions.DepositEnd?.triggeredTimestamp).toBe(150n)
  expect(graduated?.conditions.GraduateStart?.triggeredTimestamp).toBe(150n)
  // Five seconds after that, which is in the future.
  expect(claims?.conditions.ClaimStart?.triggeredTimestamp).toBeUndefined()
  expect(claims?.extensions).toEqual({ schedule: { start: absolute(50n, 150n) } })
  const early = recordDue([bucket(SALE, { DepositEnd: absolute(100n, 120n) }), pool, team], 150n)
  expect(early[2]?.conditions.ClaimStart?.triggeredTimestamp).toBe(125n)
  expect(recordDue([sale], 99n)).toEqual([sale])
})

test('a condition that is relative to its own bucket is never recorded, as on the chain', () => {
  const own = bucket(SALE, { DepositEnd: absolute(100n, 100n), ClaimStart: relative(SALE, 'DepositEnd', 0n) })
  expect(recordDue([own], 150n)).toEqual([own])
  expect(isMetNow(own.conditions.ClaimStart, 150n)).toBe(false)
})

test('a trigger names the buckets that others refer to first, and none twice, even in a circle', () => {
  const sale = bucket(SALE, { DepositEnd: relative(TEAM, 'ClaimStart', 0n) })
  const pool = bucket(POOL, { GraduateStart: relative(SALE, 'DepositEnd', 0n) })
  const team = bucket(TEAM, {
    ClaimStart: relative(POOL, 'GraduateStart', 0n),
    ClaimEnd: relative(SALE, 'DepositEnd', 1n),
  })
  expect(listReferences([sale, pool, team], pool)).toEqual([TEAM, SALE])
  expect(listReferences([bucket(SALE, {}), pool, team], team)).toEqual([SALE, POOL])
  expect(listReferences([pool], pool)).toEqual([])
})

test('a bucket that another reference refers to is named before it, whatever the order of the buckets', () => {
  const [a, b, target] = ['a', 'b', 'target'] as never as [Address, Address, Address]
  const buckets = [
    bucket(a, { ClaimStart: relative(b, 'ClaimStart', 0n) }),
    bucket(b, {}),
    bucket(target, { ClaimStart: relative(a, 'ClaimStart', 0n), ClaimEnd: relative(b, 'ClaimStart', 0n) }),
  ]
  for (const given of [buckets, buckets.toReversed()])
    expect(listReferences(given, buckets[2] as never)).toEqual([b, a])
})

test('buckets that refer to each other in many ways are listed at once', () => {
  const name = (layer: number, place: number) => `${layer} ${place}` as Address
  const layers = Array.from({ length: 30 }, (_, layer) =>
    [0, 1].map(place =>
      bucket(name(layer, place), {
        ClaimStart: relative(name(layer + 1, 0), 'ClaimStart', 0n),
        ClaimEnd: relative(name(layer + 1, 1), 'ClaimStart', 0n),
      }),
    ),
  ).flat()
  expect(listReferences(layers, layers[0] as never)).toHaveLength(58)
})
