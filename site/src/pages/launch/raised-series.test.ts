import type { LaunchTrade } from '@slipway/client'
import { expect, test } from 'vitest'
import { isSteady, toMovements, toRaisedSeries } from './raised-series.ts'

const HOUR = 3_600_000
const start = Date.parse('2026-03-03T00:00:00.000Z')
const tradeAt = (hours: number, kind: string, quoteAmount: string, protocolFee = '0') =>
  ({ kind, time: new Date(start + hours * HOUR).toISOString(), quoteAmount, protocolFee }) as LaunchTrade
/** Newest first, as the service lists them. */
const trades = [
  tradeAt(41, 'refund', '30'),
  tradeAt(40, 'claim', '0'),
  tradeAt(30, 'withdraw', '49', '1'),
  tradeAt(20, 'deposit', '204', '4'),
  tradeAt(1, 'deposit', '102', '2'),
]
const all = { trades, next: null, complete: true }
const about = { raised: '250', decimals: 1, startMs: start, endMs: start + 48 * HOUR, period: 'all' as const }

test('deposits and withdrawals add up to what was raised, from the start to now', () => {
  const points = toRaisedSeries(toMovements(all), about)
  expect(points?.map(({ ms, value }) => [(ms - start) / HOUR, value])).toEqual([
    [0, 0],
    [1, 10],
    [20, 30],
    [30, 25],
    [48, 25],
  ])
})

test('a shorter period begins with what had been raised before it', () => {
  const points = toRaisedSeries(toMovements(all), { ...about, period: 'day' })
  expect(points?.map(({ ms, value }) => [(ms - start) / HOUR, value])).toEqual([
    [24, 30],
    [30, 25],
    [48, 25],
  ])
})

test('deposits that are incomplete, or that do not explain what was raised, draw no line', () => {
  expect(toMovements({ ...all, complete: false })).toBeNull()
  expect(toMovements({ ...all, next: 'cursor' })).toBeNull()
  expect(toRaisedSeries(toMovements(all), { ...about, raised: '251' })).toBeUndefined()
  expect(toRaisedSeries([], about)).toBeUndefined()
  expect(toRaisedSeries(null, about)).toBeUndefined()
})

test('refunds are known with what they paid back', () => {
  const refunds = toMovements(all)?.filter(({ kind }) => kind === 'refund')
  expect(refunds).toEqual([{ kind: 'refund', ms: start + 41 * HOUR, units: '30' }])
})

test('a line that hardly moves is steady', () => {
  const at = (...values: number[]) => values.map((value, ms) => ({ ms, value }))
  expect([at(), at(1), at(0, 0), at(1, 1, 1), at(1, 1.000_9)].map(isSteady)).not.toContain(false)
  expect([at(0, 1), at(1, 1, 2), at(1, 1.01)].map(isSteady)).not.toContain(true)
})
