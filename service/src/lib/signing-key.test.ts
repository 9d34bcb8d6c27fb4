import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { createSigningKeyText, parsePublicJwks, parseSigningKey } from './signing-key.ts'

const make = (type: 'ec' | 'ed25519', namedCurve = 'P-256'): JsonWebKey =>
  (type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve })
    : generateKeyPairSync('ed25519')
  ).privateKey.export({
    format: 'jwk',
  })
const [ec, other, okp] = [make('ec'), make('ec'), make('ed25519')]
const parse = (jwk: object) => parseSigningKey(JSON.stringify(jwk))

test('the algorithm follows from the key, and the kid is the thumbprint unless it is given', async () => {
  expect(parse(ec).publicJwk).toEqual({
    kty: 'EC',
    crv: 'P-256',
    x: ec.x,
    y: ec.y,
    kid: await calculateJwkThumbprint(ec as never),
    alg: 'ES256',
    use: 'sig',
  })
  expect(parse(okp).publicJwk).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: okp.x,
    kid: await calculateJwkThumbprint(okp as never),
    alg: 'EdDSA',
    use: 'sig',
  })
  expect(parse({ ...okp, kid: 'mine', alg: 'Ed25519' }).publicJwk.kid).toBe('mine')
})

test('only the public half of a key is published, whatever else it has', () => {
  const published = parsePublicJwks(JSON.stringify({ keys: [{ ...ec, k: 'secret', extra: 1 }, okp] }))
  expect(JSON.stringify(published)).not.toContain(ec.d)
  expect(published.map(jwk => Object.keys(jwk).join())).toEqual([
    'kty,crv,x,y,kid,alg,use',
    'kty,crv,x,kid,alg,use',
  ])
  expect(parsePublicJwks(JSON.stringify([ec, okp]))).toEqual(published)
  expect(parsePublicJwks(JSON.stringify(ec))).toEqual([published[0]])
})

test.each([
  ['a public key', { kty: ec.kty, crv: ec.crv, x: ec.x, y: ec.y }],
  ['another curve', make('ec', 'P-384')],
  ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
  ['halves of two keys', { ...ec, x: other.x, y: other.y }],
  ['halves of two Ed25519 keys', { ...okp, x: make('ed25519').x }],
  ['a point that is not on the curve', { ...ec, y: ec.x }],
  ['another algorithm', { ...ec, alg: 'ES384' }],
  ['an unprintable kid', { ...ec, kid: 'a\nb' }],
  ['an array', [ec]],
])('%s is refused as a signing key', (_what, jwk) => {
  expect(() => parse(jwk)).toThrow()
})

test('a generated key signs with ES256', () => {
  expect(parseSigningKey(createSigningKeyText()).publicJwk.alg).toBe('ES256')
})
