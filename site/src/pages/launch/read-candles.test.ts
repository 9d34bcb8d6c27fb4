import { expect, test } from 'vitest'
import { type Candle, joinCandles } from './read-candles.ts'

const candle = (ms: number, price: number): Candle => ({
  ...{ ms, open: price, high: price, low: price, close: price },
  volume: 1,
})

test('a candle begins where the one before ended, and the last ends at the price now', () => {
  expect(joinCandles([candle(0, 10), candle(60_000, 8), candle(120_000, 12)], 15)).toEqual([
    { ms: 0, open: 10, high: 10, low: 10, close: 10, volume: 1 },
    { ms: 60_000, open: 10, high: 10, low: 8, close: 8, volume: 1 },
    { ms: 120_000, open: 8, high: 15, low: 8, close: 15, volume: 1 },
  ])
})

test('without a price now, the last candle ends at its last trade', () => {
  expect(joinCandles([candle(0, 10), candle(60_000, 8)], Number.NaN).at(-1)).toMatchObject({ close: 8 })
})

test('the first candle of a pool does not begin at the last average of the sale', () => {
  const candles = [candle(0, 10), candle(60_000, 20), candle(180_000, 40), candle(240_000, 50)]
  for (const poolMs of [60_000, 90_000, 179_000])
    expect(joinCandles(candles, Number.NaN, poolMs).map(({ open }) => open)).toEqual([10, 10, 40, 40])
  expect(joinCandles(candles, Number.NaN).map(({ open }) => open)).toEqual([10, 10, 20, 40])
})
