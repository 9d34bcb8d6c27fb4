import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto'
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

test('ES256 signs as in appendix A.2.5 of RFC 6979', () => {
  const { sign } = parse({
    kty: 'EC',
    crv: 'P-256',
    d: base64url('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721'),
    x: base64url('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6'),
    y: base64url('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299'),
  })
  expect(
    Buffer.from(sign(Buffer.from('sample')))
      .toString('hex')
      .toUpperCase(),
  ).toBe(
    'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716' +
      'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
  )
})

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

test.each([
  ['ES256', ec, 'sha256'],
  ['EdDSA', okp, null],
])('%s signatures are the same every time, and OpenSSL verifies them', (_alg, jwk, digest) => {
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  for (let round = 0; round < 20; round += 1) {
    const bytes = Buffer.from(`message ${round}`)
    const signature = parse(jwk).sign(bytes)
    expect(Buffer.from(parse(jwk).sign(bytes))).toEqual(Buffer.from(signature))
    expect(verify(digest, bytes, publicKey, signature)).toBe(true)
  }
})
