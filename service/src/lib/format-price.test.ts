import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPrice } from './format-price.ts'

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
