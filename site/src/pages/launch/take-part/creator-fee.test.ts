import { quoteInPool, type TradedPool } from '@slipway/launch-model/trade/pool'
import { priceImpactBps } from '@slipway/launch-model/trade/trade'
import { expect, test } from 'vitest'
import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { findCreatorFeeSide } from './creator-fee.ts'

const POOL: TradedPool = {
  reserves: { quote: 85_000_000_000n, base: 200_000_000_000_000n },
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 10_000n,
  creatorFeeIn: 'quote',
}

function quoteOf(side: 'buy' | 'sell', amount: bigint, change: Partial<TradedPool> = {}): FittedQuote {
  const trade = quoteInPool({ ...POOL, ...change }, { side, mode: 'in', amount })
  if (typeof trade === 'string') throw new Error(trade)
  const { amountIn, amountOut, fees } = trade
  const quote = {
    ...{ side, amountIn: `${amountIn}`, amountOut: `${amountOut}`, quoteDecimals: 9, baseDecimals: 6 },
    fees: { protocol: '0', creator: `${fees.creator}`, pool: `${fees.pool}` },
    price: `${85 / 200_000_000}`,
    priceImpactBps: priceImpactBps(trade),
  }
  return quote as FittedQuote
}

test('the token of a creator’s fee is told from the quote, in each direction and for each kind of pool', () => {
  const found = (['quote', 'base', 'input'] as const).map(creatorFeeIn => [
    findCreatorFeeSide(quoteOf('buy', 500_000_000n, { creatorFeeIn })),
    findCreatorFeeSide(quoteOf('sell', 1_000_000_000_000n, { creatorFeeIn })),
  ])
  expect(found).toEqual([
    ['paid', 'received'],
    ['received', 'paid'],
    ['paid', 'paid'],
  ])
})

test('a fee that is too small to be told, or an impact that is not known, names no token', () => {
  expect(findCreatorFeeSide(quoteOf('buy', 500_000_000n, { creatorFeeRate: 50n }))).toBeUndefined()
  expect(findCreatorFeeSide({ ...quoteOf('buy', 500_000_000n), priceImpactBps: null })).toBeUndefined()
})
