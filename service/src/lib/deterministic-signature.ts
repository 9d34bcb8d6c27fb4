import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

/** Makes the signature of a JWS. */
type Sign = (bytes: Uint8Array) => Uint8Array

/**
 * Signs with ES256 or EdDSA so that the same bytes always get the same signature, on every node. Ed25519 is
 * deterministic by design. For ES256, Node always uses a random nonce, so `@noble/curves` signs instead, with
 * the nonce of RFC 6979.
 */
export function createDeterministicSign(privateKey: KeyObject): Sign {
  if (privateKey.asymmetricKeyType === 'ed25519') return bytes => sign(null, bytes, privateKey)
  const scalar = Buffer.from(privateKey.export({ format: 'jwk' }).d as string, 'base64url')
  const signEs256: Sign = bytes =>
    p256.sign(createHash('sha256').update(bytes).digest(), scalar).toBytes('compact')
  // The first signature takes much longer than others, so it is made here and not for a request.
  const sample = Buffer.from('sample')
  const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', sample, key, signEs256(sample)))
    throw new Error('OpenSSL refuses a signature of @noble/curves')
  return signEs256
}
