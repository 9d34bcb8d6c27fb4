import { expect, test } from 'vitest'
import { shapeOf } from './curve.tsx'

/** Half of the tokens have been sold, from reserves of 30 and 1,200 whole tokens. */
const figures = {
  raised: `${15n * 10n ** 9n}`,
  sold: `${400n * 10n ** 6n}`,
  supply: `${800n * 10n ** 6n}`,
  quoteDecimals: 9,
  baseDecimals: 6,
}
const virtual = { quote: `${30n * 10n ** 9n}`, base: `${400n * 10n ** 6n}` }

test('a curve’s price is known from the first token to the last, with what was raised by then', () => {
  const shape = shapeOf(figures, virtual)
  expect(shape?.at(0)).toEqual({ share: 0, price: 30 / 1_200, raised: 0 })
  expect(shape?.now).toEqual({ share: 0.5, price: 45 / 800, raised: 15 })
  expect(shape?.at(0.5)).toEqual(shape?.now)
  expect(shape?.at(1)).toEqual({ share: 1, price: 90 / 400, raised: 60 })
})

test('a curve that sells nothing, or whose last token has no price, has no shape', () => {
  expect(shapeOf({ ...figures, supply: '0', sold: '0' }, virtual)).toBeUndefined()
  expect(shapeOf(figures, { ...virtual, base: '0' })).toBeUndefined()
})
