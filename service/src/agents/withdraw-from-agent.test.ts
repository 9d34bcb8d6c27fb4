import { setTimeout as sleep } from 'node:timers/promises'
import { burn, fetchAsset, fetchCollection, transfer } from '@metaplex-foundation/mpl-core'
import { publicKey } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { postJson as post } from '../testing/demo-launches.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { type Json, land, umiOf } from './test-mints.ts'

const world = useDemo()
const service = useTestService(() => ({ config: world.config() }))
type DemoAgent = ReturnType<typeof world.agent>

const FEE = 5_000n

const balance = (address: string) => world.chainOf().local.chain.account(address as never)?.lamports ?? 0n

/** Does what a wallet does: signs with the owner's key, submits, and waits for confirmation. */
const signAndSend = async (agent: DemoAgent, built: Json) => ({
  err: await land(world.chainOf().local, built, agent.owner),
})

test.each([
  ['patchbot', 'in a collection, identity version 2'],
  ['quiet-engine', 'alone, identity version 2'],
  ['archivist', 'in a collection, identity version 1'],
  ['bellringer', 'alone, identity version 1'],
  ['unregistered', 'an asset without an identity'],
])('%s (%s): the owner signs the transaction, and exactly the amount moves', async slug => {
  const agent = world.agent(slug)
  const { url } = service()
  const [wallet, owner] = [balance(agent.wallet), balance(agent.owner.address)]
  const amount = 12_345_679n
  const { status, body } = await post(`${url}/v1/agents/${agent.address}/withdraw`, {
    sender: agent.owner.address,
    amount: 0.012345679,
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: true,
      tx: expect.any(String),
      blockhash: { blockhash: expect.any(String), lastValidBlockHeight: expect.any(Number) },
    },
  })
  const { err } = await signAndSend(agent, body)
  expect(err).toBeNull()
  expect(balance(agent.wallet)).toBe(wallet - amount)
  // Besides the amount, only the fees of Core and of the transaction change the balance.
  const rent = world.chainOf().local.chain.vm.rentExemptMinimum
  const coreFee = rent(7) - rent(0)
  expect(balance(agent.owner.address)).toBe(owner + amount - FEE - coreFee)
})

test('equal withdrawals that are a block apart all land', async () => {
  const agent = world.agent('patchbot')
  const { url } = service()
  const before = balance(agent.wallet)
  const body = { sender: agent.owner.address, amount: 0.001 }
  for (const times of [1n, 2n, 3n]) {
    const built = await post(`${url}/v1/agents/${agent.address}/withdraw`, body)
    expect(await signAndSend(agent, built.body)).toEqual({ err: null })
    expect(balance(agent.wallet)).toBe(before - times * 1_000_000n)
    // The local chain confirms a transaction within the block of its own blockhash.
    await sleep(450)
    world.chainOf().local.chain.tick()
  }
})

test('a withdrawal makes one RPC call, for the asset alone', async () => {
  const agent = world.agent('tidewatch')
  const { rpcUrls } = world.config()
  const proxy = await startRpcProxy(rpcUrls?.['chain-mainnet']?.[0] as string)
  const { url, chains } = await startTestService({
    config: { ...world.config(), rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] } },
  })
  await chains['chain-mainnet']?.blockhash.latest()
  proxy.calls.length = 0
  const body = { sender: agent.owner.address, amount: 0.1 }
  expect((await post(`${url}/v1/agents/${agent.address}/withdraw`, body)).status).toBe(200)
  // The blockhash is refreshed in the background.
  expect(proxy.calls.filter(({ method }) => method !== 'getLatestBlockhash')).toMatchObject([
    { method: 'getMultipleAccounts', params: [[agent.address], { commitment: 'confirmed' }] },
  ])
})

test('input, asset and owner are checked in this order, each with its own error', async () => {
  const agent = world.agent('tidewatch')
  const stranger = world.agent('patchbot').owner.address
  const { url } = service()
  const withdraw = (address: string, body: unknown) => post(`${url}/v1/agents/${address}/withdraw`, body)
  const fine = { sender: agent.owner.address, amount: 0.5 }
  const invalid = { status: 400, body: { success: false, error: 'Invalid input data' } }
  const missing = { status: 404, body: { success: false, error: 'Agent not found' } }
  for (const body of [
    {},
    { ...fine, sender: 'nobody' },
    { ...fine, amount: 0 },
    { ...fine, amount: 0.30000000000000004 },
    `{"sender":"${fine.sender}","amount":1e400}`,
    { ...fine, network: 'moonnet' },
  ])
    expect(await withdraw(agent.address, body)).toEqual(invalid)
  expect(await withdraw('junk', fine)).toEqual(invalid)
  // The input is invalid too, and is checked first.
  expect(await withdraw('11111111111111111111111111111112', { ...fine, amount: 0 })).toEqual(invalid)
  for (const address of [
    '11111111111111111111111111111112',
    agent.wallet,
    world.agent('patchbot').token as string,
    world.agent('ashes').address,
  ])
    expect(await withdraw(address, { ...fine, sender: stranger })).toEqual(missing)
  expect(await withdraw(agent.address, { ...fine, sender: stranger })).toEqual({
    status: 403,
    body: { success: false, error: 'Only the agent owner can withdraw funds' },
  })
})

test('a network that is not served is invalid input', async () => {
  const agent = world.agent('tidewatch')
  const { rpcUrls } = world.config()
  const { url } = await startTestService({
    config: {
      ...world.config(),
      rpcUrls: { 'chain-mainnet': rpcUrls?.['chain-mainnet'] ?? [], 'chain-devnet': [] },
    },
  })
  expect(
    await post(`${url}/v1/agents/${agent.address}/withdraw`, {
      sender: agent.owner.address,
      amount: 1,
      network: 'chain-devnet',
    }),
  ).toEqual({ status: 400, body: { success: false, error: 'Invalid input data' } })
})

test('right after a sale, only the new owner can withdraw, and right after a burn, no one can', async () => {
  const agent = world.agent('night-heron')
  const buyer = world.agent('tidewatch')
  const { url } = service()
  const withdraw = (sender: string) =>
    post(`${url}/v1/agents/${agent.address}/withdraw`, { sender, amount: 0.01 }).then(({ status }) => status)
  expect(await withdraw(agent.owner.address)).toBe(200)

  const umi = umiOf(world.chainOf().local, agent.owner)
  const asset = await fetchAsset(umi, publicKey(agent.address))
  const collection =
    asset.updateAuthority.type === 'Collection'
      ? await fetchCollection(umi, publicKey(asset.updateAuthority.address as string))
      : undefined
  const within = collection ? { collection } : {}
  await transfer(umi, { asset, newOwner: publicKey(buyer.owner.address), ...within }).sendAndConfirm(umi)
  expect(await withdraw(agent.owner.address)).toBe(403)
  expect(await withdraw(buyer.owner.address)).toBe(200)

  const last = umiOf(world.chainOf().local, buyer.owner)
  await burn(last, { asset: await fetchAsset(last, publicKey(agent.address)), ...within }).sendAndConfirm(
    last,
  )
  expect(await withdraw(buyer.owner.address)).toBe(404)
})

test('the chain refuses an amount that the wallet does not hold, or that leaves less than the rent minimum', async () => {
  const agent = world.agent('bellringer')
  const { url } = service()
  const build = (lamports: bigint) =>
    post(`${url}/v1/agents/${agent.address}/withdraw`, {
      sender: agent.owner.address,
      amount: Number(lamports) / 1e9,
    })
  const held = balance(agent.wallet)
  for (const lamports of [held - 1n, held + 1n]) {
    const { status, body } = await build(lamports)
    expect(status).toBe(200)
    await expect(signAndSend(agent, body)).rejects.toThrow()
    expect(balance(agent.wallet)).toBe(held)
  }
  const { body } = await build(held)
  expect((await signAndSend(agent, body)).err).toBeNull()
  expect(balance(agent.wallet)).toBe(0n)
})
