import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

test('every time is written as toISOString writes it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), time => {
      expect(isoTime(time)).toBe(time.toISOString())
    }),
  )
})

test('times on more days than are kept in memory are written correctly', () => {
  const times = Array.from({ length: 25_000 }, (_, day) => new Date(day * 86_400_001))
  expect(times.map(isoTime)).toEqual(times.map(time => time.toISOString()))
})

test('an invalid time is refused, as by toISOString', () => {
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError)
})
