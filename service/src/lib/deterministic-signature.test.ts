import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDeterministicSign } from './deterministic-signature.ts'
import { createSigningKeyText } from './signing-key.ts'

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

// The first key of RFC 8032, section 7.1.
const okp = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: base64url('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
  x: base64url('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
}

test.each([
  ['ES256', JSON.parse(createSigningKeyText()), 'sha256'],
  ['EdDSA', okp, null],
])('%s signatures are the same every time, and OpenSSL verifies them', (_alg, key, digest) => {
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  const [sign, signAgain] = [createDeterministicSign(privateKey), createDeterministicSign(privateKey)]
  const publicKey = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  for (let round = 0; round < 20; round += 1) {
    const bytes = Buffer.from(`message ${round}`)
    const signature = sign(bytes)
    expect(Buffer.from(signAgain(bytes))).toEqual(Buffer.from(signature))
    expect(verify(digest, bytes, publicKey, signature)).toBe(true)
  }
})
