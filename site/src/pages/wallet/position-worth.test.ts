import type { LaunchActivity } from '@slipway/client'
import { expect, test } from 'vitest'
import type { Position } from '../../lib/wallets.ts'
import { findNextStep, findWorth } from './position-worth.ts'
import { sumWorth } from './use-worth.ts'

const NOTHING = {
  launch: { graduatedAt: null },
  ...{ deposited: '0', claimable: '0', claimed: '0', refundable: '0', proceeds: '0', balance: '0' },
  ...{ quoteDecimals: 9, baseDecimals: 6, actions: [] as string[] },
}
const positionOf = (fields: Partial<Position>) => ({ ...NOTHING, ...fields }) as unknown as Position
const pricedAt = (price: string | null, endedAt: string | null = null) =>
  ({ endedAt, current: { price } }) as unknown as LaunchActivity

test('tokens are worth their number times the current price, and a deposit or a refund what it is', () => {
  const tokens = positionOf({ balance: '2000000', claimable: '1000000' })
  expect(findWorth(tokens, pricedAt('0.5'))).toBe(1_500_000_000n)
  expect(findWorth(positionOf({ deposited: '7' }), undefined)).toBe(7n)
  expect(findWorth(positionOf({ deposited: '7', refundable: '6' }), undefined)).toBe(6n)
  expect(findWorth(positionOf({ balance: '2000000', proceeds: '5' }), pricedAt('0.5'))).toBe(1_000_000_005n)
})

test('without a current price, tokens are not said to be worth anything', () => {
  const tokens = positionOf({ balance: '2000000' })
  expect(findWorth(tokens, undefined)).toBeUndefined()
  expect(findWorth(tokens, pricedAt(null))).toBeUndefined()
  expect(findWorth(tokens, pricedAt('0.5', '2026-01-01T00:00:00.000Z'))).toBeUndefined()
  expect(findWorth(positionOf({}), pricedAt('0.5'))).toBeUndefined()
  const launch = { graduatedAt: '2026-01-01T00:00:00.000Z' } as Position['launch']
  expect(findWorth(positionOf({ launch, deposited: '7' }), pricedAt('0.5'))).toBeUndefined()
})

test('what is owed comes first, then what is possible', () => {
  const stepOf = (fields: Partial<Position>) => findNextStep(positionOf(fields))
  expect(stepOf({ refundable: '1', claimable: '1', actions: ['deposit'] })).toBe('Get a refund')
  expect(stepOf({ claimable: '1', actions: ['sell'] })).toBe('Claim')
  expect(stepOf({ balance: '1', actions: ['buy', 'sell'] })).toBe('Buy or sell')
  expect(stepOf({ deposited: '1', actions: ['deposit', 'withdraw'] })).toBe('Deposit or withdraw')
  expect(stepOf({ deposited: '1', actions: ['deposit'] })).toBe('Deposit more')
  expect(stepOf({ deposited: '1' })).toBeUndefined()
})

test('a wallet is worth its SOL, its positions and its rewards; what has no price in SOL is counted apart', () => {
  const quoteMint = 'So11111111111111111111111111111111111111112'
  const positions = [
    positionOf({ genesisAddress: 'priced', quoteMint, balance: '2000000' }),
    positionOf({ genesisAddress: 'deposit', quoteMint, deposited: '7' }),
    positionOf({ genesisAddress: 'unpriced', quoteMint, balance: '1' }),
    positionOf({ genesisAddress: 'other', quoteMint: 'other', deposited: '9' }),
    positionOf({ genesisAddress: 'empty', quoteMint }),
  ]
  const rewards = [
    { quoteMint, claimable: '3', buckets: 1 },
    { quoteMint: 'other', claimable: '4', buckets: 1 },
  ]
  const activities = new Map([['priced', pricedAt('0.5')]])
  expect(sumWorth({ positions, rewards }, activities, 5n)).toEqual({
    balance: 5n,
    positions: 1_000_000_007n,
    rewards: 3n,
    leftOut: 2,
  })
  expect(sumWorth({ positions: [], rewards: [] }, new Map(), undefined).balance).toBeUndefined()
})
