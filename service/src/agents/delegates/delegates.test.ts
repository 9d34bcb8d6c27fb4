import { execute, fetchAsset, fetchCollection, transfer } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import { createNoopSigner, publicKey, lamports as toLamports } from '@metaplex-foundation/umi'
import {
  assetSignerAddress,
  delegateRecordAddress,
  executiveProfileAddress,
} from '@slipway/launch-model/addresses'
import { createKeypair, type Keypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { AgentDelegatesBody } from '@slipway/schema/agent-delegates'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { createHeavyReads } from '../../chain/heavy-reads.ts'
import { saveSearched } from '../../store/chain-progress.ts'
import { type DelegationRow, removeDelegations, saveDelegations } from '../../store/delegations.ts'
import { useDemo } from '../../testing/demo.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { CHAIN_ENDS, startTestService, useTestService } from '../../testing/test-service.ts'
import { fundedWallet, getJson, type Json, land, umiOf } from '../test-mints.ts'
import { buildRevocation } from './change-delegates.ts'
import { readDelegates } from './read-delegates.ts'

const world = useDemo()
/** The first full read may still be running. */
const INDEXED = { timeout: 60_000 }
const indexed = useTestService(() => ({ config: { ...world.config(), indexer: true } }))

function prepare(slug: string, { url } = indexed()) {
  const { local } = world.chainOf()
  const { address, owner } = world.agent(slug) as unknown as { address: Address; owner: Keypair }
  const delegate = fundedWallet(local)
  const executive = executiveProfileAddress(delegate.address as string as Address)
  const post = (path: string, body: object): Promise<{ status: number; body: Json }> =>
    postJson(`${url}/v1/${path}`, body)
  const act = (path: string, body: object) =>
    post(`agents/${address}/${path}`, { sender: owner.address, ...body })
  return {
    local,
    address,
    owner,
    delegate,
    executive,
    record: delegateRecordAddress(executive, address),
    wallet: assetSignerAddress(address),
    act,
    register: (wallet: string) => post('executives/register', { wallet }),
    appoint: () => act('delegate', { executive: delegate.address }),
    delegates: async () => (await getJson(`${url}/v1/agents/${address}/delegates`)).body,
    count: async () => {
      const { body } = await getJson(`${url}/v1/agents?owner=${owner.address}&pageSize=100`)
      const found = body.data.agents.find(({ mintAddress }: Json) => mintAddress === address)
      return found?.delegates
    },
    land: (built: { body: Json }, by: Keypair) => land(local, built.body, by),
  }
}

/** A transaction by the delegate's own client, which takes everything in the agent's wallet. */
async function takeEverything(given: ReturnType<typeof prepare>) {
  const umi = umiOf(given.local, given.delegate)
  const asset = await fetchAsset(umi, publicKey(given.address))
  const collection =
    asset.updateAuthority.type === 'Collection'
      ? await fetchCollection(umi, publicKey(asset.updateAuthority.address as string))
      : undefined
  const held = given.local.chain.account(given.wallet as never)?.lamports ?? 0n
  const take = execute(umi, {
    asset,
    ...(collection && { collection }),
    instructions: transferSol(umi, {
      source: createNoopSigner(publicKey(given.wallet)),
      destination: umi.identity.publicKey,
      amount: toLamports(held),
    }),
    executionDelegateRecord: publicKey(given.record),
  })
  await take.sendAndConfirm(umi)
  return held
}

test('a delegate is listed before it moves everything, and can move nothing once it is revoked', async () => {
  const given = prepare('tidewatch')
  const { local, owner, delegate, executive, record, wallet, act, appoint, delegates } = given
  expect(await appoint()).toEqual({ status: 400, body: { success: false, error: 'Not an executive' } })
  expect(await given.land(await given.register(delegate.address), delegate)).toBeNull()
  expect(await given.register(delegate.address)).toEqual({
    status: 400,
    body: { success: false, error: 'Already an executive' },
  })
  expect(await delegates()).toEqual({ success: true, data: { delegates: [], total: 0 } })
  expect(await given.land(await appoint(), owner)).toBeNull()
  expect(await appoint()).toEqual({ status: 400, body: { success: false, error: 'Already delegated' } })

  await expect
    .poll(async () => (await delegates()).data.delegates[0]?.since, INDEXED)
    .toEqual(expect.any(String))
  const body = await delegates()
  expect(() => AgentDelegatesBody.parse(body)).not.toThrow()
  expect(body.data).toEqual({
    delegates: [
      { record, executive, wallet: delegate.address, since: expect.any(String), byFormerOwner: false },
    ],
    total: 1,
  })
  await expect.poll(given.count, INDEXED).toBe(1)

  local.airdrop(wallet as never, 1_000_000_000n)
  expect(await takeEverything(given)).toBeGreaterThanOrEqual(1_000_000_000n)
  expect(local.chain.account(wallet as never)?.lamports ?? 0n).toBe(0n)

  expect(await given.land(await act('revoke', { record }), owner)).toBeNull()
  await expect.poll(async () => (await delegates()).data.total, INDEXED).toBe(0)
  expect(await act('revoke', { record })).toEqual({
    status: 400,
    body: { success: false, error: 'No such delegation' },
  })
  local.airdrop(wallet as never, 1_000_000_000n)
  await expect(takeEverything(given)).rejects.toThrow()
})

test('a delegation by a former owner is marked as one, and the new owner or the delegate can end it', async () => {
  const given = prepare('night-heron')
  const { local, address, owner, delegate, record, act, delegates } = given
  expect(await given.land(await given.register(delegate.address), delegate)).toBeNull()
  expect(await given.land(await given.appoint(), owner)).toBeNull()
  await expect
    .poll(async () => (await delegates()).data.delegates[0]?.since, INDEXED)
    .toEqual(expect.any(String))

  const buyer = fundedWallet(local)
  const umi = umiOf(local, owner)
  const asset = await fetchAsset(umi, publicKey(address))
  const collection =
    asset.updateAuthority.type === 'Collection'
      ? await fetchCollection(umi, publicKey(asset.updateAuthority.address as string))
      : undefined
  const within = collection ? { collection } : {}
  await transfer(umi, { asset, newOwner: publicKey(buyer.address), ...within }).sendAndConfirm(umi)
  await expect
    .poll(async () => (await delegates()).data.delegates, INDEXED)
    .toMatchObject([{ record, byFormerOwner: true }])
  expect(await act('revoke', { record })).toEqual({
    status: 403,
    body: { success: false, error: 'Not authorized' },
  })
  expect((await act('revoke', { record, sender: buyer.address })).status).toBe(200)
  expect(await given.land(await act('revoke', { record, sender: delegate.address }), delegate)).toBeNull()
  await expect.poll(async () => (await delegates()).data.total, INDEXED).toBe(0)
})

test('input, agent, owner and delegation are checked in this order', async () => {
  const { address, owner, delegate, act } = prepare('patchbot')
  const { url } = indexed()
  const refused = (status: number, error: string) => ({ status, body: { success: false, error } })
  const stranger = createKeypair().address
  const post = (path: string, body: object) => postJson(`${url}/v1/agents/${path}`, body)
  for (const [path, field] of [
    ['delegate', 'executive'],
    ['revoke', 'record'],
  ] as const) {
    const body = { sender: owner.address, [field]: delegate.address }
    expect(await post(`junk/${path}`, body)).toMatchObject({
      status: 400,
      body: { error: 'Invalid input data' },
    })
    expect(await act(path, { ...body, [field]: 'junk' })).toMatchObject({
      status: 400,
      body: { error: 'Invalid input data', details: [{ path: field }] },
    })
    expect(await post(`${stranger}/${path}`, body)).toEqual(refused(404, 'Agent not found'))
    expect(await act(path, { ...body, sender: stranger })).toEqual(refused(403, 'Not authorized'))
  }
  expect(
    await post(`${world.agent('unregistered').address}/delegate`, {
      sender: owner.address,
      executive: stranger,
    }),
  ).toEqual(refused(404, 'Agent not found'))
  // The agent's own address, which is not a record.
  expect(await act('revoke', { record: address })).toEqual(refused(400, 'No such delegation'))
  expect(await getJson(`${url}/v1/agents/${stranger}/delegates`)).toMatchObject({ status: 404 })
  expect(await postJson(`${url}/v1/executives/register`, { wallet: 'junk' })).toMatchObject({
    status: 400,
    body: { success: false, error: 'Invalid input data', details: [{ path: 'wallet' }] },
  })
})

test('a delegation has no time before the index has seen it, and a node that cannot list accounts shows those that a complete index knows', async () => {
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const service = await startTestService({
    limits: CHAIN_ENDS,
    config: { ...world.config(), rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] } },
  })
  const given = prepare('bellringer', service)
  const url = `${service.url}/v1/agents/${given.address}/delegates`
  const { owner, delegate, executive, record, address, delegates } = given
  const wallet = delegate.address as string as Address
  expect(await given.land(await given.register(wallet), delegate)).toBeNull()
  expect(await given.land(await given.appoint(), owner)).toBeNull()
  const listed = { record, executive, wallet, byFormerOwner: false }
  await expect
    .poll(async () => (await delegates()).data.delegates, INDEXED)
    .toEqual([{ ...listed, since: null }])

  proxy.behave = method =>
    method === 'getProgramAccounts' ? { status: 403, body: 'not in your plan' } : undefined
  await expect.poll(async () => (await getJson(url)).status, INDEXED).toBe(503)
  await saveDelegations(
    service.database,
    'chain-mainnet',
    [{ record, executive, wallet, agent: address, firstOwner: null }],
    1,
  )
  await removeDelegations(service.database, 'chain-mainnet', [record], 0)
  await saveSearched(service.database, 'chain-mainnet', 'hasDelegations')
  await expect
    .poll(async () => (await delegates()).data?.delegates, INDEXED)
    .toEqual([{ ...listed, since: expect.any(String) }])
})

test('a known delegation that one endpoint lacks is listed and can be revoked', async () => {
  const { local, address, owner, delegate, record, ...given } = prepare('patchbot')
  expect(await given.land(await given.register(delegate.address), delegate)).toBeNull()
  expect(await given.land(await given.appoint(), owner)).toBeNull()
  let isLacking = true
  let isIndexed = true
  const read = (each: Address): ChainAccount => {
    const found = local.chain.account(each as never)
    if (!found || (isLacking && each === record)) return { exists: false, address: each }
    return { ...found, exists: true, address: each, owner: `${found.owner}` as Address }
  }
  const recent = async () => ({ blockhash: '1'.repeat(32), lastValidBlockHeight: 1 })
  const parts = {
    rpc: {
      fetchAccounts: async (addresses: readonly Address[]) => ({ slot: 1, accounts: addresses.map(read) }),
      fetchProgramAccounts: async () => ({ slot: 1, accounts: [] }),
      confirmCluster: async () => {},
      async confirmMissing(addresses: readonly Address[]) {
        isLacking = false
        return { found: [...addresses], missing: [], slot: 1 }
      },
      simulate: async () => ({ err: null, logs: [] }),
    },
    heavyReads: createHeavyReads(),
    isKnown: async () => true,
    isIndexed: async () => true,
    findIndexed: async () => (isIndexed ? [{ record } as DelegationRow] : []),
    blockhash: { latest: recent, latestFor: recent },
  }
  const wallet = delegate.address as string as Address
  const revoke = () => buildRevocation(parts, { address, sender: wallet, record })
  expect(await readDelegates(parts, address, 'client')).toMatchObject({
    delegates: [{ record, wallet }],
    total: 1,
  })
  isLacking = true
  expect(await revoke()).toMatchObject({ tx: expect.any(String) })
  isLacking = true
  isIndexed = false
  await expect(revoke()).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' })
})
