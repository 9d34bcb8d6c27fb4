import { expect, test } from 'vitest'
import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { describeKept, describeTradeFee } from './describe-fee.ts'

const taking = {
  data: { baseToken: { address: 'cat', symbol: 'CAT' } },
  tokens: {
    quoteMint: 'So11111111111111111111111111111111111111112',
    quoteDecimals: 9,
    baseDecimals: 6,
  },
} as never
const feeOf = (quote: object) => describeTradeFee(taking, quote as FittedQuote)
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
  const pool = { venue: 'pool', side: 'sell', amountIn: '2000000000', amountOut: '7', priceImpactBps: null }
  const fees = { protocol: '0', creator: '0', pool: '5000000' }
  expect(feeOf({ ...pool, fees })).toEqual({ label: 'Fee 0.25%', amount: '5 CAT', share: 0.0025 })
  expect(feeOf({ ...pool, fees: { ...fees, creator: '1' } })).toEqual({
    label: 'Fees',
    amount: '5 CAT and the creator’s',
    share: undefined,
  })
})

test('no fee and an unknown one are not named', () => {
  const order = { ...curve, side: 'buy', amountIn: '9', amountOut: '9' }
  expect(feeOf({ ...order, fees: { protocol: '0', creator: '0', pool: '0' } })).toBeUndefined()
  expect(feeOf({ ...order, fees: { protocol: '', creator: '0', pool: '0' } })).toBeUndefined()
})

test('what is kept of a withdrawal is a fee, and a penalty only where there can be one', () => {
  expect(describeKept(taking, 1_960_000_000n, 1_920_800_000n, false)).toEqual({
    label: 'Fee 2%',
    amount: '0.0392 SOL',
  })
  expect(describeKept(taking, 100n, 90n, true)?.label).toBe('Fee and penalty 10%')
  expect(describeKept(taking, 100n, 100n, true)).toBeUndefined()
})
