import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { configOf, fundedWallet, getJson, type Json, land, METADATA, mintBody } from '../agents/test-mints.ts'
import { sha256Of } from '../metadata/own-documents.ts'
import { removeDocument } from '../store/hosted-documents.ts'
import { postJson } from '../testing/demo-launches.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

async function start(config: object = {}) {
  const local = await startChain()
  const service = await startTestService({ config: { ...configOf(local), ...config } })
  const wallet = fundedWallet(local)
  const mint = async (change: object = {}): Promise<Json> =>
    (await postJson(`${service.url}/v1/agents/mint`, mintBody(wallet.address, change))).body
  return { ...service, local, wallet, mint, hashes: () => listHashes(service.connection) }
}

/** The hashes of all documents, the latest first. */
async function listHashes(connection: Parameters<typeof runSql>[0]): Promise<string[]> {
  const { rows } = await runSql(connection, 'SELECT sha256 FROM documents ORDER BY prepared_at DESC')
  return rows.map(({ sha256 }) => sha256)
}

const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

test('a document is served under its own hash, and is immutable once the chain names it', async () => {
  const { url, local, wallet, mint, hashes } = await start()
  const minted = await mint()
  const [sha256] = await hashes()
  const path = `/v1/documents/${sha256}.json`
  const pending = await rawRequest(url, path)
  expect(pending.status).toBe(200)
  expect(sha256Of(pending.body)).toBe(sha256)
  expect(pending.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'content-security-policy': SANDBOX,
    'x-content-type-options': 'nosniff',
  })
  expect(pending.json()).toMatchObject({
    ...METADATA,
    registrations: [{ agentId: minted.assetAddress, agentRegistry: 'solana:101:metaplex' }],
    services: [
      ...METADATA.services,
      {
        name: 'A2A',
        endpoint: `https://slipway.example/v1/agents/${minted.assetAddress}/agent-card.json`,
      },
    ],
  })

  expect(await land(local, minted, wallet)).toBeNull()
  expect((await getJson(`${url}/v1/agents/${minted.assetAddress}`)).status).toBe(200)
  const named = await rawRequest(url, path)
  expect(named.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': SANDBOX,
  })
  expect(named.body).toEqual(pending.body)
  const etag = named.headers.etag as string
  expect((await rawRequest(url, path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await rawRequest(url, path, { method: 'HEAD' })).body).toHaveLength(0)
})

test('any other name returns 404 in the error format of the launches', async () => {
  const { url, mint, hashes } = await start()
  await mint()
  const [sha256 = ''] = await hashes()
  for (const name of [
    `${'0'.repeat(64)}.json`,
    `${sha256.toUpperCase()}.json`,
    `${sha256}`,
    `${sha256}.html`,
    `${sha256.slice(1)}.json`,
    `${sha256}.json.json`,
    '.json',
    `x${sha256}.json`,
  ]) {
    const { status, text } = await rawRequest(url, `/v1/documents/${name}`)
    expect({ name, status, text }).toMatchObject({
      name,
      status: 404,
      text: expect.stringContaining('ot found'),
    })
  }
  expect((await rawRequest(url, `/v1/documents/${'0'.repeat(64)}.json`)).json()).toEqual({
    error: { message: 'Document not found' },
  })
})

test('a document that already names the agent and an A2A service is hosted as it was sent', async () => {
  const { url, mint, hashes } = await start()
  const asset = createKeypair().address
  const agentMetadata = {
    ...METADATA,
    services: [{ name: 'a2a', endpoint: 'https://a.example/a2a', version: '0.3.0' }],
    registrations: [
      { agentId: '1', agentRegistry: 'eip155:1:0x1' },
      { agentId: asset, agentRegistry: 'solana:101:metaplex' },
    ],
  }
  await mint({ asset, agentMetadata })
  const [sha256] = await hashes()
  expect((await rawRequest(url, `/v1/documents/${sha256}.json`)).text).toBe(JSON.stringify(agentMetadata))
})

test("a stranger who prepares a document and a card for somebody else's asset gains nothing", async () => {
  const { url, local, wallet, mint, connection } = await start()
  const [asset, stranger] = [createKeypair(), fundedWallet(local)]
  const prepare = (name: string, by: string) =>
    mint({
      wallet: by,
      asset: asset.address,
      agentMetadata: { ...METADATA, name },
      a2aCard: { ...EXAMPLE_CARD, name, url: 'https://a.example' },
    })
  await prepare('Before', stranger.address)
  const minted = await prepare('Genuine', wallet.address)
  await prepare('After', stranger.address)
  expect(await land(local, minted, wallet, asset)).toBeNull()
  const { body } = await getJson(`${url}/v1/agents/${asset.address}`)
  expect(body).toMatchObject({ name: 'Genuine', owner: wallet.address, a2aCard: { name: 'Genuine' } })
  // Later is too late.
  expect(await prepare('Late', stranger.address)).toMatchObject({ error: 'Asset already exists' })
  const { rows } = await runSql(
    connection,
    `SELECT convert_from(body, 'UTF8')::json ->> 'name' AS name, named_at IS NOT NULL AS named FROM documents`,
  )
  expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'After', named: false },
    { name: 'Before', named: false },
    { name: 'Genuine', named: true },
  ])
})

test("an agent that names another agent's document gets neither its card nor keeps it hosted", async () => {
  const { url, local, wallet, mint, hashes } = await start()
  await mint({ a2aCard: { ...EXAMPLE_CARD, name: 'Authored', url: 'https://a.example' } })
  const [sha256] = await hashes()
  const [copy, maker] = [createKeypair(), agentMaker(local.chain, wallet, wallet)]
  await maker.create(copy, { name: 'Copy', uri: '', collection: undefined })
  await maker.register(copy.address, `https://slipway.example/v1/documents/${sha256}.json`)
  const { body } = await getJson(`${url}/v1/agents/${copy.address}`)
  expect(body.a2aCard?.name).not.toBe('Authored')
  const { headers } = await rawRequest(url, `/v1/documents/${sha256}.json`)
  expect(headers['cache-control']).toBe('public, max-age=60')
})

test('a document under a former public URL is still ours', async () => {
  const { local, wallet, mint, connection, stop } = await start({ publicUrl: 'http://old.example:8081/base' })
  const minted = await mint({ a2aCard: { ...EXAMPLE_CARD, name: 'Authored', url: 'https://a.example' } })
  expect(await land(local, minted, wallet)).toBeNull()
  await stop()
  const { url } = await startTestService({
    connection,
    config: {
      ...configOf(local),
      publicUrlsPrevious: ['http://older.example', 'http://old.example:8081/base'],
    },
  })
  const { body } = await getJson(`${url}/v1/agents/${minted.assetAddress}`)
  expect(body).toMatchObject({ description: METADATA.description, a2aCard: { name: 'Authored' } })
  expect(body.agentMetadataUri).toMatch(/^http:\/\/old\.example:8081\/base\/v1\/documents\//)
})

test('an agent that is minted on one node is served, with its document, by another', async () => {
  const { local, wallet, mint, connection, hashes } = await start()
  const { url: other } = await startTestService({ connection, config: configOf(local) })
  const minted = await mint()
  const [sha256] = await hashes()
  expect((await rawRequest(other, `/v1/documents/${sha256}.json`)).status).toBe(200)
  expect(await land(local, minted, wallet)).toBeNull()
  expect((await getJson(`${other}/v1/agents/${minted.assetAddress}`)).body).toMatchObject({
    name: METADATA.name,
    a2aCard: { name: METADATA.name },
  })
  expect((await rawRequest(other, `/v1/documents/${sha256}.json`)).headers['cache-control']).toContain(
    'immutable',
  )
})

test('a removed document disappears from the agent and its card, and cannot be prepared again', async () => {
  const { url, local, wallet, mint, hashes, database } = await start()
  const asset = createKeypair()
  const minted = await mint({ asset: asset.address })
  expect(await land(local, minted, wallet, asset)).toBeNull()
  const agent = async () => (await getJson(`${url}/v1/agents/${asset.address}`)).body
  expect((await agent()).description).toBe(METADATA.description)
  const [sha256 = ''] = await hashes()
  expect(await removeDocument(database, sha256)).toBe(true)
  await expect.poll(async () => (await agent()).a2aCard).toBeNull()
  expect(await agent()).toMatchObject({ name: 'Ferrywright', description: '' })
  expect((await rawRequest(url, `/v1/documents/${sha256}.json`)).status).toBe(404)

  const another = createKeypair().address
  await mint({ asset: another })
  const [pending = ''] = await hashes()
  expect(await removeDocument(database, pending)).toBe(true)
  expect(await mint({ asset: another })).toMatchObject({
    error: 'Invalid input data',
    details: [{ path: 'agentMetadata', message: 'was removed by the operator' }],
  })
})
