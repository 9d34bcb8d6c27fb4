import { readFileSync } from 'node:fs'
import { getBase58Decoder } from '@solana/codecs-strings'
import { expect, test } from 'vitest'
import type { Address } from './address.ts'
import { buildOwnerChangeText, OwnerSignature } from './owner-change.ts'

const address = '8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H' as Address
const change = {
  deployment: 'https://slipway.example',
  network: 'chain-mainnet',
  address,
  issuedAt: '2026-11-16T05:30:00.000Z',
  nonce: 'abcdefghijklmnop',
} as const

test('the text of a change has one line for each value, and nothing after the last', () => {
  expect(buildOwnerChangeText({ ...change, purpose: 'replace agent card', sha256: 'ab'.repeat(32) })).toBe(
    `Slipway: replace agent card
deployment: https://slipway.example
network: chain-mainnet
address: 8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H
sha256: abababababababababababababababababababababababababababababababab
issuedAt: 2026-11-16T05:30:00.000Z
nonce: abcdefghijklmnop`,
  )
  expect(buildOwnerChangeText({ ...change, purpose: 'remove agent card' })).toBe(
    `Slipway: remove agent card
deployment: https://slipway.example
network: chain-mainnet
address: 8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H
issuedAt: 2026-11-16T05:30:00.000Z
nonce: abcdefghijklmnop`,
  )
})

test('the documentation shows the text', () => {
  const page = readFileSync(new URL('../../docs/owner-changes.md', import.meta.url), 'utf8')
  const shown = /```\n(Slipway: replace agent card\n[^`]*)\n```/.exec(page)?.[1] ?? ''
  const said = Object.fromEntries(shown.split('\n').map(line => line.split(': ')))
  const { sha256, issuedAt, nonce } = said
  expect(buildOwnerChangeText({ ...change, purpose: 'replace agent card', sha256, issuedAt, nonce })).toBe(
    shown,
  )
  expect(OwnerSignature.pick({ issuedAt: true, nonce: true }).safeParse(said).success).toBe(true)
})

const encode = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)
const bytes = Uint8Array.from({ length: 64 }, (_, at) => at)
const valid = {
  owner: address as string,
  issuedAt: change.issuedAt as string,
  nonce: change.nonce as string,
  signature: encode(bytes),
}

test('a signature is decoded to its 64 bytes', () => {
  expect(OwnerSignature.parse(valid).signature).toEqual(bytes)
  const largest = new Uint8Array(64).fill(255)
  expect(OwnerSignature.parse({ ...valid, signature: encode(largest) }).signature).toEqual(largest)
})

test.each([
  ['owner', ['', 'junk', `${address}1`, 7]],
  [
    'issuedAt',
    [
      '2026-11-16T05:30:00Z',
      '2026-11-16T05:30:00.000',
      '2026-11-16T05:30:00.000z',
      '2026-11-16T05:30:00.000+00:00',
      '2026-11-16T05:30:00.0000Z',
      ' 2026-11-16T05:30:00.000Z',
      '2026-11-16T05:30:00.000Z\n',
      '2026-02-30T05:30:00.000Z',
      '2026-11-16T24:00:00.000Z',
      '+010000-01-01T00:00:00.000Z',
      'Mon, 16 Nov 2026 05:30:00 GMT',
      '',
      1_794_807_000_000,
    ],
  ],
  [
    'nonce',
    ['a'.repeat(15), 'a'.repeat(65), 'abcdefghijklmnop\n', 'abcdefghijklmnop!', 'ääääääääääääääää', 7],
  ],
  [
    'signature',
    [
      '',
      encode(bytes.subarray(1)),
      encode(Uint8Array.from([...bytes, 0])),
      `1${valid.signature}`,
      `${valid.signature} `,
      valid.signature.replace(/.$/, '0'),
      '1'.repeat(88),
      'z'.repeat(88),
      'z'.repeat(60_000),
      Buffer.from(bytes).toString('base64'),
      [...bytes],
    ],
  ],
])('%s has exactly one spelling', (field, values) => {
  expect(OwnerSignature.safeParse(valid).success).toBe(true)
  for (const value of [...values, null, undefined]) {
    const { success, error } = OwnerSignature.safeParse({ ...valid, [field]: value })
    expect({ value, success, path: error?.issues[0]?.path }).toEqual({ value, success: false, path: [field] })
  }
})
