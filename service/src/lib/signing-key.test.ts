import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { createSigningKeyText, parsePublicJwks, parseSigningKey } from './signing-key.ts'

async function make(alg: 'ES256' | 'ES384' | 'EdDSA') {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return exportJWK(privateKey)
}
const [ec, other, okp] = [await make('ES256'), await make('ES256'), await make('EdDSA')]
const parse = (jwk: object) => parseSigningKey(JSON.stringify(jwk))

test('the command in the documentation prints a key', () => {
  const docs = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const [, script] = /This prints a new key:\n\n```sh\nnode -e "([^"]+)"\n```/.exec(docs) ?? []
  const text = execFileSync(process.execPath, ['-e', script as string], { encoding: 'utf8' })
  expect(parseSigningKey(text).publicJwk.alg).toBe('ES256')
  expect(docs).not.toContain('generateKeyPairSync')
})

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
  ['another curve', await make('ES384')],
  ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
  ['halves of two keys', { ...ec, x: other.x, y: other.y }],
  ['halves of two Ed25519 keys', { ...okp, x: (await make('EdDSA')).x }],
  ['a point that is not on the curve', { ...ec, y: ec.x }],
  ['another algorithm', { ...ec, alg: 'ES384' }],
  ['an unprintable kid', { ...ec, kid: 'a\nb' }],
  ['an array', [ec]],
])('%s is refused as a signing key', (_what, jwk) => {
  expect(() => parse(jwk)).toThrow()
})

test('a generated key signs with ES256, even if it starts with zeros', () => {
  // One key in 256 starts with a zero.
  for (let at = 0; at < 1_000; at += 1) {
    const text = createSigningKeyText()
    expect(JSON.parse(text).d).toHaveLength(43)
    expect(parseSigningKey(text).publicJwk.alg).toBe('ES256')
  }
})
