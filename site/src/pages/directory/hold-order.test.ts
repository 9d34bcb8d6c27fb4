import type { LaunchData } from '@slipway/client'
import { expect, test } from 'vitest'
import { addressOf, holdOrder } from './use-held-order.ts'

const rowsOf = (names: string) =>
  [...names].map(genesisAddress => ({ launch: { genesisAddress } }) as LaunchData)
const hold = (before: string, after: string) => {
  const { shown, waitingCount } = holdOrder([...before], rowsOf(after))
  return [shown.map(addressOf).join(''), waitingCount]
}

test('rows that would rise stay where they are, and are counted', () => {
  expect(hold('abcde', 'abcde')).toEqual(['abcde', 0])
  expect(hold('abcde', 'eabcd')).toEqual(['abcde', 1])
  expect(hold('abcde', 'debac')).toEqual(['abcde', 3])
})

test('rows that arrive above wait, and rows that are loaded below follow at once', () => {
  expect(hold('abc', 'xyabc')).toEqual(['abc', 2])
  expect(hold('abc', 'abcde')).toEqual(['abcde', 0])
  expect(hold('abc', 'xcabde')).toEqual(['abcde', 2])
})

test('rows that are gone leave no gap', () => {
  expect(hold('abcd', 'acd')).toEqual(['acd', 0])
  expect(hold('abcd', '')).toEqual(['', 0])
  expect(hold('', 'abc')).toEqual(['abc', 0])
})
