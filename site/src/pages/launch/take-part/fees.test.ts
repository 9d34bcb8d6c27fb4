import type { TradeQuote } from '@slipway/client'
import { quoteInPool, type TradedPool } from '@slipway/launch-model/trade/pool'
import { priceImpactBps } from '@slipway/launch-model/trade/trade'
import { expect, test } from 'vitest'
import { describeKept, describeTradeFee, findCreatorFeeSide } from './fees.ts'

const POOL: TradedPool = {
  reserves: { quote: 85_000_000_000n, base: 200_000_000_000_000n },
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 10_000n,
  creatorFeeIn: 'quote',
}

function quoteOf(side: 'buy' | 'sell', amount: bigint, change: Partial<TradedPool> = {}): TradeQuote {
  const trade = quoteInPool({ ...POOL, ...change }, { side, mode: 'in', amount })
  if (typeof trade === 'string') throw new Error(trade)
  const { amountIn, amountOut, fees } = trade
  const quote = {
    ...{ side, amountIn: `${amountIn}`, amountOut: `${amountOut}`, quoteDecimals: 9, baseDecimals: 6 },
    fees: { protocol: '0', creator: `${fees.creator}`, pool: `${fees.pool}` },
    price: `${85 / 200_000_000}`,
    priceImpactBps: priceImpactBps(trade),
  }
  return quote as TradeQuote
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

test('a fee that is too small to be told names no token', () => {
  expect(findCreatorFeeSide(quoteOf('buy', 500_000_000n, { creatorFeeRate: 50n }))).toBeUndefined()
})

const context = { quote: { decimals: 9, symbol: 'SOL' }, base: { decimals: 6, symbol: 'CAT' } }
const feeOf = (quote: object) => describeTradeFee(context, quote as TradeQuote)
const curve = { venue: 'curve', fees: { protocol: '10000000', creator: '5000000', pool: '0' } }

test('a curve’s fees are one amount, as a share of what is paid or of what the sale brings', () => {
  expect(feeOf({ ...curve, side: 'buy', amountIn: '1000000000', amountOut: '9' })).toEqual({
    label: 'Fee 1.5%, included',
    amount: '0.015 SOL',
    share: 0.015,
  })
  expect(feeOf({ ...curve, side: 'sell', amountIn: '9', amountOut: '985000000' })).toEqual({
    label: 'Fee 1.5%',
    amount: '0.015 SOL',
    share: 0.015,
  })
})

test('a pool’s fee is in what is paid, and a creator’s fee that can’t be placed is named', () => {
  const pool = { venue: 'pool', side: 'sell', amountIn: '2000000000', amountOut: '7' }
  const fees = { protocol: '0', creator: '0', pool: '5000000' }
  expect(feeOf({ ...pool, fees })).toEqual({ label: 'Fee 0.25%', amount: '5 CAT', share: 0.0025 })
  expect(feeOf({ ...pool, fees: { ...fees, creator: '1' } })).toEqual({
    label: 'Fees',
    amount: '5 CAT and the creator’s',
    share: undefined,
  })
})

test('no fee is not named', () => {
  const order = { ...curve, side: 'buy', amountIn: '9', amountOut: '9' }
  expect(feeOf({ ...order, fees: { protocol: '0', creator: '0', pool: '0' } })).toBeUndefined()
})

test('what is kept of a withdrawal is a fee, and a penalty only where there can be one', () => {
  expect(describeKept(context, 1_960_000_000n, 1_920_800_000n, false)).toEqual({
    label: 'Fee 2%',
    amount: '0.0392 SOL',
  })
  expect(describeKept(context, 100n, 90n, true)?.label).toBe('Fee and penalty 10%')
  expect(describeKept(context, 100n, 100n, true)).toBeUndefined()
})
