import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDeterministicSign } from './deterministic-signature.ts'

test('ES256 signs as in appendix A.2.5 of RFC 6979', () => {
  const key = {
    kty: 'EC',
    crv: 'P-256',
    d: base64url('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721'),
    x: base64url('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6'),
    y: base64url('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299'),
  }
  const sign = createDeterministicSign(createPrivateKey({ key, format: 'jwk' }))
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
  ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'sha256'],
  ['EdDSA', generateKeyPairSync('ed25519').privateKey, null],
])('%s signatures are the same every time, and OpenSSL verifies them', (_alg, privateKey, digest) => {
  const [sign, signAgain] = [createDeterministicSign(privateKey), createDeterministicSign(privateKey)]
  const publicKey = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  for (let round = 0; round < 20; round += 1) {
    const bytes = Buffer.from(`message ${round}`)
    const signature = sign(bytes)
    expect(Buffer.from(signAgain(bytes))).toEqual(Buffer.from(signature))
    expect(verify(digest, bytes, publicKey, signature)).toBe(true)
  }
})
