import { createPublicKey, verify } from 'node:crypto'

/**
 * Whether a signature over a message was made with a key. Stricter than the chain: a key that is not the canonical
 * encoding of a point, or whose point has a small order, verifies nothing, because anyone can sign for such a key (the
 * address of 32 zeros is one). OpenSSL compares R byte for byte and refuses an S that is not reduced, so a valid
 * signature can't be turned into another one.
 */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== KEY_BYTES || signature.length !== 2 * KEY_BYTES) return false
  if (!isCanonical(key) || SMALL_ORDER.has(hexWithoutSign(key))) return false
  try {
    const x = Buffer.from(key).toString('base64url')
    return verify(
      null,
      message,
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
      signature,
    )
  } catch {
    // The bytes are not a point of the curve.
    return false
  }
}

const KEY_BYTES = 32
const SIGN = 0x80

/** The y coordinates of the points whose order divides eight, in the canonical encoding without the sign of x. */
const SMALL_ORDER = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

/** Whether y is below 2^255 - 19. A second encoding of the same point would be a second key for the same wallet. */
function isCanonical(key: Uint8Array): boolean {
  const isHigh = ((key[31] as number) | SIGN) === 0xff && key.subarray(1, 31).every(byte => byte === 0xff)
  return !isHigh || (key[0] as number) < 0xed
}

function hexWithoutSign(key: Uint8Array): string {
  const bytes = Buffer.from(key)
  bytes[31] = (bytes[31] as number) & ~SIGN
  return bytes.toString('hex')
}
