import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesIfNoneMatch } from './if-none-match.ts'

const opaque = fc.string({
  unit: fc.constantFrom(...'abcXYZ019-_.,;:!#$%&()*+/<=>?@[]^`{|}~ é'.replace(' ', '')),
  maxLength: 8,
})
const tag = fc.tuple(fc.boolean(), opaque).map(([weak, text]) => ({ weak, text: `"${text}"` }))
const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ')

test('a list of tags matches exactly when one of them is the current one, weak or not', () => {
  fc.assert(
    fc.property(
      fc.array(tag, { minLength: 1, maxLength: 6 }),
      separator,
      opaque,
      (tags, between, current) => {
        const header = tags.map(({ weak, text }) => (weak ? `W/${text}` : text)).join(between)
        expect(matchesIfNoneMatch(header, `"${current}"`)).toBe(
          tags.some(({ text }) => text === `"${current}"`),
        )
      },
    ),
  )
})

test('a star matches anything, an absent header nothing', () => {
  expect(matchesIfNoneMatch('*', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(' * ', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(undefined, '"a"')).toBe(false)
})

test('what is no list of tags does not match: unquoted, cut off, or a part of another tag', () => {
  for (const header of ['', 'a', 'a, b', '"a', 'W/', '"b""a', '"a-gzip"', 'w/"a"', '"b" "a", x'])
    expect([header, matchesIfNoneMatch(header, '"a"')]).toEqual([header, header === '"b" "a", x'])
})

test('a hostile header costs no more than its length', () => {
  const start = performance.now()
  matchesIfNoneMatch('"x",'.repeat(100_000), '"a"')
  matchesIfNoneMatch(','.repeat(400_000), '"a"')
  matchesIfNoneMatch(' '.repeat(400_000), '"a"')
  expect(performance.now() - start).toBeLessThan(500)
})
