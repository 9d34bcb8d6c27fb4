import { expect, test } from 'vitest'
import { describeImpact } from './price-impact.ts'

test.each([
  ['buy', 499, undefined],
  ['buy', 500, 'You pay 5% more than the current price, before fees: a high price impact.'],
  ['buy', 12_740, 'You pay more than twice the current price, before fees: a high price impact.'],
  ['sell', 1_830, 'You get 18.3% less than the current price, before fees: a high price impact.'],
  ['sell', 6_000, 'You get less than half the current price, before fees: a high price impact.'],
] as const)('a price impact is explained once it is high (%s, %i)', (side, bps, text) => {
  expect(describeImpact({ side, bps })).toBe(text)
})
