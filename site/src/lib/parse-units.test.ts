import { expect, test } from 'vitest'
import { explainUnits, findUnitsFault, parseUnits } from './parse-units.ts'

test.each([
  ['0.25', 250_000_000n],
  ['.5', 500_000_000n],
  ['5.', 5_000_000_000n],
  [' 12 ', 12_000_000_000n],
  ['1 000', 1_000_000_000_000n],
  ['1 000 000.5', 1_000_000_500_000_000n],
  ['1\u202f000,5', 1_000_500_000_000n],
  ['1,5', 1_500_000_000n],
  ['0,001', 1_000_000n],
  ['0.000000001', 1n],
])('%j is an amount', (text, units) => {
  expect(parseUnits(text, 9)).toBe(units)
  expect(findUnitsFault(text, 9)).toBeUndefined()
})

test.each([
  ['1,000', 'without commas'],
  ['1,000.5', 'without commas'],
  ['1,000,000', 'without commas'],
  ['1e9', 'exponent'],
  ['1.5E-7', 'exponent'],
  ['0.0000000001', 'Use at most nine decimals.'],
  ['1.5.2', 'Enter a number above 0 with at most nine decimals'],
  ['1 5', 'Enter a number above 0'],
  ['0', 'Enter a number above 0'],
  ['.', 'Enter a number above 0'],
  ['-1', 'Enter a number above 0'],
  ['9'.repeat(41), 'Enter a number above 0'],
])('%j is not an amount, and the reason is given', (text, reason) => {
  expect(parseUnits(text, 9)).toBeUndefined()
  expect(findUnitsFault(text, 9)).toContain(reason)
})

test('an amount with a comma or spaces is written as it was understood', () => {
  expect(explainUnits('1,5', 9)).toBe('= 1.5')
  expect(explainUnits('1 000', 9)).toBe('= 1000')
  expect(explainUnits(' 1.5 ', 9)).toBe('')
  expect(explainUnits('1,000', 9)).toBe('')
})
