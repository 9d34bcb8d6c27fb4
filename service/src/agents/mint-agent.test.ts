import { mintAgent, mintAndSubmitAgent } from '@metaplex-foundation/mpl-agent-registry'
import { createCollection } from '@metaplex-foundation/mpl-core'
import { generateSigner, publicKey } from '@metaplex-foundation/umi'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { describeModes, startInMode, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { sha256Of } from '../metadata/own-documents.ts'
import { postJson } from '../testing/demo-launches.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { configOf, fundedWallet, getJson, type Json, land, METADATA, mintBody, umiOf } from './test-mints.ts'

/** The guarantee for the embedded chain. */
const soon = { timeout: 30_000, interval: 50 }

describeModes('minting', mode => {
  async function start(config: object = {}) {
    const local = await startInMode(mode)
    const service = await startTestService({ config: { ...configOf(local), indexer: true, ...config } })
    return { ...service, local, wallet: fundedWallet(local) }
  }

  test('mintAndSubmitAgent of the official client mints an agent that is served within seconds, card included', async () => {
    const { url, local, wallet } = await start()
    const umi = umiOf(local, wallet)
    const { assetAddress } = await mintAndSubmitAgent(umi, { baseUrl: url }, mintBody(wallet.address))
    const agent = `${url}/v1/agents/${assetAddress}`
    await expect.poll(async () => (await getJson(agent)).status, soon).toBe(200)
    const { body } = await getJson(agent)
    const cardUrl = `https://slipway.example/v1/agents/${assetAddress}/agent-card.json`
    expect(body).toMatchObject({
      address: assetAddress,
      owner: wallet.address,
      authority: wallet.address,
      name: METADATA.name,
      description: METADATA.description,
      agentMetadataUri: expect.stringMatching(
        /^https:\/\/slipway\.example\/v1\/documents\/[\da-f]{64}\.json$/,
      ),
      registrations: [{ agentId: assetAddress, agentRegistry: 'solana:101:metaplex' }],
      services: [...METADATA.services, { name: 'A2A', endpoint: cardUrl }],
      a2aCard: { name: METADATA.name, url: cardUrl },
    })
    expect((await getJson(`${agent}/agent-card.json`)).body).toEqual(body.a2aCard)
    expect((await getJson(`${agent}/.well-known/agent-card.json`)).body).toEqual(body.a2aCard)
  })

  test('mintAgent of the official client returns a transaction that lands, and the indexer keeps its document', async () => {
    const { url, local, wallet, connection } = await start()
    const umi = umiOf(local, wallet)
    const minted = await mintAgent(umi, { baseUrl: url }, mintBody(wallet.address))
    expect(minted.transaction.signatures.map(bytes => bytes.every(byte => byte === 0))).toEqual([true, false])
    const signed = await umi.identity.signTransaction(minted.transaction)
    await umi.rpc.sendTransaction(signed)
    // Only the indexer can have found that the chain names the document: there was no request for the agent.
    const named = () => runSql(connection, 'SELECT asset FROM documents WHERE named_at IS NOT NULL')
    await expect.poll(async () => (await named()).rows, soon).toEqual([{ asset: minted.assetAddress }])
    await expect
      .poll(async () => (await getJson(`${url}/v1/agents/${minted.assetAddress}`)).body.owner, soon)
      .toBe(wallet.address)
  })

  test('with a key of the caller the transaction is wholly unsigned, and lands with both signatures', async () => {
    const { url, local, wallet } = await start({ freshKeys: false })
    const asset = createKeypair()
    const { status, body } = await postJson(
      `${url}/v1/agents/mint`,
      mintBody(wallet.address, { asset: asset.address }),
    )
    expect({ status, asset: body.assetAddress }).toEqual({ status: 200, asset: asset.address })
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(body.tx, 'base64'))
    expect(signatures.map(bytes => bytes.every(byte => byte === 0))).toEqual([true, true])
    expect(await land(local, body, wallet, asset)).toBeNull()
    await expect.poll(async () => (await getJson(`${url}/v1/agents/${asset.address}`)).status, soon).toBe(200)
    const again = await postJson(`${url}/v1/agents/mint`, mintBody(wallet.address, { asset: asset.address }))
    expect(again).toEqual({ status: 400, body: { success: false, error: 'Asset already exists' } })
  })

  test('the update authority of a collection mints into it, and other wallets are refused', async () => {
    const { url, local, wallet } = await start()
    const collection = createKeypair()
    await agentMaker(local.chain, wallet, wallet).createCollection(collection, 'Crew', 'https://a.example/c')
    const mint = (by: string, collectionAddress: string) =>
      postJson(`${url}/v1/agents/mint`, mintBody(by, { collectionAddress }))
    const { body } = await mint(wallet.address, collection.address)
    expect(await land(local, body, wallet)).toBeNull()
    await expect
      .poll(async () => (await getJson(`${url}/v1/agents/${body.assetAddress}`)).body, soon)
      .toMatchObject({ owner: wallet.address, authority: collection.address, name: METADATA.name })
    expect(await mint(fundedWallet(local).address, collection.address)).toEqual({
      status: 403,
      body: { success: false, error: 'Not authorized' },
    })
    for (const none of [body.assetAddress, createKeypair().address])
      expect(await mint(wallet.address, none)).toEqual({
        status: 400,
        body: { success: false, error: 'Collection not found' },
      })
  })

  test('an authored card is served byte for byte, and the document records its hash', async () => {
    const { url, local, wallet } = await start()
    // The order of keys and unknown fields count.
    const { name, description, ...rest } = EXAMPLE_CARD
    const a2aCard = {
      'x-first': [1, { b: 2, a: 1 }],
      ...rest,
      description,
      name,
      url: 'https://a.example/a2a',
    }
    const { body } = await postJson(`${url}/v1/agents/mint`, mintBody(wallet.address, { a2aCard }))
    expect(await land(local, body, wallet)).toBeNull()
    const agent = `${url}/v1/agents/${body.assetAddress}`
    const card = async (path: string) => (await fetch(`${agent}/${path}`)).text()
    await expect.poll(() => card('agent-card.json'), soon).toBe(JSON.stringify(a2aCard))
    expect(await card('.well-known/agent-card.json')).toBe(JSON.stringify(a2aCard))
    const detail: Json = (await getJson(agent)).body
    expect(detail.a2aCard).toEqual(a2aCard)
    expect(detail.a2aCardSha256).toBe(sha256Of(Buffer.from(JSON.stringify(a2aCard))))
  })
})

testRealPrograms(
  'a delegate of a collection gets a transaction, although Core still refuses the registration',
  async () => {
    const local = await startInMode('real programs')
    const { url } = await startTestService({ config: configOf(local) })
    const [authority, delegate, additional] = [fundedWallet(local), fundedWallet(local), fundedWallet(local)]
    const umi = umiOf(local, authority)
    const collection = generateSigner(umi)
    await createCollection(umi, {
      collection,
      name: 'Crew',
      uri: 'https://a.example/c',
      plugins: [
        {
          type: 'UpdateDelegate',
          authority: { type: 'Address', address: publicKey(delegate.address) },
          additionalDelegates: [publicKey(additional.address)],
        },
      ],
    }).sendAndConfirm(umi, { confirm: { commitment: 'confirmed' } })
    for (const wallet of [delegate, additional]) {
      const change = { collectionAddress: collection.publicKey }
      const { status, body } = await postJson(`${url}/v1/agents/mint`, mintBody(wallet.address, change))
      expect(status).toBe(200)
      // The asset may be created (instruction 0); adding the agent's plugin (instruction 1) has no approvals.
      await expect(land(local, body, wallet)).rejects.toThrow(/Instruction 1: custom program error: 0x1a/)
    }
  },
)
