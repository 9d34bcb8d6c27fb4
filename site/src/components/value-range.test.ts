import { expect, test } from 'vitest'
import { valueRange } from './value-range.ts'

test('an axis ends at whole steps around the values', () => {
  expect(valueRange(2, 97, true)).toEqual([0, 100])
  expect(valueRange(0, 9, true)).toEqual([0, 10])
  expect(valueRange(61, 83, false)).toEqual([60, 90])
})

test('a small change of a price is not drawn as a leap', () => {
  const [low, high] = valueRange(1_000, 1_001, false)
  expect(high - low).toBeGreaterThanOrEqual(100)
})

test('an axis of prices never goes below zero, and every axis has a height', () => {
  for (const isFromZero of [true, false]) {
    const [bottom, top] = valueRange(0, 0, isFromZero)
    expect(top).toBeGreaterThan(bottom)
  }
  expect(valueRange(0.01, 1, false)[0]).toBe(0)
})
