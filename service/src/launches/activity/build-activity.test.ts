import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { buildActivity, formatPrice, INTERVAL_MS, planPoints } from './build-activity.ts'

const price = (quote: bigint, base: bigint, quoteDecimals: number, baseDecimals: number) =>
  formatPrice({ quote, base }, { quoteDecimals, baseDecimals })

test('a price is per whole base token, in whole quote tokens', () => {
  expect(price(30_000_000_000n, 1_073_000_000_000_000n, 9, 6)).toBe('0.0000000279589934762348555')
  expect(price(1n, 2n, 6, 6)).toBe('0.5')
  expect(price(3n, 1n, 0, 0)).toBe('3')
  expect(price(1_000n, 1n, 6, 9)).toBe('1000000')
  expect(price(2n, 3n, 0, 0)).toBe('0.666666666666666666')
  expect(price(2n ** 64n - 1n, 1n, 0, 2)).toBe('1844674407370955161500')
  expect(price(10n ** 19n + 1n, 10n, 0, 0)).toBe('1000000000000000000')
})

test('a price is the exact quotient, rounded down to 18 significant digits', () => {
  const amount = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 65n }), fc.bigInt({ min: 1n, max: 1_000n }))
  const decimals = fc.oneof(fc.nat(18), fc.nat(255))
  fc.assert(
    fc.property(amount, amount, decimals, decimals, (quote, base, quoteDecimals, baseDecimals) => {
      const text = price(quote, base, quoteDecimals, baseDecimals)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const [whole = '', fraction = ''] = text.split('.')
      // text = digits / 10^fraction.length; the quotient is numerator / denominator.
      const numerator = quote * 10n ** BigInt(baseDecimals)
      const denominator = base * 10n ** BigInt(quoteDecimals)
      const digits = BigInt(whole + fraction)
      const scaled = digits * denominator
      const exact = numerator * 10n ** BigInt(fraction.length)
      expect(scaled <= exact).toBe(true)
      // The error is below one unit of the eighteenth digit.
      if (`${BigInt(whole)}`.length < 18 || whole === '0')
        expect((exact - scaled) * 10n ** 17n < exact).toBe(true)
      else expect(exact - scaled < denominator).toBe(true)
    }),
    { numRuns: 500 },
  )
})

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

test('of a wider range, the last 500 intervals are left', () => {
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
