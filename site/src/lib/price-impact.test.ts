import { expect, test } from 'vitest'
import { describeImpact } from './price-impact.ts'

test.each([
  ['buy', 499, undefined],
  ['buy', 500, 'You pay 5% more than the present price, before fees. Price impact 5%, high.'],
  ['buy', 12_740, 'You pay more than twice the present price. Price impact 127.4%, high.'],
  ['sell', 1_830, 'You get 18.3% less than the present price, before fees. Price impact 18.3%, high.'],
  ['sell', 6_000, 'You get less than half the present price. Price impact 60%, high.'],
] as const)('a price impact is explained once it is high (%s, %i)', (side, bps, text) => {
  expect(describeImpact({ side, bps })).toBe(text)
})
