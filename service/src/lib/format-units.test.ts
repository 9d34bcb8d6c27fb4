import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSol, formatUnits } from './format-units.ts'

test.each([
  [0n, '0 SOL'],
  [1n, '0.000000001 SOL'],
  [4_190_000_000n, '4.19 SOL'],
  [-20_000_000n, '-0.02 SOL'],
  [18_446_744_073_709_551_615n, '18446744073.709551615 SOL'],
])('%s lamports are %s', (lamports, text) => {
  expect(formatSol(lamports)).toBe(text)
})

test('every amount can be read back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.nat(18), (amount, decimals) => {
      const [, sign = '', whole = '', fraction = ''] =
        /^(-?)(\d+)(?:\.(\d*[1-9]))?$/.exec(formatUnits(amount, decimals)) ?? []
      expect(BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`)).toBe(amount)
    }),
  )
})
