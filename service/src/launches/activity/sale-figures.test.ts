import { expect, test } from 'vitest'
import type { StoredFigures } from '../../store/activity.ts'
import { createSaleFigures } from './sale-figures.ts'

/** A curve that counts 30 quote and 250 base tokens on top of its own. */
const stateOf = (raised: number, sold: number, creatorFees: string | null = null): StoredFigures => ({
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
  const toFigures = createSaleFigures(total, states)
  expect(toFigures?.({ raised: 5n, sold: 140n, creatorFees: 1n }, undefined)).toEqual({
    ...stateOf(5, 140, '1'),
    progress: 175_000,
  })
})

test('fees that trades don’t explain are those that were read', () => {
  const toFigures = createSaleFigures(total, { newest: [stateOf(12, 300, '9')], onSale: stateOf(1, 2) })
  const sums = { raised: 5n, sold: 140n, creatorFees: 1n }
  expect(toFigures?.(sums, stateOf(4, 130, '8'))).toMatchObject({ raised: '5', creatorFees: '8' })
  expect(toFigures?.(sums, undefined)).toMatchObject({ raised: '5', creatorFees: null })
})

test('trades that do not lead to any state that was read say nothing about the figures', () => {
  const onSale = stateOf(12, 300)
  expect(createSaleFigures(total, { newest: [stateOf(12, 301), stateOf(11, 300)], onSale })).toBeUndefined()
  expect(createSaleFigures(total, { newest: [], onSale })).toBeUndefined()
  expect(createSaleFigures(total, { newest: [stateOf(12, 300)], onSale: undefined })).toBeUndefined()
})
