import { expect, test } from 'vitest'
import type { Encoding, Representation } from '../../endpoint/representation.ts'
import { acceptableEncodings, chooseRepresentation } from './choose-representation.ts'

test.each<[string | undefined, Encoding[]]>([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br', 'identity']],
  ['gzip;q=0', ['identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0.5, br;q=0', ['gzip', 'identity']],
  ['identity;q=0, gzip', ['gzip']],
  ['identity, gzip;q=0.5', ['identity', 'gzip']],
  ['GZIP ; Q=0.3', ['gzip', 'identity']],
  ['gzip;q=nonsense', ['identity']],
])('Accept-Encoding %j prefers %j', (header, encodings) => {
  expect(acceptableEncodings(header)).toEqual(encodings)
})

const representation = (encoding: Encoding): Representation => ({
  encoding,
  etag: `"tag-${encoding}"`,
  parts: [],
  length: 0,
})

test('what is not ready is not chosen, and identity is sent where nothing else can be', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'br, gzip;q=0.5', undefined).representation.encoding).toBe('gzip')
  expect(chooseRepresentation(snapshot, 'br, identity;q=0', undefined).representation.encoding).toBe(
    'identity',
  )
})

test("an ETag of an encoding that the caller does not accept is not the caller's", () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'identity', '"tag-gzip"').notModified).toBe(false)
  expect(chooseRepresentation(snapshot, 'gzip', '"tag-gzip"').notModified).toBe(true)
})
