import { expect, test } from 'vitest'
import { fitTrades } from '../../../trades/read-trades.ts'
import { countRefunds } from './refunds-so-far.tsx'

test('refunds are counted only if all trades of a launch are known', () => {
  const trades = [
    { signature: 'a', index: 0, kind: 'refund', quoteAmount: '30' },
    { signature: 'b', index: 0, kind: 'deposit', quoteAmount: '90' },
    { signature: 'c', index: 0, kind: 'refund', quoteAmount: '12' },
  ]
  expect(countRefunds(fitTrades({ trades }))).toEqual({ count: 2, sum: 42n })
  expect(countRefunds(fitTrades({ trades, next: 'more' }))).toBeUndefined()
  expect(countRefunds(fitTrades({ trades, complete: false }))).toBeUndefined()
})
