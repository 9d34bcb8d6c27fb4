import { expect, test } from 'vitest'
import { saleEndOf } from './sale-end.ts'

const [PLANNED, RECORDED] = ['2026-03-01T10:00:00.000Z', '2026-03-02T12:00:00.000Z']

test('a sale ended when its terms say, even if the chain took note of it later', () => {
  const nowMs = Date.parse('2026-03-03T00:00:00.000Z')
  expect(saleEndOf(RECORDED, PLANNED, nowMs)).toBe(PLANNED)
  expect(saleEndOf(RECORDED, undefined, nowMs)).toBe(RECORDED)
  // It was ended early.
  expect(saleEndOf(PLANNED, RECORDED, nowMs)).toBe(PLANNED)
  // What is to come is the API's to say.
  expect(saleEndOf(RECORDED, PLANNED, Date.parse('2026-03-02T00:00:00.000Z'))).toBe(RECORDED)
})
