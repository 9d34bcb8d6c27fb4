import type { LaunchTrade } from '@slipway/client'
import { expect, test } from 'vitest'
import { isSteady, toPriceSeries, toRaisedSeries, toSteps } from './trade-series.ts'

const HOUR = 3_600_000
const start = Date.parse('2026-03-03T00:00:00.000Z')
const tradeAt = (
  hours: number,
  kind: string,
  quoteAmount: string,
  protocolFee = '0',
  price: string | null = null,
) =>
  ({
    kind,
    time: new Date(start + hours * HOUR).toISOString(),
    quoteAmount,
    protocolFee,
    price,
  }) as LaunchTrade
/** Newest first, as the service lists them. */
const trades = [
  tradeAt(40, 'claim', '0'),
  tradeAt(30, 'withdraw', '49', '1'),
  tradeAt(20, 'deposit', '204', '4'),
  tradeAt(1, 'deposit', '102', '2'),
]
const all = { trades, next: null, complete: true }
const about = { raised: '250', decimals: 1, startMs: start, endMs: start + 48 * HOUR, period: 'all' as const }

test('deposits and withdrawals add up to what was raised, from the start to now', () => {
  const steps = toSteps(all)
  expect(steps.raised.map(({ units }) => units)).toEqual(['100', '300', '250'])
  const points = toRaisedSeries(steps, about)
  expect(points?.map(({ ms, value }) => [(ms - start) / HOUR, value])).toEqual([
    [0, 0],
    [1, 10],
    [20, 30],
    [30, 25],
    [48, 25],
  ])
})

test('a shorter period begins with what had been raised before it', () => {
  const points = toRaisedSeries(toSteps(all), { ...about, period: 'day' })
  expect(points?.map(({ ms, value }) => [(ms - start) / HOUR, value])).toEqual([
    [24, 30],
    [30, 25],
    [48, 25],
  ])
})

test('trades that are incomplete, or that do not explain what was raised, draw no line', () => {
  const price = { ...about, price: 8, graduatedMs: undefined }
  for (const missing of [{ complete: false }, { next: 'cursor' }]) {
    const steps = toSteps({ ...all, ...missing })
    expect([toRaisedSeries(steps, about), toPriceSeries(steps, price)]).toEqual([undefined, undefined])
  }
  expect(toRaisedSeries(toSteps(all), { ...about, raised: '251' })).toBeUndefined()
  expect(toRaisedSeries(toSteps({ ...all, trades: [] }), about)).toBeUndefined()
  expect(toRaisedSeries(undefined, about)).toBeUndefined()
})

test('a price is that of each trade, and the current one since the last or, later, since the graduation', () => {
  const sold = [
    tradeAt(30, 'buy', '9', '0', '4'),
    tradeAt(2, 'sell', '9', '0', '3'),
    tradeAt(1, 'buy', '9', '0', '2'),
  ]
  const steps = toSteps({ trades: sold, next: null, complete: true })
  const { raised: _, decimals: __, ...span } = about
  const draw = (graduated: number | undefined, period: 'all' | 'day' = 'all') =>
    toPriceSeries(steps, {
      ...{ ...span, period, price: 8 },
      graduatedMs: graduated === undefined ? undefined : start + graduated * HOUR,
    })?.map(({ ms, value }) => [(ms - start) / HOUR, value])
  expect(draw(undefined)).toEqual([
    [1, 2],
    [2, 3],
    [30, 8],
    [48, 8],
  ])
  expect(draw(40, 'day')).toEqual([
    [24, 3],
    [30, 4],
    [40, 8],
    [48, 8],
  ])
  expect(draw(29)).toEqual(draw(undefined))
  expect(toPriceSeries(steps, { ...span, price: Number.NaN, graduatedMs: undefined })).toBeUndefined()
  expect(toPriceSeries(toSteps(all), { ...span, price: 8, graduatedMs: undefined })).toBeUndefined()
})

test('a line that hardly moves is steady', () => {
  const at = (...values: number[]) => values.map((value, ms) => ({ ms, value }))
  expect([at(), at(1), at(0, 0), at(1, 1, 1), at(1, 1.000_9)].map(isSteady)).not.toContain(false)
  expect([at(0, 1), at(1, 1, 2), at(1, 1.01)].map(isSteady)).not.toContain(true)
})
