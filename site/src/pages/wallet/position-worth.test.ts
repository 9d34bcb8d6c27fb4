import type { LaunchActivity } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { expect, test } from 'vitest'
import type { Standing } from '../../lib/launches.ts'
import type { Position } from '../../lib/wallets.ts'
import { findCollection, findHindrance, findWorth, sumWorth } from './position-worth.ts'

const NOTHING = {
  launch: { graduatedAt: null },
  ...{ deposited: '0', claimable: '0', claimed: '0', refundable: '0', proceeds: '0', balance: '0' },
  ...{ quoteDecimals: 9, baseDecimals: 6, actions: [] as string[], sellRefusal: null },
}
const positionOf = (fields: Partial<Position>) => ({ ...NOTHING, ...fields }) as unknown as Position
const pricedAt = (price: string | null, endedAt: string | null = null) =>
  ({ endedAt, current: { price } }) as unknown as LaunchActivity
const graduated = { graduatedAt: '2026-01-01T00:00:00.000Z' } as Position['launch']

test('tokens that can be sold are worth their number times the last price, and a deposit or a refund what it is', () => {
  const tokens = { balance: '2000000', actions: ['sell'] }
  expect(findWorth(positionOf({ ...tokens, claimable: '1000000' }), pricedAt('0.5'))).toBe(1_500_000_000n)
  expect(findWorth(positionOf({ ...tokens, proceeds: '5' }), pricedAt('0.5'))).toBe(1_000_000_005n)
  expect(findWorth(positionOf({ deposited: '7', actions: ['withdraw'] }), undefined)).toBe(7n)
  expect(findWorth(positionOf({ deposited: '7', refundable: '6' }), undefined)).toBe(6n)
})

test('what can’t be sold or withdrawn now is not said to be worth anything', () => {
  expect(findWorth(positionOf({ balance: '2000000' }), pricedAt('0.5'))).toBeUndefined()
  expect(findWorth(positionOf({ deposited: '7' }), pricedAt('0.5'))).toBeUndefined()
  expect(findWorth(positionOf({ launch: graduated, deposited: '7', actions: ['sell'] }), undefined)).toBe(
    undefined,
  )
  // The money that is owed is.
  expect(findWorth(positionOf({ balance: '2000000', proceeds: '5' }), pricedAt('0.5'))).toBe(5n)
})

test('without a current price, tokens are not said to be worth anything', () => {
  const tokens = positionOf({ balance: '2000000', actions: ['sell'] })
  expect(findWorth(tokens, undefined)).toBeUndefined()
  expect(findWorth(tokens, pricedAt(null))).toBeUndefined()
  expect(findWorth(tokens, pricedAt('0.5', '2026-01-01T00:00:00.000Z'))).toBeUndefined()
  expect(findWorth(positionOf({ actions: ['sell'] }), pricedAt('0.5'))).toBeUndefined()
})

test('a position that brings nothing now says what it waits for', () => {
  const waitsFor = (fields: Partial<Position>, standing: Standing = 'live') =>
    findHindrance(positionOf(fields), standing)
  expect(waitsFor({ deposited: '7' }, 'closed')).toBe('Waits for graduation')
  expect(waitsFor({ deposited: '7' })).toBe('Locked until the sale ends')
  expect(waitsFor({ balance: '1', sellRefusal: REFUSALS.SOLD_OUT })).toBe('Waits for graduation')
  expect(waitsFor({ balance: '1', sellRefusal: REFUSALS.TRADING_PAUSED })).toBe('Trading is paused')
  expect(
    waitsFor({ launch: graduated, claimable: '1', sellRefusal: REFUSALS.TAKES_DEPOSITS }, 'graduated'),
  ).toBe('No pool to sell them in')
  for (const fields of [
    { deposited: '7', actions: ['withdraw'] },
    { deposited: '7', refundable: '7' },
    { launch: graduated, deposited: '7', claimed: '1' },
    { balance: '1', actions: ['sell'] },
    {},
  ])
    expect(waitsFor(fields), JSON.stringify(fields)).toBeUndefined()
})

test('what is owed can be collected, a refund first', () => {
  const stepOf = (fields: Partial<Position>) => findCollection(positionOf(fields))
  expect(stepOf({ refundable: '1', claimable: '1' })).toBe('Get a refund')
  expect(stepOf({ claimable: '1', actions: ['sell'] })).toBe('Claim')
  expect(stepOf({ proceeds: '1' })).toBe('Claim')
  expect(stepOf({ balance: '1', actions: ['buy', 'sell'] })).toBeUndefined()
})

test('balance and positions are summed apart, and what can’t be sold for SOL now is only counted', () => {
  const quoteMint = 'So11111111111111111111111111111111111111112'
  const positions = [
    positionOf({ genesisAddress: 'priced', quoteMint, balance: '2000000', actions: ['sell'] }),
    positionOf({ genesisAddress: 'deposit', quoteMint, deposited: '7', actions: ['withdraw'] }),
    positionOf({ genesisAddress: 'locked', quoteMint, deposited: '8' }),
    positionOf({ genesisAddress: 'sold', quoteMint, deposited: '8', launch: graduated }),
    positionOf({ genesisAddress: 'unpriced', quoteMint, balance: '1', actions: ['sell'] }),
    positionOf({ genesisAddress: 'other', quoteMint: 'other', refundable: '9' }),
    positionOf({ genesisAddress: 'empty', quoteMint }),
  ]
  const activities = new Map([['priced', pricedAt('0.5')]])
  expect(sumWorth({ positions }, activities, 5n)).toEqual({
    isPriced: true,
    balance: 5n,
    positions: 1_000_000_007n,
    leftOut: 3,
  })
  expect(sumWorth({ positions: [] }, new Map(), undefined).balance).toBeUndefined()
})
