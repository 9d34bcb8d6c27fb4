import { expect, test } from 'vitest'
import { createSigningKeyText, parsePublicJwks, parseSigningKey } from '../lib/signing-key.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { checkAuthoredCard } from './check-authored-card.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { createCardSigner } from './sign-card.ts'

const key = parseSigningKey(createSigningKeyText())
const former = { ...JSON.parse(createSigningKeyText()), kid: 'former' }
const own = {
  publicUrl: 'https://slipway.example',
  publicUrlsPrevious: ['https://old.example/base'],
  cardSigning: { key, previous: parsePublicJwks(JSON.stringify(former)) },
}
const card = { ...EXAMPLE_CARD, url: 'https://agents.example/card.json' }
const check = (...signatures: unknown[]) =>
  checkAuthoredCard({ ...card, signatures }, own, { network: 'chain-mainnet', address: addressOf('agent') })
const claim = (header: unknown) => ({
  protected: Buffer.from(JSON.stringify(header)).toString('base64url'),
  signature: 'AAAA',
})
const refused = (at: number) => ({ path: `signatures.${at}`, message: 'is a signature of this service' })

test('an authored card may not carry a signature of this service', () => {
  expect(check(createCardSigner(key, own)(card))).toEqual([refused(0)])
  const claims = [
    { kid: key.publicJwk.kid },
    { kid: 'former', jku: 'https://agents.example/jwks.json' },
    { kid: 'theirs', jku: 'https://slipway.example/.well-known/jwks.json' },
    { jku: 'HTTP://Slipway.Example./.well-known/../.well-known/jwks.json?x' },
    { jku: 'https://old.example/base/.well-known/jwks.json' },
    { jku: '/.well-known/jwks.json' },
  ]
  for (const header of claims)
    expect(check(null, claim(header)), JSON.stringify(header)).toEqual([refused(1)])
})

test('an authored card may carry signatures of others, whatever they look like', () => {
  const others = [
    claim({ alg: 'ES256', kid: 'theirs', jku: 'https://agents.example/jwks.json' }),
    claim({ kid: ['former'], jku: { href: 'https://slipway.example/' } }),
    claim({ jku: 'https://old.example/other' }),
    claim('former'),
    claim(null),
    { protected: 'not base64url', signature: 7 },
    { protected: { kid: 'former' } },
    'former',
    7,
    null,
  ]
  expect(check(...others)).toEqual([])
  const whole = { ...card, signatures: { kid: 'former' } }
  expect(checkAuthoredCard(whole, own, { network: 'chain-mainnet', address: addressOf('agent') })).toEqual([])
})
