import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { decodeProtectedHeader, type JWK } from 'jose'
import { beforeEach, expect, test, vi } from 'vitest'
import { createSigningKeyText, parsePublicJwks, parseSigningKey } from '../lib/signing-key.ts'
import { saveAuthoredCard } from '../store/agents.ts'
import { useDemo } from '../testing/demo.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { EXAMPLE_CARD } from './examples.ts'

const world = useDemo()

// The SDK prints every signature that it refuses.
beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(() => {}))

const makeKey = (type: 'ES256' | 'EdDSA', kid: string) => {
  const jwk = type === 'ES256' ? JSON.parse(createSigningKeyText()) : ed25519Jwk()
  return parseSigningKey(JSON.stringify({ ...jwk, kid }))
}

function ed25519Jwk() {
  const { secretKey } = createKeypair()
  const [d, x] = [secretKey.subarray(0, 32), secretKey.subarray(32)].map(half =>
    Buffer.from(half).toString('base64url'),
  )
  return { kty: 'OKP', crv: 'Ed25519', d, x }
}
type Key = ReturnType<typeof makeKey>

const start = (
  key: Key | undefined,
  previous: Key[] = [],
  options: Parameters<typeof startTestService>[0] = {},
) =>
  startTestService({
    ...options,
    config: {
      ...world.config(),
      cardSigning: { key, previous: previous.map(({ publicJwk }) => publicJwk) },
    },
  })

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
type Json = any

const PATH = () => `/v1/agents/${world.agent('patchbot').address}/agent-card.json`

async function fetchCard(url: string) {
  const response = await fetch(url + PATH())
  const text = await response.text()
  return { etag: response.headers.get('etag'), text, card: JSON.parse(text) as Json }
}

const omitSignatures = ({ signatures: _, ...card }: Json) => card

/** Verifies as a client does, with the keys that a node publishes. Never looks at the card's own `jku`. */
async function verify(card: Json, url: string): Promise<void> {
  const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: JWK[] }
  await verifyAgentCardSignature(async kid => {
    const found = keys.find(key => key.kid === kid)
    if (!found) throw new Error(`no key ${kid}`)
    return found
  })(card)
}

test.each(['ES256', 'EdDSA'] as const)(
  'the SDK verifies a synthesised card that is signed with %s, and refuses a changed one',
  async type => {
    const key = makeKey(type, 'first')
    const { url } = await start(key)
    const { card } = await fetchCard(url)
    await verify(card, url)
    expect(card.signatures).toHaveLength(1)
    expect(decodeProtectedHeader(card.signatures[0])).toEqual({
      alg: type,
      typ: 'JOSE',
      kid: 'first',
      jku: 'https://slipway.example/.well-known/jwks.json',
    })
    const detail = (await (await fetch(url + PATH().replace('/agent-card.json', ''))).json()) as Json
    expect(detail.a2aCard).toEqual(card)
    const { data } = (await (await fetch(`${url}/v1/agents`)).json()) as Json
    expect(data.agents).toContainEqual(expect.objectContaining({ a2aCard: omitSignatures(card) }))

    const changed: [string, (copy: Json) => void][] = [
      ['the name', copy => (copy.name += ' ')],
      ['the description', copy => (copy.description = copy.description.replace(/.$/, '!'))],
      ['an interface', copy => (copy.supportedInterfaces[0].url += '/')],
      ['a skill', copy => copy.skills[0].tags.push('more')],
      ['the order of skills', copy => copy.skills.reverse()],
      ['a capability', copy => (copy.capabilities.streaming = true)],
      ['the signature', copy => (copy.signatures[0].signature = `A${copy.signatures[0].signature.slice(1)}`)],
      ['an added field', copy => (copy.documentationUrl = 'https://evil.example')],
    ]
    for (const [what, change] of changed) {
      const copy = structuredClone(card)
      change(copy)
      if (JSON.stringify(copy) === JSON.stringify(card)) copy.signatures[0].signature = 'B'
      await expect(verify(copy, url), what).rejects.toThrow('No valid signatures')
    }
    // Fields of version 0.3 are not covered, as the documentation says.
    await verify({ ...card, url: 'https://elsewhere.example', protocolVersion: '9' }, url)
  },
)

test('nodes that sign the same card at the same time serve the same bytes and ETags, after a restart too', async () => {
  const key = makeKey('ES256', 'shared')
  const { connection } = await createTestDatabase()
  const nodes = await Promise.all([1, 2, 3].map(() => start(key, [], { connection })))
  const cards = await Promise.all(nodes.map(({ url }) => fetchCard(url)))
  expect(new Set(cards.map(({ text }) => text)).size).toBe(1)
  expect(new Set(cards.map(({ etag }) => etag)).size).toBe(1)
  const later = await start(key, [], { connection })
  expect((await fetchCard(later.url)).text).toBe(cards[0]?.text)
})

test('while a key is replaced, every card that any node serves verifies with the keys of every node', async () => {
  const [old, next] = [makeKey('ES256', 'old'), makeKey('EdDSA', 'next')]
  const { connection } = await createTestDatabase()
  // As in docs/operating.md: announce the next key, use it, and finally drop the old one.
  const steps: [Key, Key[]][] = [
    [old, []],
    [old, [next]],
    [next, [old]],
    [next, []],
  ]
  const begin = ([key, previous]: [Key, Key[]]) => start(key, previous, { connection })
  let nodes = [await begin(steps[0] as [Key, Key[]]), await begin(steps[0] as [Key, Key[]])]
  const kids: string[] = []
  for (const [at, step] of steps.entries()) {
    for (const place of [0, 1]) {
      if (at > 0) {
        await nodes[place]?.stop()
        nodes = nodes.with(place, await begin(step))
      }
      const [first, second] = await Promise.all(nodes.map(({ url }) => fetchCard(url)))
      // When the last step begins, no node serves a card with the old key any more.
      for (const { url } of nodes) for (const served of [first, second]) await verify(served?.card, url)
      if (place === 1 || at === 0) expect(first).toEqual(second)
    }
    const { card } = await fetchCard(nodes[0]?.url as string)
    kids.push(decodeProtectedHeader(card.signatures[0]).kid as string)
  }
  expect(kids).toEqual(['old', 'old', 'next', 'next'])
})

test('an authored card is never altered', async () => {
  const { url, database } = await start(makeKey('ES256', 'first'))
  const body = Buffer.from(`${JSON.stringify(EXAMPLE_CARD, null, 3)}\n`)
  expect((await fetchCard(url)).card.signatures).toHaveLength(1)
  await saveAuthoredCard(database, 'chain-mainnet', world.agent('patchbot').address as never, body)
  await expect.poll(async () => (await fetchCard(url)).text).toBe(body.toString())
})

test('without a key cards are unsigned, and /readyz says so', async () => {
  const { url } = await start(undefined)
  expect((await fetchCard(url)).card).not.toHaveProperty('signatures')
  expect(await (await fetch(`${url}/.well-known/jwks.json`)).json()).toEqual({ keys: [] })
  const readiness = async (node: string) => (await fetch(`${node}/readyz`)).text()
  expect(await readiness(url)).toContain('cards: ok, unsigned, CARD_SIGNING_KEY is not set\n')
  const signing = await start(makeKey('EdDSA', 'first'))
  expect(await readiness(signing.url)).toContain('cards: ok, signed with key first\n')
})

test('the key set has the current key first, the public halves only, and an ETag', async () => {
  const current = makeKey('ES256', 'current')
  const former = ed25519Jwk()
  const previous = parsePublicJwks(JSON.stringify([former, former, current.publicJwk]))
  const { url } = await startTestService({
    config: { cardSigning: { key: current, previous } },
  })
  const response = await fetch(`${url}/.well-known/jwks.json`)
  const { keys } = (await response.json()) as { keys: JWK[] }
  expect(keys).toEqual([current.publicJwk, previous[0]])
  expect(JSON.stringify(keys)).not.toContain('"d"')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  const again = await fetch(`${url}/.well-known/jwks.json`, {
    headers: { 'If-None-Match': response.headers.get('etag') as string },
  })
  expect(again.status).toBe(304)
})
