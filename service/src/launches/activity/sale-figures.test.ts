import { expect, test } from 'vitest'
import type { StoredState } from '../../store/activity.ts'
import { createSaleFigures } from './sale-figures.ts'

/** A curve that counts 30 quote and 250 base tokens on top of its own. */
const stateOf = (raised: number, sold: number, creatorFees: string | null = null): StoredState => ({
  launchId: 'launch',
  slot: sold,
  timeMs: sold * 1_000,
  raised: `${raised}`,
  sold: `${sold}`,
  supply: '800',
  priceQuote: `${30 + raised}`,
  priceBase: `${250 + 800 - sold}`,
  progress: 0,
  participants: null,
  creatorFees,
})
const total = { raised: 12n, sold: 300n, creatorFees: 2n }

test('the figures of a curve follow from its trades', () => {
  const states = { newest: [stateOf(13, 310, '3'), stateOf(12, 300, '2')], onSale: stateOf(13, 310, '3') }
  const sale = createSaleFigures(total, states)
  const { raised, sold, supply, priceQuote, priceBase, participants, creatorFees } = stateOf(5, 140, '1')
  expect(sale?.toFigures({ raised: 5n, sold: 140n, creatorFees: 1n }, undefined)).toEqual({
    ...{ raised, sold, supply, priceQuote, priceBase, participants, creatorFees },
    progress: 175_000,
  })
  expect(sale?.untilMs).toBe(300_000)
})

test('fees that trades don’t explain are those that were read', () => {
  const sale = createSaleFigures(total, { newest: [stateOf(12, 300, '9')], onSale: stateOf(1, 2) })
  const sums = { raised: 5n, sold: 140n, creatorFees: 1n }
  expect(sale?.toFigures(sums, stateOf(4, 130, '8'))).toMatchObject({ raised: '5', creatorFees: '8' })
  expect(sale?.toFigures(sums, undefined)).toMatchObject({ raised: '5', creatorFees: null })
})

test('trades that do not lead to any state that was read say nothing about the figures', () => {
  const onSale = stateOf(12, 300)
  expect(createSaleFigures(total, { newest: [stateOf(12, 301), stateOf(11, 300)], onSale })).toBeUndefined()
  expect(createSaleFigures(total, { newest: [], onSale })).toBeUndefined()
  expect(createSaleFigures(total, { newest: [stateOf(12, 300)], onSale: undefined })).toBeUndefined()
})
