import type { RewardBucket } from '@slipway/client'
import { expect, test } from 'vitest'
import { findGrowth, findSources, groupByLaunch } from './group-by-launch.ts'

const bucketOf = (genesisAddress: string, quoteMint: string, claimable: string): RewardBucket =>
  ({
    genesisAddress,
    quoteMint,
    claimable,
    claimed: '0',
    accrued: claimable,
    uncollected: '0',
  }) as RewardBucket

test('launches are sorted by what all their buckets have to claim, within each token', () => {
  const groups = groupByLaunch([
    bucketOf('a', 'SOL', '5'),
    bucketOf('b', 'SOL', '4'),
    bucketOf('a', 'USD', '1'),
    bucketOf('b', 'SOL', '3'),
    bucketOf('c', 'USD', '900'),
  ])
  expect(
    groups.map(({ genesisAddress, quoteMint, claimable }) => [genesisAddress, quoteMint, claimable]),
  ).toEqual([
    ['b', 'SOL', '7'],
    ['a', 'SOL', '5'],
    ['c', 'USD', '900'],
    ['a', 'USD', '1'],
  ])
})

test('the source of fees is what has paid, and before the first fee what will pay', () => {
  const of = (kind: string, accrued: string) =>
    ({ ...bucketOf('a', 'SOL', '0'), kind, accrued }) as unknown as RewardBucket
  const sourcesOf = (pool: string, curve: string, hasGraduated: boolean) =>
    findSources([of('raydiumCpmmV2', pool), of('bondingCurveV2', curve)], hasGraduated).map(
      ({ kind }) => kind,
    )
  expect(sourcesOf('0', '0', false)).toEqual(['bondingCurveV2'])
  expect(sourcesOf('0', '0', true)).toEqual(['raydiumCpmmV2'])
  expect(sourcesOf('0', '5', true)).toEqual(['bondingCurveV2'])
  expect(sourcesOf('3', '5', true)).toEqual(['raydiumCpmmV2', 'bondingCurveV2'])
})

const NOW = Date.parse('2026-03-04T12:00:00Z')
const LONG_AGO = '2026-01-01T00:00:00Z'
const find = (fees: [hoursAgo: number, units: string][], current: string, startTime?: string) =>
  findGrowth(
    {
      points: fees.map(([hours, creatorFees]) => ({
        time: new Date(NOW - hours * 3_600_000).toISOString(),
        creatorFees,
      })),
      current: { creatorFees: current },
    } as never,
    startTime,
    NOW,
  )

test('fees that were watched for a day have grown since then, or have not', () => {
  expect(find([[24, '5']], '9', LONG_AGO)).toEqual({ units: 4n, values: [5, 9] })
  expect(find([[23.5, '9']], '9', LONG_AGO)?.units).toBe(0n)
})

test('a launch that opened within the day began with no fees', () => {
  expect(find([[1, '9']], '9', '2026-03-04T10:00:00Z')).toEqual({ units: 9n, values: [0, 9, 9] })
})

test('without the whole day, growth is shown with its time, and no growth says nothing', () => {
  expect(find([[2, '5']], '9', LONG_AGO)).toEqual({ units: 4n, values: [5, 9], spanMs: 7_200_000 })
  expect(find([[2, '9']], '9', LONG_AGO)).toBeUndefined()
  expect(find([[2, '9']], '9')).toBeUndefined()
  expect(find([], '9', LONG_AGO)).toBeUndefined()
})
