import { ClientFactory } from '@a2a-js/sdk/client'
import { Agent } from '@slipway/schema/agent'
import { expect, test } from 'vitest'
import { saveAuthoredCard, setVerified } from '../store/agents.ts'
import { insertLaunches } from '../store/launches.ts'
import { useDemo } from '../testing/demo.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { getJson } from './test-mints.ts'

const world = useDemo()
const UNKNOWN = '11111111111111111111111111111112'

/** For tests that leave the store as it is. */
const shared = useTestService(() => ({ config: world.config() }))
const start = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({ ...options, config: { ...world.config(), ...options.config } })

test('the detail combines the chain and the registration document', async () => {
  const { address, owner, wallet, token } = world.agent('patchbot')
  const { url } = shared()
  const { status, headers, body } = await getJson(`${url}/v1/agents/${address}`)
  expect(status).toBe(200)
  expect(headers.get('etag')).toMatch(/^"[\w-]+"$/)
  expect(() => Agent.parse(body)).not.toThrow()
  expect(body).toMatchObject({
    success: true,
    address,
    name: 'Patchbot',
    walletAddress: wallet,
    owner: owner.address,
    authority: expect.any(String),
    agentMetadataUri: expect.stringContaining('/registrations/patchbot.json'),
    agentToken: token,
    verifiedAt: null,
    tokens: [],
    // The token comes from the chain's metadata, because no launch of it is registered.
    agentTokenInfo: { address: token, symbol: expect.any(String), image: expect.stringMatching(/^http/) },
    type: expect.stringContaining('eip-8004'),
    services: expect.any(Array),
  })
  expect(body.a2aCard).toMatchObject({ name: 'Patchbot', skills: [{ id: 'bisect' }, {}, {}] })
})

test('tokens are those of the launches registered for the agent, newest first, and describe the primary token', async () => {
  const { address, token } = world.agent('patchbot')
  const { url } = await start({
    launches: [
      launchRows('older', { agent: address, registeredAt: new Date(1_700_000_000_000) }),
      launchRows(
        'primary',
        { agent: address, registeredAt: new Date(1_800_000_000_000), ...(token && { mint: token }) },
        { description: 'as registered' },
      ),
      launchRows('of another agent'),
    ],
  })
  const { body } = await getJson(`${url}/v1/agents/${address}`)
  expect(body.tokens.map(({ name }: { name: string }) => name)).toEqual(['primary', 'older'])
  expect(body.agentTokenInfo).toEqual(body.tokens[0])
  expect(body.agentTokenInfo).toMatchObject({ address: token, description: 'as registered' })
})

test('a launch that is registered later appears in a detail that is already in memory', async () => {
  const { address } = world.agent('tidewatch')
  const { url, database } = await start()
  const tokens = async () => (await getJson(`${url}/v1/agents/${address}`)).body.tokens
  expect(await tokens()).toEqual([])
  await insertLaunches(database, [launchRows('later', { agent: address })])
  await expect.poll(tokens).toMatchObject([{ name: 'later' }])
})

test.each([
  ['ghostwriter', 'its document answers 404'],
  ['scrambled', 'its document is not JSON'],
  ['leviathan', 'its document is too large'],
  ['shopping-list', 'its document is an array'],
])('%s is served from the chain although %s, and has no card', async slug => {
  const { address, owner, entry } = world.agent(slug)
  const { url } = shared()
  const { status, body } = await getJson(`${url}/v1/agents/${address}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: entry.name, owner: owner.address, a2aCard: null })
  expect(typeof body.description).toBe('string')
  const card = await getJson(`${url}/v1/agents/${address}/agent-card.json`)
  expect(card).toMatchObject({ status: 404, body: { success: false, error: 'Agent card not found' } })
})

test('a document in a data URI is read, and identities of version 1 have no token', async () => {
  const { url } = shared()
  const inline = await getJson(`${url}/v1/agents/${world.agent('inline').address}`)
  expect(inline.body).toMatchObject({ name: world.agent('inline').entry.name, a2aCard: { skills: [{}] } })
  const first = await getJson(`${url}/v1/agents/${world.agent('archivist').address}`)
  expect(first.status).toBe(200)
  expect(first.body).not.toHaveProperty('agentToken')
  expect(first.body).not.toHaveProperty('agentTokenInfo')
})

test('an address without a registered agent is 404: unknown, invalid, another program, a collection, an unregistered or burnt asset', async () => {
  const { url } = shared()
  const { authority } = (await getJson(`${url}/v1/agents/${world.agent('patchbot').address}`)).body
  const addresses = [
    UNKNOWN,
    'junk',
    '0OIl',
    world.agent('patchbot').wallet,
    world.agent('patchbot').token,
    authority,
    world.agent('unregistered').address,
    world.agent('ashes').address,
  ]
  for (const address of addresses) {
    for (const path of [`/v1/agents/${address}`, `/v1/agents/${address}/agent-card.json`]) {
      const { status, body } = await getJson(url + path)
      expect({ path, status, body }).toEqual({
        path,
        status: 404,
        body: { success: false, error: 'Agent not found' },
      })
    }
  }
})

test('networks are separate; an invalid one is 400, and one that is not served 404', async () => {
  const { address } = world.agent('patchbot')
  const there = world.agent('patchbot', 'chain-devnet').address
  const { url } = shared()
  expect((await getJson(`${url}/v1/agents/${there}?network=chain-devnet`)).status).toBe(200)
  expect((await getJson(`${url}/v1/agents/${there}?network=solana-devnet`)).status).toBe(200)
  expect((await getJson(`${url}/v1/agents/${address}?network=chain-devnet`)).status).toBe(
    there === address ? 200 : 404,
  )
  for (const path of [`/v1/agents/${address}`, `/v1/agents/${address}/agent-card.json`])
    expect(await getJson(`${url}${path}?network=moonnet`)).toMatchObject({
      status: 400,
      body: { success: false, error: 'Invalid input data' },
    })
  const half = await start({
    config: {
      rpcUrls: { 'chain-mainnet': world.config().rpcUrls?.['chain-mainnet'] ?? [], 'chain-devnet': [] },
    },
  })
  expect(await getJson(`${half.url}/v1/agents/${there}?network=chain-devnet`)).toMatchObject({
    status: 404,
    body: { success: false, error: 'Agent not found' },
  })
})

test('the card is served without an envelope, with a strong ETag, its cache headers and 304', async () => {
  const { address } = world.agent('tidewatch')
  const { url } = shared()
  const cardUrl = `${url}/v1/agents/${address}/agent-card.json`
  const { status, headers, body } = await getJson(cardUrl)
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('success')
  expect(body.url).toBe(`https://slipway.example/v1/agents/${address}/agent-card.json`)
  expect(headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600')
  // There is only one encoding.
  expect(headers.get('vary')).toBeNull()
  const etag = headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]+"$/)
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await fetch(cardUrl, { headers: { 'If-None-Match': held } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600')
  }
  expect((await fetch(cardUrl, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  const head = await fetch(cardUrl, { method: 'HEAD' })
  expect(head.headers.get('etag')).toBe(etag)
  expect(await head.text()).toBe('')
})

test('the A2A SDK finds the card from the URL of the agent', async () => {
  const { url } = shared()
  const { address } = world.agent('tidewatch')
  const agent = `${url}/v1/agents/${address}/`
  const client = await new ClientFactory().createFromUrl(agent)
  expect(await client.getAgentCard()).toMatchObject({ name: 'Tidewatch' })
  const [known, plain] = await Promise.all(
    ['.well-known/agent-card.json', 'agent-card.json'].map(path => fetch(agent + path)),
  )
  expect(await known?.text()).toBe(await plain?.text())
  expect(known?.headers.get('etag')).toBe(plain?.headers.get('etag'))
  expect(known?.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600')
  const missing = await fetch(`${url}/v1/agents/junk/.well-known/agent-card.json`)
  expect([missing.status, await missing.json()]).toEqual([404, { success: false, error: 'Agent not found' }])
})

test("the A2A SDK finds a devnet agent's card from the URL that names the network", async () => {
  const { url } = shared()
  const { address } = world.agent('patchbot', 'chain-devnet')
  const agent = `${url}/v1/networks/chain-devnet/agents/${address}/`
  const client = await new ClientFactory().createFromUrl(agent)
  expect(await client.getAgentCard()).toMatchObject({ name: 'Patchbot' })
  const plain = await fetch(`${url}/v1/agents/${address}/agent-card.json?network=chain-devnet`)
  const [text, etag] = [await plain.text(), plain.headers.get('etag')]
  expect(JSON.parse(text).url).toBe(
    `https://slipway.example/v1/networks/chain-devnet/agents/${address}/agent-card.json`,
  )
  for (const path of [
    'agent-card.json',
    '.well-known/agent-card.json',
    '../../../solana-devnet/agents/ADDRESS/agent-card.json',
  ]) {
    const target = new URL(path.replace('ADDRESS', address), agent)
    const same = await fetch(target)
    expect([await same.text(), same.headers.get('etag')]).toEqual([text, etag])
    expect(same.headers.get('cache-control')).toBe('max-age=60, stale-while-revalidate=600')
    const again = await fetch(target, { headers: { 'If-None-Match': `${etag}` } })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  }
  for (const [path, status, error] of [
    [`chain-mainnet/agents/${address}/agent-card.json`, 404, 'Agent not found'],
    ['chain-devnet/agents/junk/.well-known/agent-card.json', 404, 'Agent not found'],
    [`moonnet/agents/${address}/agent-card.json`, 400, 'Invalid input data'],
    [`chain-devnet/agents/${address}`, 404, 'Not found'],
  ] as const) {
    const refused = await getJson(`${url}/v1/networks/${path}`)
    expect([refused.status, refused.body]).toEqual([status, { success: false, error }])
  }
})

test('an authored card replaces the synthesised one byte for byte on every node, and its ETag depends only on it', async () => {
  const { address } = world.agent('tidewatch')
  const first = await start()
  const second = await start({ connection: first.connection })
  const read = async (url: string) => {
    const response = await fetch(`${url}/v1/agents/${address}/agent-card.json`)
    return { etag: response.headers.get('etag'), text: await response.text() }
  }
  const synthesised = await read(first.url)
  expect(await read(second.url)).toEqual(synthesised)
  const body = Buffer.from(`\n{ "name" : "Authored",\t${JSON.stringify(EXAMPLE_CARD).slice(1)}  `)
  await saveAuthoredCard(first.database, 'chain-mainnet', address, body)
  for (const { url } of [first, second]) {
    await expect.poll(async () => (await read(url)).text).toBe(body.toString())
    expect((await read(url)).etag).not.toBe(synthesised.etag)
  }
  expect((await getJson(`${second.url}/v1/agents/${address}`)).body.a2aCard.name).toBe(EXAMPLE_CARD.name)
  await setVerified(first.database, 'chain-mainnet', address, true)
  await expect
    .poll(async () => (await getJson(`${second.url}/v1/agents/${address}`)).body.verifiedAt)
    .toMatch(/^\d{4}-.*\.\d{3}Z$/)
  expect((await read(second.url)).etag).toBe((await read(first.url)).etag)
})

test('while the RPC is down a known agent is served, even after a restart, and an unknown one is a 500', async () => {
  const { address } = world.agent('patchbot')
  const first = await start()
  const before = await getJson(`${first.url}/v1/agents/${address}`)
  await first.stop()
  const dark = await start({
    connection: first.connection,
    config: {
      rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] },
      // Its documents are unreachable too.
      metadata: {
        allowHosts: [],
        ipfsGateway: 'https://ipfs.invalid/',
        arweaveGateway: 'https://ar.invalid/',
      },
    },
  })
  const after = await getJson(`${dark.url}/v1/agents/${address}`)
  expect(after.body).toEqual(before.body)
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  expect((await fetch(`${dark.url}/v1/agents/${address}/agent-card.json`)).status).toBe(200)
  expect(await getJson(`${dark.url}/v1/agents/${world.agent('tidewatch').address}`)).toMatchObject({
    status: 500,
    body: { success: false, error: 'Failed to fetch agent' },
  })
  const withdrawal = await getJson(`${dark.url}/v1/agents/${address}/withdraw`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sender: before.body.owner, amount: 0.1 }),
  })
  expect(withdrawal).toMatchObject({
    status: 500,
    body: { success: false, error: 'Failed to prepare withdraw transaction' },
  })
})
