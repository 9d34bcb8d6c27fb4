import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
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

/** Parses a JWK, an array of JWKs or a JWK set. Of private keys, only the public half is kept. Throws if one is invalid. */
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
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' })
}

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
