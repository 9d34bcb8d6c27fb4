import type { RewardBucket } from '@slipway/client'
import { expect, test } from 'vitest'
import { findSources, groupByLaunch } from './group-by-launch.ts'

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
