import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSearchWords } from './search-words.ts'

test.each([
  ['Tidewatch', 'tidewatch'],
  ['  Café—Bot!! ', 'cafe bot'],
  ['CAFE\u0301', 'cafe'],
  ['ﬁne №5', 'fine no5'],
  ['%_\\*?.', ''],
  ['a\0b', 'a b'],
  ["'; DROP TABLE agents; --", 'drop table agents'],
])('%j is searched as %j', (text, words) => {
  expect(toSearchWords(text, 100)).toBe(words)
})

test('letters of every script and emoji can be searched', () => {
  for (const text of ['тир', '北京', '🤖', 'ελ']) expect(toSearchWords(text, 100)).toMatch(/^([0-9a-z]{4})+$/)
  expect(toSearchWords('тир', 100)).not.toBe(toSearchWords('тит', 100))
})

test('the result has letters, digits and single spaces only, and is never too long', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 1, max: 64 }),
      (text, max) => {
        const words = toSearchWords(text, max)
        expect(words).toMatch(/^([0-9a-z]+( [0-9a-z]+)*)?$/)
        expect(words.length).toBeLessThanOrEqual(max)
      },
    ),
  )
})
