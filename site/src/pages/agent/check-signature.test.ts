import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { AgentCard, Jwk } from '@slipway/client'
import { expect, test, vi } from 'vitest'
import { checkSignature } from './check-signature.ts'

const OWN_KEYS = 'https://slipway.example/.well-known/jwks.json'
const CARD: AgentCard = {
  name: 'Tidewatch',
  description: 'Tide tables for small harbours.',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  skills: [{ id: 'tide', name: 'Forecast', description: 'Forecasts.', tags: ['sea', 'é\u202e'] }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
}

const ALGORITHMS = {
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, sign: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
}

async function createSigner(alg: 'ES256' | 'EdDSA', kid = 'ours') {
  const { key, sign } = ALGORITHMS[alg]
  const pair = (await crypto.subtle.generateKey(key, true, ['sign', 'verify'])) as CryptoKeyPair
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const jwk = { kty, crv, x, ...(y && { y }), kid, alg, use: 'sig' } as Jwk
  const signCard = async (card: AgentCard, header: object = {}): Promise<AgentCard> => {
    const signed = Buffer.from(JSON.stringify({ alg, typ: 'JOSE', kid, jku: OWN_KEYS, ...header }))
    const payload = Buffer.from(canonicalizeAgentCard(card as never)).toString('base64url')
    const bytes = new TextEncoder().encode(`${signed.toString('base64url')}.${payload}`)
    const signature = Buffer.from(await crypto.subtle.sign(sign, pair.privateKey, bytes))
    return {
      ...card,
      signatures: [{ protected: signed.toString('base64url'), signature: signature.toString('base64url') }],
    }
  }
  return { jwk, signCard }
}

test.each(['ES256', 'EdDSA'] as const)('our %s signature matches its card and no other', async alg => {
  const { jwk, signCard } = await createSigner(alg)
  const card = await signCard(CARD)
  expect(await checkSignature(card, [jwk], OWN_KEYS)).toBe('own')
  expect(await checkSignature({ ...card, name: 'Another' }, [jwk], OWN_KEYS)).toBe('mismatch')
  const other = await createSigner(alg)
  expect(await checkSignature(card, [other.jwk], OWN_KEYS)).toBe('mismatch')
})

test('a signature counts as ours by its key or its claim, and otherwise as foreign', async () => {
  const { jwk, signCard } = await createSigner('ES256')
  const unknownKey = { kid: 'theirs' }
  expect(await checkSignature(await signCard(CARD, unknownKey), [jwk], OWN_KEYS)).toBe('mismatch')
  const foreign = { kid: 'theirs', jku: 'https://evil.example/jwks.json' }
  expect(await checkSignature(await signCard(CARD, foreign), [jwk], OWN_KEYS)).toBe('foreign')
  for (const signatures of [[null], [{}], [{ protected: '%', signature: '' }], ['text']])
    expect(await checkSignature({ ...CARD, signatures }, [jwk], OWN_KEYS)).toBe('foreign')
})

test("a header that names an algorithm other than the key's is refused", async () => {
  const { jwk, signCard } = await createSigner('ES256')
  expect(await checkSignature(await signCard(CARD, { alg: 'none' }), [jwk], OWN_KEYS)).toBe('mismatch')
})

test('a browser without the algorithm leaves the signature unchecked', async () => {
  const { jwk, signCard } = await createSigner('EdDSA')
  const card = await signCard(CARD)
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new DOMException('no', 'NotSupportedError'))
  expect(await checkSignature(card, [jwk], OWN_KEYS)).toBe('unavailable')
})
