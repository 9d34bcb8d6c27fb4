import { expect, test } from 'vitest'
import { describeKind } from '../../../trades/trade-words.ts'
import { describeLabel, describeList, formatHolding } from './market-words.ts'

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
  expect(labels.map(describeLabel)).toEqual([
    'Curve',
    'Pool',
    'Launch',
    'Creator',
    'Agent',
    undefined,
    undefined,
  ])
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
  expect(describeList(empty, 'upcoming')).toBe('Trades appear here once the launch opens.')
  expect(describeList(empty, 'live')).toBe('No trades yet. The first one appears here within seconds.')
  const incomplete = { ...empty, complete: false }
  expect(describeList(incomplete, 'live')).toBe('Some trades are missing.')
  expect(describeList({ ...incomplete, reason: 'Older trades are being read' }, 'live')).toBe(
    'Older trades are being read.',
  )
})
