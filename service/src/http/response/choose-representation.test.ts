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

test('an encoding that is not ready is not chosen, and identity is sent if nothing else is possible', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'br, gzip;q=0.5', undefined).representation.encoding).toBe('gzip')
  expect(chooseRepresentation(snapshot, 'br, identity;q=0', undefined).representation.encoding).toBe(
    'identity',
  )
})

test('the ETag of an encoding that the client does not accept does not match', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'identity', '"tag-gzip"').notModified).toBe(false)
  expect(chooseRepresentation(snapshot, 'gzip', '"tag-gzip"').notModified).toBe(true)
})

test('an outdated ETag gets the preferred encoding in full, and one of an older encoding still matches', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  for (const outdated of ['"outdated"', '"outdated-1", W/"outdated-2"']) {
    const { representation: chosen, notModified } = chooseRepresentation(snapshot, 'gzip', outdated)
    expect([chosen.encoding, notModified]).toEqual(['gzip', false])
  }
  const held = chooseRepresentation(snapshot, 'gzip', '"outdated", "tag-identity"')
  expect([held.representation.encoding, held.notModified]).toEqual(['identity', true])
})
