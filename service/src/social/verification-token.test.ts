import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createVerificationTokens } from './verification-token.ts'

const SECRET = 'the secret that is signed with now, 32 bytes or more'
const PREVIOUS = 'the secret that was signed with before, 32 or more'
const AUDIENCE = 'slipway'
const NOW_MS = 1_800_000_000_500
const NOW = Math.floor(NOW_MS / 1_000)

let nowMs = NOW_MS
const now = () => nowMs
const at = (ms: number) => {
  nowMs = ms
}

function createTokens(options: { secret?: string; previousSecret?: string; audience?: string } = {}) {
  at(NOW_MS)
  return createVerificationTokens({ secret: SECRET, audience: AUDIENCE, now, ...options })
}

const CLAIMS = { sub: 'harbourmaster', aud: AUDIENCE, jti: 'an-id', iat: NOW, exp: NOW + 600 }

/** A token with any claims, header and key. */
function forge(
  claims: Record<string, unknown>,
  { header = {}, secret = SECRET, hash = 'sha256' }: { header?: object; secret?: string; hash?: string } = {},
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

describe('a valid token', () => {
  test('returns the username for exactly ten minutes', async () => {
    const tokens = createTokens()
    const token = await tokens.issue('Harbour_Master')
    const expected = {
      username: 'Harbour_Master',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      expiresAt: new Date((NOW + 600) * 1_000),
    }
    expect(await tokens.verify(token)).toEqual(expected)
    at((NOW + 600) * 1_000 - 1)
    expect(await tokens.verify(token)).toEqual(expected)
    at((NOW + 600) * 1_000)
    expect(await tokens.verify(token)).toBeUndefined()
  })

  test('is a standard HS256 JWT with subject, audience, times and a unique id', async () => {
    const tokens = createTokens()
    const [one, two] = [await tokens.issue('a'), await tokens.issue('a')]
    expect(decodeProtectedHeader(one)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decodeJwt(one)).toEqual({
      sub: 'a',
      aud: AUDIENCE,
      iat: NOW,
      exp: NOW + 600,
      jti: expect.any(String),
    })
    expect(decodeJwt(one).jti).not.toBe(decodeJwt(two).jti)
    const { payload } = await jwtVerify(one, Buffer.from(SECRET), { currentDate: new Date(NOW_MS) })
    expect(payload.sub).toBe('a')
  })

  test('can be forged with the right secret, so the tests below fail for the reason they name', async () => {
    expect(await createTokens().verify(forge(CLAIMS))).toEqual({
      username: 'harbourmaster',
      id: 'an-id',
      expiresAt: new Date((NOW + 600) * 1_000),
    })
  })
})

describe('rejects', () => {
  const { sub: _s, ...withoutSub } = CLAIMS
  const { jti: _j, ...withoutJti } = CLAIMS
  const { aud: _a, ...withoutAud } = CLAIMS
  const { exp: _e, ...withoutExp } = CLAIMS
  const { iat: _i, ...withoutIat } = CLAIMS

  test.each<[string, Record<string, unknown>]>([
    ['an expired token', { ...CLAIMS, exp: NOW }],
    ['a token that is not valid yet', { ...CLAIMS, nbf: NOW + 6 }],
    ['a token issued in the future', { ...CLAIMS, iat: NOW + 6 }],
    ['a lifetime over ten minutes', { ...CLAIMS, exp: NOW + 601 }],
    ['a token issued over ten minutes ago', { ...CLAIMS, iat: NOW - 606, exp: NOW + 1 }],
    ['another audience', { ...CLAIMS, aud: 'another' }],
    ['no audience', withoutAud],
    ['no subject', withoutSub],
    ['no id', withoutJti],
    ['no expiry', withoutExp],
    ['no issue time', withoutIat],
    ['an invalid username', { ...CLAIMS, sub: 'two words' }],
    ['a username that is a number', { ...CLAIMS, sub: 7 }],
    ['an empty id', { ...CLAIMS, jti: '' }],
    ['an id that is a number', { ...CLAIMS, jti: 7 }],
    ['a long id', { ...CLAIMS, jti: 'x'.repeat(65) }],
    ['an id that can not be stored', { ...CLAIMS, jti: 'an-id\u0000' }],
    ['an expiry that is text', { ...CLAIMS, exp: `${NOW + 600}` }],
    ['an expiry beyond any date', { ...CLAIMS, exp: 1e300 }],
  ])('%s', async (_, claims) => {
    const verified = await createTokens().verify(forge(claims))
    expect(verified).toBeUndefined()
  })

  test('a clock over five seconds ahead of ours; a clock behind ours extends no lifetime', async () => {
    const tokens = createTokens()
    expect(await tokens.verify(forge({ ...CLAIMS, iat: NOW + 5, nbf: NOW + 5 }))).toBeDefined()
    expect(await tokens.verify(forge({ ...CLAIMS, iat: NOW - 599, exp: NOW + 1 }))).toBeDefined()
    expect(await tokens.verify(forge({ ...CLAIMS, iat: NOW - 600, exp: NOW }))).toBeUndefined()
  })

  test('alg none, with a signature and without', async () => {
    const tokens = createTokens()
    const unsigned = forge(CLAIMS, { header: { alg: 'none' } })
    expect(await tokens.verify(unsigned)).toBeUndefined()
    expect(await tokens.verify(unsigned.replace(/[^.]*$/, ''))).toBeUndefined()
    expect(await tokens.verify((await tokens.issue('a')).replace(/[^.]*$/, ''))).toBeUndefined()
  })

  test('other algorithms: HS512, HS384 and RS256 with our secret, and RS256 with a real key', async () => {
    const tokens = createTokens()
    for (const [alg, hash] of [
      ['HS512', 'sha512'],
      ['HS384', 'sha384'],
      ['RS256', 'sha256'],
      ['hs256', 'sha256'],
    ] as const)
      expect(await tokens.verify(forge(CLAIMS, { header: { alg }, hash }))).toBeUndefined()
    const { privateKey } = await generateKeyPair('RS256')
    const asymmetric = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    expect(await tokens.verify(asymmetric)).toBeUndefined()
  })

  test('a key in the header of the token, and an unknown critical header', async () => {
    const tokens = createTokens()
    const k = Buffer.from('their own secret, of 32 bytes or more').toString('base64url')
    const header = { jwk: { kty: 'oct', k }, kid: '../../dev/null' }
    const own = forge(CLAIMS, { header, secret: 'their own secret, of 32 bytes or more' })
    expect(await tokens.verify(own)).toBeUndefined()
    expect(await tokens.verify(forge(CLAIMS, { header: { crit: ['x'], x: 1 } }))).toBeUndefined()
  })

  test('a changed payload, a changed header, a changed signature', async () => {
    const tokens = createTokens()
    const [header = '', payload = '', signature = ''] = (await tokens.issue('harbourmaster')).split('.')
    const other = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'somebody' })).toString('base64url')
    const otherHeader = Buffer.from('{"alg":"HS256"}').toString('base64url')
    const flipped = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    expect(await tokens.verify(`${header}.${payload}.${signature}`)).toBeDefined()
    expect(await tokens.verify(`${header}.${other}.${signature}`)).toBeUndefined()
    expect(await tokens.verify(`${otherHeader}.${payload}.${signature}`)).toBeUndefined()
    expect(await tokens.verify(`${header}.${payload}.${flipped}`)).toBeUndefined()
    expect(await tokens.verify(`${header}.${payload}.${signature}x`)).toBeUndefined()
  })

  test.each([
    '',
    '.',
    '..',
    '...',
    'x',
    'x.y.z',
    'e30.e30.e30',
    ' ',
    'null',
    '{"alg":"none"}',
    'eyJhbGciOiJIUzI1NiJ9..',
  ])('garbage: %j', async text => {
    expect(await createTokens().verify(text)).toBeUndefined()
  })

  test('a huge token, quickly', async () => {
    const tokens = createTokens()
    const before = process.cpuUsage()
    expect(await tokens.verify(forge({ ...CLAIMS, more: 'x'.repeat(10_000) }))).toBeUndefined()
    expect(await tokens.verify('a.'.repeat(2_000_000))).toBeUndefined()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
  })

  test('any other text, without throwing', async () => {
    const tokens = createTokens()
    const claim = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()))
    const claims = fc.record({ sub: claim, aud: claim, jti: claim, iat: claim, exp: claim, nbf: claim })
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string(), fc.string(), fc.string()).map(parts => parts.join('.')),
      claims.map(value => forge(value)),
      fc.json().map(value => forge({ ...CLAIMS, aud: value })),
      fc.dictionary(fc.string(), fc.jsonValue()).map(header => forge(CLAIMS, { header, secret: PREVIOUS })),
    )
    await fc.assert(
      fc.asyncProperty(text, async text => {
        expect(await tokens.verify(text)).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })
})

describe('rotation', () => {
  test('the previous secret verifies old tokens until it is removed; new tokens use the new secret', async () => {
    const old = await createTokens({ secret: PREVIOUS }).issue('early')
    const rotated = createTokens({ previousSecret: PREVIOUS })
    expect(await rotated.verify(old)).toMatchObject({ username: 'early' })
    const fresh = await rotated.issue('late')
    expect(await createTokens().verify(fresh)).toMatchObject({ username: 'late' })
    expect(await createTokens().verify(old)).toBeUndefined()
    expect(await createTokens({ secret: PREVIOUS }).verify(fresh)).toBeUndefined()
  })

  test('a token of the previous secret gets the same checks', async () => {
    const rotated = createTokens({ previousSecret: PREVIOUS })
    expect(await rotated.verify(forge(CLAIMS, { secret: PREVIOUS }))).toBeDefined()
    for (const claims of [
      { ...CLAIMS, exp: NOW },
      { ...CLAIMS, aud: 'another' },
      { ...CLAIMS, sub: '' },
    ])
      expect(await rotated.verify(forge(claims, { secret: PREVIOUS }))).toBeUndefined()
    const none = forge(CLAIMS, { secret: PREVIOUS, header: { alg: 'HS512' }, hash: 'sha512' })
    expect(await rotated.verify(none)).toBeUndefined()
  })

  test('a token of an unknown secret is rejected', async () => {
    const foreign = await createTokens({ secret: 'a secret that is not configured here, 32+' }).issue('a')
    expect(await createTokens({ previousSecret: PREVIOUS }).verify(foreign)).toBeUndefined()
  })
})
