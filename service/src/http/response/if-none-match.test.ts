import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesIfNoneMatch } from './if-none-match.ts'

const opaque = fc.string({
  unit: fc.constantFrom(...'abcXYZ019-_.,;:!#$%&()*+/<=>?@[]^`{|}~ é'.replace(' ', '')),
  maxLength: 8,
})
const tag = fc.tuple(fc.boolean(), opaque).map(([weak, text]) => ({ weak, text: `"${text}"` }))
const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ')

test('a list of tags matches if and only if it contains the current one, weak or strong', () => {
  const outcomes = { match: 0, miss: 0 }
  fc.assert(
    fc.property(
      fc.array(tag, { maxLength: 6 }),
      tag,
      fc.boolean(),
      fc.nat(),
      separator,
      (others, current, isHeld, place, between) => {
        const tags = others.filter(({ text }) => text !== current.text)
        if (isHeld) tags.splice(place % (tags.length + 1), 0, current)
        const header = tags.map(({ weak, text }) => (weak ? `W/${text}` : text)).join(between)
        outcomes[isHeld ? 'match' : 'miss'] += 1
        expect(matchesIfNoneMatch(header, current.text)).toBe(isHeld)
      },
    ),
    { numRuns: 400 },
  )
  // Both outcomes must be common, or the test would prove little.
  expect(Math.min(outcomes.match, outcomes.miss)).toBeGreaterThan(80)
})

test('a tag that is a prefix, a suffix or another case of the current one does not match', () => {
  fc.assert(
    fc.property(opaque, fc.constantFrom('x', ',', '-gzip', 'W/'), (text, added) => {
      for (const near of [`${text}${added}`, `${added}${text}`])
        expect(matchesIfNoneMatch(`"${near}"`, `"${text}"`)).toBe(false)
    }),
  )
  expect(matchesIfNoneMatch('"A"', '"a"')).toBe(false)
})

test('a star matches every tag, and an absent header matches none', () => {
  expect(matchesIfNoneMatch('*', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(' * ', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(undefined, '"a"')).toBe(false)
})

test('a malformed list matches only up to its first error', () => {
  for (const header of ['', 'a', 'a, b', '"a', 'W/', '"b""a', '"a-gzip"', 'w/"a"', '"b" "a", x'])
    expect([header, matchesIfNoneMatch(header, '"a"')]).toEqual([header, header === '"b" "a", x'])
})

test('a hostile header takes time linear in its length', () => {
  const start = performance.now()
  matchesIfNoneMatch('"x",'.repeat(100_000), '"a"')
  matchesIfNoneMatch(','.repeat(400_000), '"a"')
  matchesIfNoneMatch(' '.repeat(400_000), '"a"')
  expect(performance.now() - start).toBeLessThan(500)
})
