import type { LaunchTrade } from '@slipway/client'
import { expect, test } from 'vitest'
import { amountOf, describeKind, explainFees } from '../../trades/trade-words.ts'
import { describeLabel, describeList, describeSale, formatHolding } from './market-panels.tsx'

test('a trade and a holder are named in words, and an unknown kind by itself', () => {
  const kinds = ['buy', 'sell', 'deposit', 'withdraw', 'claim', 'refund', 'burn']
  expect(kinds.map(describeKind)).toEqual([
    'Bought',
    'Sold',
    'Deposited',
    'Withdrew',
    'Claimed',
    'Refunded',
    'burn',
  ])
  const labels = ['curve', 'pool', 'launch', 'creator', 'agent', 'other', null]
  expect(labels.map(label => describeLabel(label, false))).toEqual([
    'Curve',
    'Pool',
    'Launch',
    'Creator',
    'Agent',
    undefined,
    undefined,
  ])
  expect(describeLabel('launch', true)).toBe('Unclaimed')
})

test('a small share is never shown as none', () => {
  expect([1, 0.1234, 0.001, 0.000_999, 1e-12, 0].map(formatHolding)).toEqual([
    '100%',
    '12.3%',
    '0.1%',
    '<0.1%',
    '<0.1%',
    '0%',
  ])
})

test('an empty list says when trades appear, and one that is incomplete says why instead', () => {
  const empty = { trades: [], complete: true, reason: null }
  expect(describeList(empty)).toBe('No trades yet. The first one appears here within seconds.')
  expect(describeList(empty, 'Deposits')).toMatch(/^No deposits yet\./)
  expect(describeList(empty, 'Deposits', true)).toBe('The deposits are not listed yet.')
  const incomplete = { ...empty, complete: false }
  expect(describeList(incomplete)).toBe('Some trades are missing.')
  expect(describeList({ ...incomplete, reason: 'Older trades are being read' })).toBe(
    'Older trades are being read.',
  )
})

test('a deposit counts without its fee and a withdrawal with it, which is said', () => {
  const tradeOf = (kind: string, quoteAmount: string, protocolFee: string) =>
    ({ kind, quoteAmount, protocolFee }) as LaunchTrade
  const deposit = tradeOf('deposit', '15306122448', '306122448')
  const sale = tradeOf('sell', '15306122448', '306122448')
  const withdrawal = tradeOf('withdraw', '980000000', '20000000')
  expect([deposit, sale, withdrawal, tradeOf('deposit', '5', '')].map(amountOf)).toEqual([
    '15000000000',
    '15306122448',
    '1000000000',
    '5',
  ])
  expect(explainFees([sale])).toBe('Prices are before fees.')
  expect(explainFees([])).toBeUndefined()
  expect(explainFees([sale, deposit])).toBe('Prices are before fees. Deposits are shown without the 2% fee.')
  expect(explainFees([withdrawal])).toBe('Withdrawals include the 2% fee.')
  expect(explainFees([withdrawal, deposit])).toBe(
    'Deposits are shown without the 2% fee. Withdrawals include it.',
  )
  expect(explainFees([withdrawal, tradeOf('deposit', '100', '30')])).toBe(
    'Deposits are shown without fees and penalties. Withdrawals include them.',
  )
})

test('deposits in a list of trades are explained until the first trade in the pool', () => {
  const listOf = (...kinds: string[]) => ({
    trades: kinds.map(kind => ({ kind }) as LaunchTrade),
    complete: true,
  })
  expect(describeSale(listOf('claim', 'deposit'))).toMatch(/^There are no trades in the pool yet\./)
  expect(describeSale(listOf('buy', 'deposit'))).toBeUndefined()
  expect(describeSale(listOf())).toBeUndefined()
  // The trades may be among those that are missing.
  expect(describeSale({ ...listOf('deposit'), complete: false })).toBeUndefined()
})
