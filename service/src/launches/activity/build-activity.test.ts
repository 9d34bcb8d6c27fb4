import { expect, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { buildActivity, INTERVAL_MS, planPoints } from './build-activity.ts'

const ms = (text: string) => Date.parse(text)
const nowMs = ms('2026-03-03T09:41:27.123Z')
const shown = (starts: number[]) => starts.map(start => new Date(start).toISOString().slice(5, 16))

test('by default, the last 24 hours are covered, the running one included', () => {
  const hours = planPoints({ interval: 'hour' }, nowMs)
  expect(hours).toHaveLength(25)
  expect(shown(hours).at(0)).toBe('03-02T09:00')
  expect(shown(hours).at(-1)).toBe('03-03T09:00')
  expect(shown(planPoints({ interval: 'day' }, nowMs))).toEqual(['03-02T00:00', '03-03T00:00'])
})

test('a range covers the interval of its start, and ends before the one that begins at its end', () => {
  const range = { fromMs: ms('2026-03-03T07:59:59.999Z'), toMs: ms('2026-03-03T09:00:00.000Z') }
  expect(shown(planPoints({ interval: 'hour', ...range }, nowMs))).toEqual(['03-03T07:00', '03-03T08:00'])
  const empty = { fromMs: nowMs, toMs: nowMs }
  expect(planPoints({ interval: 'day', ...empty }, nowMs)).toHaveLength(1)
  expect(planPoints({ interval: 'hour', toMs: range.toMs }, nowMs)).toHaveLength(24)
})

test('there are no intervals in the future', () => {
  const future = { fromMs: nowMs + 1e9, toMs: nowMs + 2e9 }
  expect(planPoints({ interval: 'minute', ...future }, nowMs)).toEqual([])
  expect(planPoints({ interval: 'minute', fromMs: nowMs - 60_000, toMs: nowMs + 2e9 }, nowMs)).toHaveLength(2)
})

test('a wider range is cut to its last 500 intervals', () => {
  for (const interval of ['minute', 'hour', 'day'] as const) {
    const starts = planPoints({ interval, fromMs: 0 }, nowMs)
    expect(starts).toHaveLength(500)
    expect(starts.at(-1)).toBe(Math.floor(nowMs / INTERVAL_MS[interval]) * INTERVAL_MS[interval])
    expect(starts[1]).toBe((starts[0] as number) + INTERVAL_MS[interval])
  }
  expect(planPoints({ interval: 'day', fromMs: -1e15, toMs: -1e14 }, nowMs)).toEqual([])
})

test('figures that end as an interval begins still have that interval, and none after it', () => {
  const starts = ['07:00', '08:00', '09:00'].map(time => ms(`2026-03-03T${time}:00.000Z`))
  const figures = {
    raised: '1',
    sold: '1',
    supply: '2',
    priceQuote: null,
    priceBase: null,
    progress: null,
    participants: null,
    creatorFees: null,
  }
  const timesUntil = (endedAt: string | null) =>
    buildActivity(
      addressOf('launch'),
      {
        quoteMint: null,
        quoteDecimals: null,
        baseDecimals: null,
        goal: null,
        creatorWallets: [],
        endedAt: endedAt === null ? null : new Date(endedAt),
        current: figures,
        points: starts.map(() => figures),
      },
      starts,
    ).points.map(({ time }) => time.slice(11, 16))
  expect(timesUntil('2026-03-03T08:00:00.000Z')).toEqual(['07:00', '08:00'])
  expect(timesUntil('2026-03-03T07:59:59.999Z')).toEqual(['07:00'])
  expect(timesUntil(null)).toEqual(['07:00', '08:00', '09:00'])
})
