import { identityAddress } from '@slipway/launch-model/addresses'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { useChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { postJson } from '../testing/demo-launches.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { mintAgent } from './mint-agent.ts'
import { configOf, fundedWallet, getJson, type Json, land, METADATA, mintBody } from './test-mints.ts'

const local = useChain()
const shared = useTestService(() => ({ config: configOf(local()) }))

function prepare(service = shared()) {
  const wallet = fundedWallet(local())
  const mint = (change: object = {}) =>
    postJson(`${service.url}/v1/agents/mint`, mintBody(wallet.address, change))
  return { ...service, wallet, mint }
}

const start = async (config: object) =>
  prepare(await startTestService({ config: { ...configOf(local()), ...config } }))

const nested = (levels: number): unknown => {
  let value: unknown = 'deepest'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
const asset = createKeypair().address
const metadata = (change: object) => ({ agentMetadata: { ...METADATA, ...change } })

test('an invalid field is refused, and the details name it', async () => {
  const { mint, url } = prepare()
  const cases: [string, object][] = [
    ['wallet', { wallet: 'junk' }],
    ['wallet', { wallet: undefined }],
    ['network', { network: 'moonnet' }],
    ['network', { network: 'chain-devnet' }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(65) }],
    ['name', { name: '⚓️'.repeat(64) }],
    ['name', { name: 5 }],
    ['name', { name: 'Ferry\u0000wright' }],
    ['name', { name: 'Ferry\nwright' }],
    ['name', { name: 'Ferry\ud800wright' }],
    ['uri', { uri: '' }],
    ['uri', { uri: `https://a.example/${'x'.repeat(200)}` }],
    ['uri', { uri: 'ftp://a.example/1.json' }],
    ['uri', { uri: 'javascript:alert(1)' }],
    ['uri', { uri: 'https://a.example/\u0000' }],
    ['agentMetadata', { agentMetadata: undefined }],
    ['agentMetadata', { agentMetadata: [] }],
    ['agentMetadata', { agentMetadata: 'text' }],
    ['agentMetadata', metadata({ x: nested(16) })],
    ['agentMetadata', metadata({ x: 'x'.repeat(32 * 1_024) })],
    ['agentMetadata', metadata(withKeys(256))],
    ['agentMetadata.name', metadata({ name: undefined })],
    ['agentMetadata.description', metadata({ description: 7 })],
    ['agentMetadata.services', metadata({ services: {} })],
    ['agentMetadata.services.1.endpoint', metadata({ services: [METADATA.services[0], { name: 'x' }] })],
    ['agentMetadata.registrations', metadata({ registrations: 'x' })],
    ['collectionAddress', { collectionAddress: 'x' }],
    ['asset', { asset: 'x' }],
    // There is no key for a derived address.
    ['asset', { asset: identityAddress(asset) }],
    ['a2aCard', { a2aCard: [] }],
    ['a2aCard', { a2aCard: { ...EXAMPLE_CARD, x: nested(64) } }],
    ['a2aCard.name', { a2aCard: { ...EXAMPLE_CARD, name: '' } }],
    ['a2aCard.skills', { a2aCard: { ...EXAMPLE_CARD, skills: [] } }],
    ['a2aCard', { a2aCard: { ...EXAMPLE_CARD, url: undefined, supportedInterfaces: undefined } }],
  ]
  for (const [path, change] of cases) {
    const { status, body } = await mint(change)
    expect({ change: JSON.stringify(change).slice(0, 200), status, ...body }).toMatchObject({
      status: 400,
      success: false,
      error: 'Invalid input data',
      details: expect.arrayContaining([{ path, message: expect.stringMatching(/^[a-z]/) }]),
    })
  }
  expect(await postJson(`${url}/v1/agents/mint`, '[1]')).toMatchObject({
    status: 400,
    body: { error: 'Invalid input data', details: [{ path: '' }] },
  })
  expect(await postJson(`${url}/v1/agents/mint`, '{')).toMatchObject({ status: 400 })
})

test('values at the limits are accepted', async () => {
  const { mint } = prepare()
  const used = JSON.stringify({ ...METADATA, x: '' }).length
  for (const change of [
    { name: '🛥'.repeat(64), uri: `https://a.example/${'x'.repeat(182)}` },
    { uri: 'data:application/json,{}' },
    { uri: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' },
    { uri: 'ar://x' },
    { network: 'solana-mainnet' },
    { collectionAddress: null, a2aCard: null, asset: null },
    metadata({ x: nested(15) }),
    metadata({ x: 'x'.repeat(32 * 1_024 - used) }),
    { agentMetadata: { name: '', description: '' } },
    { a2aCard: { ...EXAMPLE_CARD, url: 'https://a.example', supportedInterfaces: undefined } },
    { asset },
  ])
    expect({ change: JSON.stringify(change).slice(0, 99), ...(await mint(change)) }).toMatchObject({
      status: 200,
    })
})

test('input that is far too deep or too large is refused like any other', async () => {
  const { url, wallet, mint } = prepare()
  const body = JSON.stringify(mintBody(wallet.address, { agentMetadata: { ...METADATA, x: 0 } }))
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  for (const field of [`"x":${deep}`, `"x":0},"a2aCard":{"x":${deep}`]) {
    const { status, body: answer } = await postJson(`${url}/v1/agents/mint`, body.replace('"x":0', field))
    expect({ status, ...answer }).toMatchObject({ status: 400, error: 'Invalid input data' })
  }
  expect(await mint(metadata({ x: 'x'.repeat(66_000) }))).toMatchObject({ status: 413 })
  // Otherwise, every error would be a detail.
  const services = Array.from({ length: 5_000 }, () => 0)
  expect((await mint(metadata({ services }))).body.details.length).toBeLessThanOrEqual(20)
})

test("a card may name the agent's own URL, and no other URL of this service", async () => {
  const { mint } = prepare()
  const own = (address: string) => `https://slipway.example/v1/agents/${address}`
  const answer = async (url: string, change: object = { asset }) =>
    (await mint({ ...change, a2aCard: { ...EXAMPLE_CARD, url } })).body
  const refused = { details: [{ path: 'a2aCard.url', message: 'is the URL of another agent' }] }
  expect(await answer(own(createKeypair().address))).toMatchObject(refused)
  expect(await answer(own(asset))).toMatchObject({ success: true })
  // Without a key of the caller, the address is not known in advance.
  expect(await answer(own(asset), {})).toMatchObject({ details: [{ path: 'a2aCard.url' }] })
})

test('metadata cannot give an agent an owner, a token, a verification or a card', async () => {
  const { url, wallet, mint } = prepare()
  const lies = {
    address: asset,
    owner: asset,
    authority: asset,
    agentToken: asset,
    walletAddress: asset,
    verifiedAt: '2026-01-01T00:00:00.000Z',
    a2aCard: EXAMPLE_CARD,
    a2aCardSha256: 'ab'.repeat(32),
    tokens: [{}],
    success: false,
    registrations: [{ agentId: asset, agentRegistry: 'solana:101:metaplex' }],
  }
  const { body } = await mint(metadata(lies))
  expect(await land(local(), body, wallet)).toBeNull()
  const agent: Json = (await getJson(`${url}/v1/agents/${body.assetAddress}`)).body
  expect(agent).toMatchObject({
    success: true,
    address: body.assetAddress,
    owner: wallet.address,
    authority: wallet.address,
    verifiedAt: null,
    tokens: [],
    a2aCard: { name: METADATA.name },
    registrations: [{ agentId: body.assetAddress }, { agentId: asset }],
  })
  expect(agent).not.toHaveProperty('agentToken')
  expect(agent).not.toHaveProperty('a2aCardSha256')
})

test('a mint that would not fit into a transaction is refused with details', async () => {
  const { mint } = await start({ publicUrl: `https://slipway.example/${'x'.repeat(800)}` })
  expect(await mint()).toEqual({
    status: 400,
    body: {
      success: false,
      error: 'Invalid input data',
      details: [{ path: 'uri', message: expect.stringContaining('1232 bytes') }],
    },
  })
})

test('with FRESH_KEYS=off a mint without a key of the caller is refused with details', async () => {
  const { mint } = await start({ freshKeys: false })
  expect(await mint()).toMatchObject({
    status: 400,
    body: { error: 'Invalid input data', details: [{ path: 'asset' }] },
  })
  expect((await mint({ asset })).status).toBe(200)
})

test('without a public URL that lasts, minting answers 503', async () => {
  const { mint } = await start({ hostsDocuments: { 'chain-mainnet': false, 'chain-devnet': true } })
  expect(await mint()).toEqual({
    status: 503,
    body: { success: false, error: 'PUBLIC_URL is not configured' },
  })
})

/** Calls `mintAgent` with an endpoint that has no accounts and may belong to another cluster. */
async function mintWithoutChain(change: object, { isForeign = false } = {}) {
  const hosted: Json[] = []
  const recent = { blockhash: asset as string, lastValidBlockHeight: 1 }
  const rpc = {
    fetchAccounts: async (addresses: readonly Address[]) => ({
      slot: 1,
      accounts: addresses.map(address => ({ exists: false as const, address })),
    }),
    slotMs: () => 400,
    async confirmCluster() {
      if (isForeign) throw new Error('another cluster')
    },
  }
  const chain = { rpc, blockhash: { latest: async () => recent, latestFor: async () => recent } }
  await mintAgent(
    {
      publicUrl: 'https://slipway.example',
      publicUrlsPrevious: [],
      cardSigning: undefined as never,
      chains: { 'chain-mainnet': chain },
      hostsDocuments: { 'chain-mainnet': true, 'chain-devnet': true },
      freshKeys: true,
      async hostDocument({ body }) {
        hosted.push(JSON.parse(body.toString()))
        return 'saved'
      },
    },
    { network: 'chain-mainnet', ...mintBody(createKeypair().address), ...change } as never,
    'client',
  )
  return hosted[0]
}

test('a collection is refused as missing only if the cluster is confirmed after the read', async () => {
  const mint = (isForeign: boolean) => mintWithoutChain({ collectionAddress: asset }, { isForeign })
  await expect(mint(true)).rejects.toThrow('another cluster')
  await expect(mint(false)).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' })
})

test('the document gets the hosted card only if it names no A2A service, however that is spelt', async () => {
  for (const name of ['a2a', 'A2A', 'A2a']) {
    const services = [{ name, endpoint: 'https://a.example/a2a' }]
    expect((await mintWithoutChain(metadata({ services }))).services).toEqual(services)
  }
  for (const name of ['a2a-proxy', 'my a2a']) {
    const services = [{ name, endpoint: 'https://a.example/a2a' }]
    const document = await mintWithoutChain(metadata({ services }))
    expect(document.services).toEqual([
      ...services,
      { name: 'A2A', endpoint: expect.stringMatching(/\/agent-card\.json$/) },
    ])
  }
})

test('the document names the agent in this registry once, whatever other registries call it', async () => {
  const own = { agentId: asset, agentRegistry: 'solana:101:metaplex' }
  const elsewhere = { agentId: asset, agentRegistry: 'eip155:1:0x0000' }
  const another = { agentId: createKeypair().address, agentRegistry: 'solana:101:metaplex' }
  const named = async (registrations: object[]) =>
    (await mintWithoutChain({ asset, ...metadata({ registrations }) })).registrations
  expect(await named([elsewhere, another])).toEqual([own, elsewhere, another])
  expect(await named([elsewhere, own])).toEqual([elsewhere, own])
})
