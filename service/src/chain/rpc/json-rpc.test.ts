import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from './json-rpc.ts'

test('large integers keep all digits, and strings are unchanged', () => {
  const text =
    '{"a":18446744073709551615,"b":[9007199254740993,-9007199254740993],"c":"x 18446744073709551615 \\" 9007199254740993 \\\\","d":1e20,"e":0.12345678901234567890,"f":12,"9007199254740993":1234567890123456.5}'
  expect(parseExactJson(text)).toEqual({
    a: '18446744073709551615',
    b: ['9007199254740993', '-9007199254740993'],
    c: 'x 18446744073709551615 " 9007199254740993 \\',
    d: 1e20,
    e: 0.12345678901234568,
    f: 12,
    '9007199254740993': 1234567890123456.5,
  })
})

test('JSON without large integers is parsed as usual', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
      const text = JSON.stringify(value)
      const isSmall = !/(?<![\d.eE+-])-?\d{16,}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ''))
      fc.pre(isSmall)
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('every u64 is parsed exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.string(), (amount, name) => {
      const { lamports, said } = parseExactJson(
        `{"lamports":${amount},"said":${JSON.stringify(name)}}`,
      ) as Record<string, string>
      expect(BigInt(lamports as string)).toBe(amount)
      expect(said).toBe(name)
    }),
  )
})

test('invalid JSON is refused', () => {
  for (const text of ['', '{', '"abc', '{"a":18446744073709551615', '<html>'])
    expect(() => parseExactJson(text)).toThrow()
})
