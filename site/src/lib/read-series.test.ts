import type { LaunchActivity } from '@slipway/client'
import { expect, test } from 'vitest'
import { readSeries } from './read-series.ts'

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const nowMs = Date.parse('2026-03-03T09:41:27.123Z')

/** Answers as the API does for a launch whose figures are this old, and notes what was asked for. */
function createApi(ageMs: number) {
  const asked: string[] = []
  const read = async (interval: keyof typeof MS, fromMs: number) => {
    asked.push(interval)
    const step = MS[interval]
    const first = Math.floor(Math.max(fromMs, nowMs - ageMs) / step)
    const count = Math.min(Math.floor(nowMs / step) - first + 1, 500)
    const points = Array.from({ length: ageMs < 0 ? 0 : count }, (_, at) => ({
      time: new Date((first + at) * step).toISOString(),
    }))
    return { points, current: {} } as unknown as LaunchActivity
  }
  return { read, asked }
}

async function readAt(ageMs: number, period: 'day' | 'week' | 'all') {
  const { read, asked } = createApi(ageMs)
  const { points } = await readSeries(read, { period, startMs: nowMs - 60 * MS.day, nowMs })
  return { asked, count: points.length, first: points[0]?.time, last: points.at(-1)?.time }
}

test('the interval follows from how long figures have been recorded', async () => {
  expect(await readAt(20 * MS.minute, 'day')).toMatchObject({ asked: ['hour', 'minute'], count: 21 })
  expect(await readAt(10 * MS.hour, 'day')).toMatchObject({ asked: ['hour'], count: 11 })
  expect(await readAt(90 * MS.day, 'day')).toMatchObject({ asked: ['hour'], count: 25 })
  expect(await readAt(20 * MS.minute, 'week')).toMatchObject({ asked: ['hour', 'minute'], count: 21 })
  expect(await readAt(20 * MS.minute, 'all')).toMatchObject({ asked: ['day', 'hour', 'minute'], count: 21 })
  expect(await readAt(5 * MS.day, 'all')).toMatchObject({ asked: ['day', 'hour'], count: 121 })
  expect(await readAt(40 * MS.day, 'all')).toMatchObject({ asked: ['day'], count: 41 })
})

test('minutes are thinned out, the whole time is covered, and the last point stays', async () => {
  const { count, first, last } = await readAt(6.3 * MS.hour, 'day')
  expect(count).toBeLessThanOrEqual(120)
  expect(first?.slice(0, 13)).toBe('2026-03-03T03')
  expect(last).toBe('2026-03-03T09:41:00.000Z')
})

test('a launch without figures is asked for once', async () => {
  expect(await readAt(-1, 'day')).toMatchObject({ asked: ['hour'], count: 0 })
})
