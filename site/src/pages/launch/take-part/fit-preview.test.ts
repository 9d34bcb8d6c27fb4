import { expect, test } from 'vitest'
import { fitPreview } from './fit-preview.ts'

const position = { quoteDecimals: 9, baseDecimals: 6, entitled: '4' }
const cost = { paid: '10', fee: '1', penalty: '0', credited: '9' }

test('what the service may leave out of a preview has a value', () => {
  expect(fitPreview({ cost, position }, 'deposit')).toMatchObject({
    cost,
    partial: false,
    position: { entitled: '4', deposited: '0', share: 0 },
  })
  expect(fitPreview({ receives: '8', position }, 'withdraw')).toMatchObject({ receivesAtLeast: '8' })
})

test.each([
  ['deposit', { position }],
  ['deposit', { cost: { ...cost, credited: undefined }, position }],
  ['deposit', { cost: { ...cost, paid: '1.5' }, position }],
  ['deposit', { cost }],
  ['withdraw', { position }],
  ['withdraw', { receives: 8, position }],
  ['withdraw', { receives: '8' }],
  ['withdraw', null],
] as const)('a preview without an amount counts as no answer (%s, %j)', (way, answer) => {
  expect(() => fitPreview(answer, way)).toThrow('The service sent an incomplete answer')
})
