import { expect, test } from 'vitest'
import {
  formatCountdown,
  formatDuration,
  formatExactly,
  formatNumber,
  formatPrice,
  formatPriceExactly,
  formatShare,
  formatTime,
  isEndless,
  plural,
  shorten,
} from './format.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('a countdown shows seconds in the last ten minutes, and zero only when the time has come', () => {
  const shown = [10 * MINUTE, 10 * MINUTE - SECOND, 61 * SECOND, MINUTE, 59_001, 59_000, 1, 0, -5 * SECOND]
  expect(shown.map(formatCountdown)).toEqual([
    '10 m',
    '9 m 59 s',
    '1 m 01 s',
    '1 m 00 s',
    '1 m 00 s',
    '59 s',
    '1 s',
    '0 s',
    '0 s',
  ])
})

test('a duration has the two largest units that matter', () => {
  const durations = [
    -1,
    59_999,
    MINUTE,
    HOUR - 1,
    HOUR,
    2 * HOUR + 14 * MINUTE,
    DAY,
    DAY + HOUR,
    60 * DAY + HOUR,
  ]
  expect(durations.map(formatDuration)).toEqual([
    '0 s',
    '59 s',
    '1 m',
    '59 m',
    '1 h',
    '2 h 14 m',
    '1 d',
    '1 d 1 h',
    '60 d',
  ])
})

test('numbers have as many digits as their size needs, and exact amounts have all of them', () => {
  const numbers = [0, 0.000012345, 0.99999, 1.2345, 12.345, 999.999, 1_000, 123_456.7, 1_234_567, -2_500_000]
  expect(numbers.map(formatNumber)).toEqual([
    '0',
    '0.00001235',
    '1',
    '1.235',
    '12.35',
    '1,000',
    '1,000',
    '123,457',
    '1.235M',
    '-2.5M',
  ])
  expect(formatExactly('1234567500000', 6)).toBe('1,234,567.5')
  expect(formatExactly('1000000001', 9)).toBe('1.000000001')
  expect([plural(1, 'launch', 'launches'), plural(1_000, 'agent')]).toEqual(['1 launch', '1,000 agents'])
  expect([shorten('123456789'), shorten('1234567890')]).toEqual(['123456789', '1234…7890'])
})

test('a time has its year only if that is not the current one', () => {
  const ms = Date.parse('2026-03-04T15:00:00Z')
  expect(formatTime(ms, ms, 'UTC')).toBe('Wed 4 Mar, 15:00')
  expect(formatTime(ms, Date.parse('2027-01-01T00:00:00Z'), 'UTC')).toBe('Wed 4 Mar 2026, 15:00')
  expect([isEndless('9999-12-31T23:59:59Z'), isEndless('2099-01-01T00:00:00Z')]).toEqual([true, false])
})

test('a price has four significant digits, and counts the zeros of a tiny one', () => {
  const prices = [
    '0.0000001025',
    '0.0000000805294117645650098',
    0.00009999,
    0.000099999,
    0.0001,
    '1.5',
    0,
    1e-12,
  ]
  expect(prices.map(formatPrice)).toEqual([
    '0.0₆1025',
    '0.0₇8053',
    '0.0₄9999',
    '0.0001',
    '0.0001',
    '1.5',
    '0',
    '0.0₁₁1',
  ])
  expect([1e-12, '0.0000001025', 3, 0.1 + 0.2, 1_234.5].map(formatPriceExactly)).toEqual([
    ...['0.000000000001', '0.0000001025', '3', '0.3', '1234.5'],
  ])
})

test('a small share keeps two significant digits', () => {
  expect([0, 0.00001234, 0.00099, 0.0123, 0.5].map(formatShare)).toEqual([
    '0%',
    '0.0012%',
    '0.099%',
    '1.2%',
    '50%',
  ])
})
