import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteInPool, type TradedPool } from './pool.ts'
import type { Order } from './trade.ts'

const pools = (reserveMax: bigint): fc.Arbitrary<TradedPool> =>
  fc.record({
    reserves: fc.record({ quote: fc.bigInt(1n, reserveMax), base: fc.bigInt(1n, reserveMax) }),
    tradeFeeRate: fc.bigInt(0n, 20_000n),
    protocolFeeRate: fc.constant(120_000n),
    fundFeeRate: fc.constant(40_000n),
    creatorFeeRate: fc.oneof(fc.constant(0n), fc.bigInt(1n, 20_000n)),
    creatorFeeIn: fc.constantFrom('input', 'quote', 'base'),
  })
const aSide = fc.constantFrom<Order['side']>('buy', 'sell')
const quoted = (pool: TradedPool, order: Order) => {
  const trade = quoteInPool(pool, order)
  return typeof trade === 'string' ? undefined : trade
}

test('a quote for an exact input has the numbers that the pool program pays', () => {
  // Fees of 0.25 %: ceil(1,000,003 × 0.0025) = 2,501 of the input; floor(5 × 10¹² × 997,502 / (10⁹ + 997,502)).
  const pool: TradedPool = {
    reserves: { quote: 1_000_000_000n, base: 5_000_000_000_000n },
    tradeFeeRate: 2_500n,
    protocolFeeRate: 120_000n,
    fundFeeRate: 40_000n,
    creatorFeeRate: 0n,
    creatorFeeIn: 'input',
  }
  expect(quoted(pool, { side: 'buy', mode: 'in', amount: 1_000_003n })).toEqual({
    amountIn: 1_000_003n,
    amountOut: 4_982_539_906n,
    fees: { protocol: 0n, creator: 0n, pool: 2_501n },
    partial: false,
    moved: { quote: 997_502n, base: 4_982_539_906n },
    before: pool.reserves,
    // A part of the fee, 300 + 100 units, is set aside for others. The rest stays.
    after: { quote: 1_000_999_603n, base: 4_995_017_460_094n },
  })
})

test('the creator’s fee is a part of the input’s fees, or is taken from the output, as the pool is set up', () => {
  const pool = {
    reserves: { quote: 1_000_000_000n, base: 1_000_000_000n },
    tradeFeeRate: 2_500n,
    protocolFeeRate: 120_000n,
    fundFeeRate: 40_000n,
    creatorFeeRate: 500n,
  }
  const buy: Order = { side: 'buy', mode: 'in', amount: 1_000_003n }
  // ceil(1,000,003 × 0.003) = 3,001, of which floor(3,001 / 6) is the creator's.
  for (const creatorFeeIn of ['input', 'quote'] as const)
    expect(quoted({ ...pool, creatorFeeIn }, buy)?.fees).toEqual({
      protocol: 0n,
      creator: 500n,
      pool: 2_501n,
    })
  // floor(10⁹ × 997,502 / (10⁹ + 997,502)) = 996,507, of which ceil(996,507 × 0.0005) is the creator's.
  expect(quoted({ ...pool, creatorFeeIn: 'base' }, buy)).toMatchObject({
    amountOut: 996_507n - 499n,
    fees: { protocol: 0n, creator: 499n, pool: 2_501n },
  })
})

test('to receive at least an amount, no smaller input is enough', () => {
  let checked = 0
  fc.assert(
    fc.property(pools(10n ** 15n), fc.bigInt(1n, 10n ** 12n), aSide, (pool, amount, side) => {
      const trade = quoted(pool, { side, mode: 'out', amount })
      if (!trade) return
      expect(trade.amountOut).toBeGreaterThanOrEqual(amount)
      const smaller = quoted(pool, { side, mode: 'in', amount: trade.amountIn - 1n })
      if (smaller) expect(smaller.amountOut).toBeLessThan(amount)
      checked++
    }),
    { numRuns: 300 },
  )
  expect(checked).toBeGreaterThan(100)
})

test('no trade lowers the product of the reserves, and none empties them', () => {
  fc.assert(
    fc.property(pools(10n ** 15n), fc.bigInt(1n, 2n ** 64n - 1n), aSide, (pool, amount, side) => {
      const trade = quoted(pool, { side, mode: 'in', amount })
      if (!trade) return
      const { before, after } = trade
      expect(after.quote > 0n && after.base > 0n).toBe(true)
      expect(after.quote * after.base).toBeGreaterThanOrEqual(before.quote * before.base)
    }),
    { numRuns: 300 },
  )
})

test('a pool without reserves has no price, and more than it holds can’t be bought', () => {
  const pool = {
    reserves: { quote: 100n, base: 100n },
    tradeFeeRate: 0n,
    protocolFeeRate: 0n,
    fundFeeRate: 0n,
    creatorFeeRate: 0n,
    creatorFeeIn: 'input' as const,
  }
  expect(quoteInPool(pool, { side: 'buy', mode: 'out', amount: 100n })).toBe('POOL_TOO_SMALL')
  expect(quoteInPool(pool, { side: 'buy', mode: 'in', amount: 0n })).toBe('AMOUNT_TOO_SMALL')
  const empty = { ...pool, reserves: { quote: 0n, base: 100n } }
  expect(quoteInPool(empty, { side: 'buy', mode: 'in', amount: 5n })).toBe('NOT_PRICED')
})
