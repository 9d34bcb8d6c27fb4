import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName, cleanText, cleanToken } from './clean-text.ts'

test.each([
  ['plain', 'Orchard Ledger', 'Orchard Ledger'],
  ['other scripts and emoji', 'Ärzte 東京 🦊', 'Ärzte 東京 🦊'],
  ['blanks at both ends', ' \u00a0\u3000 Ada\t', 'Ada'],
  ['direction', 'USDC\u202e\u2066\u200f\u061c', 'USDC'],
  ['zero width', 'U\u200bS\u200cD\u200dC\u2060\ufeff', 'USDC'],
  ['soft hyphen, filler, variation selector', 'US\u00adD\u3164C\ufe0f', 'USDC'],
  ['tags', 'USDC\u{e0041}\u{e007f}', 'USDC'],
  ['control characters', 'U\0S\u001b[31mD\u009bC', 'US[31mDC'],
  ['decomposed', 'e\u0301tude', 'étude'],
  ['decomposed around a zero-width character', 'e\u200b\u0301tude', 'étude'],
  ['several lines', 'one\r\n\ttwo\u2028three', 'one two three'],
  ['a lone surrogate', 'A\ud800', 'A\ufffd'],
  ['joined emoji', '👨\u200d👩\u200d👧', '👨👩👧'],
])('a name is shown clean: %s', (_, name, shown) => {
  expect(cleanName(name)).toBe(shown)
})

test.each([
  ['', ' ', '\u200b', '\u202e \u2069', '\0\0', '\u3164\u2060'],
  [7, null, undefined, {}, ['a']],
])('a name that is empty once cleaned counts as missing', (...names) => {
  for (const name of names)
    expect([name, cleanName(name), cleanText(name)]).toEqual([name, undefined, undefined])
})

test('a description keeps its lines and tabs', () => {
  expect(cleanText(' one\r\n\ttwo\u2029\rthree\u202e\u0007\n')).toBe('one\n\ttwo\n\nthree')
})

test('a text is cut to its maximum length', () => {
  expect(cleanName('abcdef', 3)).toBe('abc')
  expect(cleanName('ab😀', 3)).toBe('ab\ufffd')
  expect(cleanText('ab cd', 3)).toBe('ab')
})

test('a token is shown clean, and missing fields are empty', () => {
  const token = {
    address: 'mint' as never,
    name: ' A\u200b',
    symbol: '\u202e',
    image: 'x',
    description: 'a\nb ',
  }
  expect(cleanToken(token)).toEqual({ ...token, name: 'A', symbol: '', description: 'a\nb' })
})

test('whatever the text, the result is visible, trimmed, composed and stable', () => {
  const unseen = fc.constantFrom(
    ...'\0\t\n\r\u001b\u007f\u0085\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u202e\u2028\u2066\u3164\ufe0f\ufeff\ufff9',
    '\u{e0001}',
  )
  const mark = fc.constantFrom('\u0301', '\u0323', 'e', 'ö', 'K', '가')
  const text = fc
    .array(fc.oneof(unseen, mark, fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('\ud83d')))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(text, value => {
      for (const clean of [cleanName, cleanText]) {
        const shown = clean(value)
        if (shown === undefined) continue
        expect(shown).not.toMatch(
          clean === cleanName
            ? /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
            : /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        )
        expect(shown).not.toBe('')
        expect([shown.trim(), shown.normalize('NFC'), clean(shown)]).toEqual([shown, shown, shown])
      }
    }),
    { numRuns: 5_000 },
  )
})
