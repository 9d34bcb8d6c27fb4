import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAmount } from './parse-amount.ts'

test.each([
  [1, 1_000_000_000n],
  [0.1, 100_000_000n],
  [0.3, 300_000_000n],
  [1.1, 1_100_000_000n],
  [4.35, 4_350_000_000n],
  [1e-9, 1n],
  [1.5e-8, 15n],
  [0.000000001, 1n],
  [123456.789012345, 123_456_789_012_345n],
  [9007199.25474099, 9_007_199_254_740_990n],
])('%s units are %s of the smallest unit', (units, smallest) => {
  expect(parseAmount(units)).toBe(smallest)
})

test.each([
  [0],
  [-0],
  [-1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [0.30000000000000004],
  [0.1 + 0.7],
  [1e-10],
  [1.0000000001],
  [5e-324],
  [9007199.254740993],
  [9007200],
  [18446744073],
  [1e21],
  [1.7976931348623157e308],
])('%s is refused, never rounded', units => {
  expect(parseAmount(units)).toBeUndefined()
})

test('an amount with nine decimals is exact to the last digit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999 }),
      fc.integer({ min: 1, max: 999_999_999 }),
      (whole, rest) => {
        const text = `${whole}.${String(rest).padStart(9, '0')}`
        expect(parseAmount(Number(text))).toBe(BigInt(text.replace('.', '')))
      },
    ),
  )
})

test('decimal digits are exact up to the largest amount, with the decimals of any token', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: 18 }),
      (units, decimals) => {
        const digits = `${units}`.padStart(decimals + 1, '0')
        const at = digits.length - decimals
        const text = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
        expect(parseAmount(text, decimals)).toBe(units)
      },
    ),
  )
  expect(parseAmount('18446744073.709551615')).toBe(2n ** 64n - 1n)
  for (const text of ['18446744073.709551616', '0', '0.0000000001', '1e2', '1.', '.1', '-1', '', ' 1', '１'])
    expect([text, parseAmount(text)]).toEqual([text, undefined])
})
