import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonObject } from './fetched-document.ts'

const parse = (text: string | Buffer) => parseJsonObject(Buffer.from(text as string))

test('a JSON object is parsed with or without a byte order mark', () => {
  expect(parse('{"a":"é"}')).toEqual({ ok: true, value: { a: 'é' }, text: '{"a":"é"}', bytes: 10 })
  expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 }, text: '{"a":1}', bytes: 10 })
})

test.each([
  ['', 'not-json', undefined],
  ['<!doctype html>', 'not-json', undefined],
  ['{"a":', 'not-json', undefined],
  ['{"a":1}{"b":2}', 'not-json', undefined],
  ['[]', 'not-an-object', undefined],
  ['null', 'not-an-object', undefined],
  ['"text"', 'not-an-object', undefined],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'not-json', 'utf-8'],
  [Buffer.from('{"a":1}', 'utf16le'), 'not-json', undefined],
  [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'too-complex', undefined],
  [`{"a":[${'0,'.repeat(20_000)}0]}`, 'too-complex', undefined],
  [`{"a":[${'{},'.repeat(10_000)}0]}`, 'too-complex', undefined],
  ['['.repeat(500_000), 'too-complex', undefined],
])('%j is %s', (text, reason, detail) => {
  expect(parse(text)).toEqual({ ok: false, reason, ...(detail && { detail }) })
})

test('brackets and commas in strings do not count', () => {
  expect(parse(`{"a":"${'[{'.repeat(1_000)}\\"[","b\\\\":[]}`)).toMatchObject({ ok: true })
  expect(parse(`{"a":"${','.repeat(30_000)}"}`)).toMatchObject({ ok: true })
  expect(parse(`{"a":[${'0,'.repeat(19_000)}0]}`)).toMatchObject({ ok: true })
  expect(parse(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toMatchObject({ ok: true })
})

test('no bytes make it throw, and every object survives unchanged', () => {
  fc.assert(fc.property(fc.uint8Array(), bytes => void parseJsonObject(bytes)))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
      const text = JSON.stringify(value)
      const result = parse(text)
      expect(result.ok && JSON.stringify(result.value)).toBe(text)
    }),
  )
})
