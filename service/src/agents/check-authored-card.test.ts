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

test("an authored card may not name another agent's URL, however the host and path are spelt", () => {
  const [address, other] = [addressOf('agent'), addressOf('other')]
  const aliases = [
    `https://slipway.example/v1/agents/${other}/agent-card.json`,
    `http://slipway.example/v1/agents/${other}`,
    `HTTPS://SLIPWAY.EXAMPLE/v1/agents/${other}`,
    `https://slipway.example./v1/agents/${other}`,
    `https://slipway.example:443/v1/agents/${other}`,
    `http://slipway.example:443/v1/agents/${other}`,
    `https://%73lipway.example/v1/agents/${other}`,
    `https://someone@slipway.example/v1/agents/${other}`,
    `https:\\\\slipway.example\\v1\\agents\\${other}`,
    `//slipway.example/v1/agents/${other}`,
    `/v1/agents/${other}`,
    `/v1/networks/chain-mainnet/agents/${other}/agent-card.json`,
    `/v1/networks/chain-devnet/agents/${address}/agent-card.json`,
    `/v1/networks/moonnet/agents/${address}/agent-card.json`,
    `../${other}/agent-card.json`,
    `https://slipway.example//v1/agents/${other}`,
    `https://slipway.example/v1/%61gents/${other}`,
    `https://slipway.example/v1/agents/${address}/../${other}`,
    `https://slipway.example/v1/agents/${address}/%2e%2e/${other}`,
    `https://slipway.example/v1/agents/${address}/..%2f${other}`,
    `https://slipway.example/v1/agents/${address}/%2e%2e%2F${other}`,
    `https://slipway.example/v1/agents/${address}/..%252f${other}`,
    `https://slipway.example/v1/agents/${address}/..%5c${other}`,
    `https://old.example/base/v1/agents/${other}`,
    `https://OLD.example.:443/base/v1/agents/${other}`,
    `https://old.example//base/v1/agents/${other}`,
    `https://old.example/%62ase/v1/agents/${other}`,
    `https://old.example/%2562ase/v1/agents/${other}`,
    `https://old.example/x/%2e%2e/base/v1/agents/${other}`,
    `https://old.example/x%2f..%2fbase/v1/agents/${other}`,
    `wss://SLIPWAY.example/v1/agents/${other}`,
    `grpcs://SLIPWAY.example/v1/agents/${other}`,
    `grpcs://slipway.example:443/v1/agents/${other}`,
  ]
  for (const url of aliases) {
    const at = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
    const named = { ...card, url, supportedInterfaces: at, additionalInterfaces: at }
    const problems = checkAuthoredCard(named, own, { network: 'chain-mainnet', address })
    const refused = problems.filter(({ message }) => /another agent/.test(message)).map(({ path }) => path)
    expect(refused.toSorted(), url).toEqual([
      'additionalInterfaces.0.url',
      'supportedInterfaces.0.url',
      'url',
    ])
  }
})

test('an authored card may name its own URL, however it is spelt, and any URL outside the service', () => {
  const address = addressOf('agent')
  const fine = [
    `https://slipway.example/v1/agents/${address}`,
    `https://SLIPWAY.example.:443/v1/agents/${address}/agent-card.json`,
    `https://slipway.example//v1/agents/${address}/.well-known/agent-card.json`,
    `https://old.example/base/v1/agents/${address}?network=chain-mainnet`,
    `/v1/networks/solana-mainnet/agents/${address}/agent-card.json`,
    'agent-card.json',
    'https://old.example/other',
    'https://slipway.example.com/v1/agents/x',
    'https://agents.example/a%2fb/%E0%A4%A',
  ]
  for (const url of fine) {
    const named = {
      ...card,
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    }
    expect(checkAuthoredCard(named, own, { network: 'chain-mainnet', address }), url).toEqual([])
  }
})
