import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestJson } from './digest-json.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('the examples of RFC 8785 have the digest of their canonical form', () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  )
  expect(digestJson(value)).toBe(
    sha256(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ),
  )
  const sorted =
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin","€":"Euro","😀":"Smiley","\ufb33":"Hebrew"}'
  const unsorted = Object.fromEntries(Object.entries(JSON.parse(sorted)).reverse())
  expect(digestJson(unsorted)).toBe(sha256(sorted))
})

test('JSON without a canonical form has no digest', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  for (const text of ['"\\ud800"', '{"\\udc00":1}', '1e400', '[-1e400]', deep])
    expect(digestJson(JSON.parse(text))).toBeUndefined()
  expect(digestJson(undefined)).toBeUndefined()
})
