// @module-tag timing
import { mintAndSubmitAgent } from '@metaplex-foundation/mpl-agent-registry'
import { publicKey } from '@metaplex-foundation/umi'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, type Json, land, mintBody, umiOf } from '../../agents/test-mints.ts'
import { assetSignerAddress } from '../../chain/addresses/addresses.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { changed, curveInput, payloadOf, poolInput } from './test-launches.ts'

async function start() {
  const local = await startChain()
  const { url } = await startTestService({ config: configOf(local) })
  const wallet = fundedWallet(local)
  const create = (payload: Json) => postJson(`${url}/v1/launches/create`, payload)
  return { local, url, wallet, create }
}

/** Sends the first transaction only, and asks for the rest, until nothing is left. Returns how many were left each time. */
async function createInterrupted(
  { local, wallet, create }: Awaited<ReturnType<typeof start>>,
  payload: Json,
) {
  const first = await create(payload)
  expect({ status: first.status, ...first.body }).toMatchObject({ status: 200, success: true })
  const { genesisAccount, mintAddress } = first.body
  const left: number[] = []
  for (let { body } = first; body.transactions.length > 0; ) {
    left.push(body.transactions.length)
    expect(await land(local, { tx: body.transactions[0] }, wallet)).toBeNull()
    const next = await create({ ...payload, genesisAccount })
    expect({ status: next.status, ...next.body }).toMatchObject({ status: 200, genesisAccount, mintAddress })
    body = next.body
  }
  return { left, genesisAccount, mintAddress }
}

test('a creation that is interrupted after any of its transactions is completed with genesisAccount', async () => {
  const world = await start()
  const { local, wallet, url, create } = world
  const umi = umiOf(local, wallet)
  const agent = async () => {
    const { assetAddress } = await mintAndSubmitAgent(umi, { baseUrl: url }, mintBody(wallet.address))
    const agentWallet = assetSignerAddress(assetAddress as Address)
    return { agent: { mint: publicKey(assetAddress), setToken: true }, agentWallet }
  }
  for (const payload of [
    payloadOf(poolInput(wallet.address)),
    payloadOf(curveInput(wallet.address, { firstBuyAmount: 0.1 })),
    payloadOf(poolInput(wallet.address, {}, await agent())),
    payloadOf(curveInput(wallet.address, { firstBuyAmount: 0.1 }, await agent())),
  ]) {
    const { left, genesisAccount } = await createInterrupted(world, payload)
    // Nothing was built that had been done before.
    expect(left).toEqual(Array.from(left, (_, index) => left.length - index))
    const { body } = await postJson(`${url}/v1/launches/register`, { ...payload, genesisAccount })
    expect(body).toMatchObject({ success: true, existing: false })
    expect((await create({ ...payload, genesisAccount })).body.transactions).toEqual([])
  }
}, 60_000)

test('a launch is continued only as it was begun, and only for its authority', async () => {
  const { local, wallet, create } = await start()
  const payload = payloadOf(poolInput(wallet.address))
  const { body } = await create(payload)
  const { genesisAccount } = body
  expect(await create({ ...payload, genesisAccount })).toMatchObject({
    status: 400,
    body: { error: 'Genesis account not found', details: [{ path: 'genesisAccount' }] },
  })
  for (const tx of body.transactions.slice(0, 2)) expect(await land(local, { tx }, wallet)).toBeNull()
  const answer = async (path: string, value: unknown) => {
    const { status, body } = await create(changed({ ...payload, genesisAccount }, path, value))
    return { status, error: body.error, messages: body.details?.map(({ message }: Json) => message) }
  }
  const differs = (...names: string[]) => ({
    status: 400,
    error: 'Validation failed',
    messages: names.map(name => `is not the launch at genesisAccount: its ${name} differs`),
  })
  const document = 'document (name, symbol, image, description and links)'
  const pool = 'launch.allocations.0.launchpoolV2'
  expect(await answer('launch.name', 'Other')).toEqual(differs('name', document))
  expect(await answer('launch.image', 'https://images.example/other.png')).toEqual(differs(document))
  expect(await answer(`${pool}.depositEndCondition.timestamp`, '2100-01-01T00:00:00Z')).toEqual(
    differs('launch pool', 'extensions of the launch pool'),
  )
  for (const [field, value] of [
    ['minimumQuoteTokenThreshold', 3],
    ['depositBonus', undefined],
  ] as const)
    expect(await answer(`${pool}.${field}`, value)).toEqual(differs('extensions of the launch pool'))
  const stranger = createKeypair().address
  const strangers = changed({ ...payload, genesisAccount, wallet: stranger }, 'launch.publicKey', stranger)
  expect(await create(strangers)).toMatchObject({
    status: 403,
    body: { error: 'Not authorized', details: [{ path: 'genesisAccount' }] },
  })
}, 30_000)

test("with the caller's own mint nothing is signed, and a creation that has not begun is continued", async () => {
  const { local, wallet, create } = await start()
  const mint = createKeypair()
  const payload = { ...payloadOf(curveInput(wallet.address)), mint: mint.address }
  const { body } = await create(payload)
  for (const tx of body.transactions) {
    const bytes = Buffer.from(tx, 'base64')
    const signers = bytes[0] as number
    expect(bytes.subarray(1, 1 + 64 * signers).every(byte => byte === 0)).toBe(true)
  }
  const again = await create({ ...payload, genesisAccount: body.genesisAccount })
  expect(again.body.transactions).toHaveLength(body.transactions.length)
  expect(await land(local, { tx: again.body.transactions[0] }, wallet, mint)).toBeNull()
  expect(await create(payload)).toMatchObject({ status: 400, body: { details: [{ path: 'mint' }] } })
})
