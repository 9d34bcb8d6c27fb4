import { expect, test } from 'vitest'
import { findGrowth } from './growth.ts'

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
