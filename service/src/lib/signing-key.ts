import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

/** A public key as a JWK set publishes it. It has no other members, so that nothing private can slip in. */
export interface PublicJwk {
  kty: string
  crv: string
  x: string
  y?: string
  kid: string
  alg: 'ES256' | 'EdDSA'
  use: 'sig'
}

export interface SigningKey {
  privateKey: KeyObject
  publicJwk: PublicJwk
}

/** Parses a private JWK for ES256 or EdDSA. Throws if it is anything else. */
export function parseSigningKey(text: string): SigningKey {
  const jwk = JSON.parse(text) as JsonWebKey
  const publicJwk = toPublicJwk(jwk)
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  assertPair(privateKey, createPublicKey({ key: { ...publicJwk }, format: 'jwk' }))
  return { privateKey, publicJwk }
}

/**
 * Parses a JWK, an array of JWKs or a JWK set. Only the public half of a private key is kept. Throws if a key is
 * invalid.
 */
export function parsePublicJwks(text: string): PublicJwk[] {
  const value = JSON.parse(text) as JsonWebKey | JsonWebKey[] | { keys: JsonWebKey[] }
  const jwks = Array.isArray(value) ? value : 'keys' in value ? (value.keys as JsonWebKey[]) : [value]
  return jwks.map(jwk => {
    const publicJwk = toPublicJwk(jwk as JsonWebKey)
    createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
    return publicJwk
  })
}

/** A new private JWK for ES256, as text. */
export function createSigningKeyText(): string {
  const key = createECDH('prime256v1')
  const point = key.generateKeys()
  // A private key with leading zeros comes without them.
  const d = Buffer.concat([Buffer.alloc(P256_BYTES), key.getPrivateKey()]).subarray(-P256_BYTES)
  return JSON.stringify({
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 1 + P256_BYTES).toString('base64url'),
    y: point.subarray(1 + P256_BYTES).toString('base64url'),
    d: d.toString('base64url'),
    alg: 'ES256',
    use: 'sig',
  })
}

/** Length of a private key and of each coordinate. The point has one more byte in front of its coordinates. */
const P256_BYTES = 32

const ALGORITHMS = {
  'EC P-256': { alg: 'ES256', names: ['ES256'] },
  'OKP Ed25519': { alg: 'EdDSA', names: ['EdDSA', 'Ed25519'] },
} as const

const KID = /^[\x21-\x7e]{1,128}$/

function toPublicJwk({ kty, crv, x, y, kid, alg }: JsonWebKey): PublicJwk {
  const algorithm = ALGORITHMS[`${kty} ${crv}` as keyof typeof ALGORITHMS]
  if (!kty || !crv || !x || !algorithm) throw new Error('not a key for ES256 or EdDSA')
  if (alg !== undefined && !algorithm.names.some(name => name === alg))
    throw new Error('the algorithm does not fit the key')
  if (kid !== undefined && !(typeof kid === 'string' && KID.test(kid)))
    throw new Error('the kid is not printable')
  const point = kty === 'EC' ? { x, y: y as string } : { x }
  return {
    kty,
    crv,
    ...point,
    kid: (kid as string | undefined) ?? thumbprint({ crv, kty, ...point }),
    alg: algorithm.alg,
    use: 'sig',
  }
}

/** RFC 7638. The members are in alphabetical order. */
const thumbprint = (members: object) =>
  createHash('sha256').update(JSON.stringify(members)).digest('base64url')

/** Node accepts a JWK whose public half belongs to another key; its signatures would never verify. */
function assertPair(privateKey: KeyObject, publicKey: KeyObject) {
  const digest = privateKey.asymmetricKeyType === 'ec' ? 'sha256' : null
  const sample = Buffer.from('sample')
  if (!verify(digest, sample, publicKey, sign(digest, sample, privateKey)))
    throw new Error('the public half belongs to another key')
}
