import { createPublicKey } from 'node:crypto'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { verifySignature } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifyEd25519 } from './ed25519.ts'

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const P = 2n ** 255n - 19n
const message = Buffer.from('Slipway: replace agent card')

function makeKey() {
  const { secretKey, sign } = createKeypair()
  const key = Buffer.from(secretKey.subarray(32))
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') }
  return { key, publicKey: createPublicKey({ key: jwk, format: 'jwk' }), sign }
}

function toLittleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
}
const fromLittleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

test('a signature is valid for its own key and message only', () => {
  const [mine, other] = [makeKey(), makeKey()]
  const signature = mine.sign(message)
  expect(verifyEd25519(mine.key, message, signature)).toBe(true)
  expect(verifyEd25519(other.key, message, signature)).toBe(false)
  expect(verifyEd25519(mine.key, Buffer.from(`${message} `), signature)).toBe(false)
  for (let bit = 0; bit < 512; bit += 1) {
    const changed = Buffer.from(signature)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(verifyEd25519(mine.key, message, changed)).toBe(false)
  }
  expect(verifyEd25519(mine.key, message, signature.subarray(1))).toBe(false)
  expect(verifyEd25519(mine.key.subarray(1), message, signature)).toBe(false)
})

test('a second signature that follows from a valid one is refused', () => {
  const { key, sign } = makeKey()
  const signature = sign(message)
  const s = fromLittleEndian(signature.subarray(32))
  for (const factor of [1n, 2n, 7n]) {
    const malleated = Buffer.concat([signature.subarray(0, 32), toLittleEndian(s + factor * ORDER)])
    expect(verifyEd25519(key, message, malleated)).toBe(false)
  }
})

/** Every encoding of the eight points of small order, canonical or not, with either sign. */
const SMALL_ORDER = [
  0n,
  1n,
  P - 1n,
  P,
  P + 1n,
  fromLittleEndian(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
  fromLittleEndian(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')),
].flatMap(y => [toLittleEndian(y), toLittleEndian(y + 2n ** 255n)])

test('a key of small order verifies nothing, though anyone could sign for it', () => {
  for (const key of SMALL_ORDER) {
    for (const r of SMALL_ORDER) {
      // With S = 0 the equation holds whenever R cancels a multiple of the key.
      const forged = Buffer.concat([r, Buffer.alloc(32)])
      for (let at = 0; at < 8; at += 1)
        expect(verifyEd25519(key, Buffer.from(`${message} ${at}`), forged)).toBe(false)
    }
  }
})

test('it agrees with the check that wallets and kit use', async () => {
  const { key, publicKey, sign } = makeKey()
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', true, ['verify'])
  expect(publicKey.asymmetricKeyType).toBe('ed25519')
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.option(fc.nat({ max: 511 }), { nil: undefined }),
      async (bytes, flipped) => {
        const signature = sign(bytes)
        if (flipped !== undefined)
          signature[flipped >> 3] = (signature[flipped >> 3] as number) ^ (1 << (flipped & 7))
        const expected = await verifySignature(imported, signature as never, bytes)
        expect(verifyEd25519(key, bytes, signature)).toBe(expected)
        expect(expected).toBe(flipped === undefined)
      },
    ),
    { numRuns: 50 },
  )
})
