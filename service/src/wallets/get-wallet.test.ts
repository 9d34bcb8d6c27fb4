import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import type { Wallet } from '@slipway/schema/wallet'
import { beforeAll, expect, test, vi } from 'vitest'
import { createSlipway } from '../../../client/src/main.ts'
import { tokenWriter } from '../agents/wallet/test-tokens.ts'
import { recordIndex } from '../creator-rewards/test-claims.ts'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, demoWallet, postJson, registrationOf, submitBuilt } from '../testing/demo-launches.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { openTestService, startTestService, useTestService } from '../testing/test-service.ts'

const world = useDemo()
const limits = { indexer: { recordsMs: 100 } }
const indexing = () => ({ config: { ...world.config(), indexer: true }, limits })
const service = useTestService(indexing)
const LAUNCHES = ['orchard-ledger', 'quiet-engine', 'patchbot']
const later = { timeout: 60_000, interval: 100 }

beforeAll(async () => {
  await register(service().url)
  await indexed(service().url)
})
/** Until then, wallets are not available. */
const indexed = (url: string) => vi.waitFor(() => fresh(createKeypair().address, url), later)

async function register(url: string) {
  for (const slug of LAUNCHES)
    expect(await postJson(`${url}/v1/launches/register`, registrationOf(world, slug))).toMatchObject({
      status: 200,
    })
}

async function getJson(path: string, url = service().url) {
  const answer = await fetch(`${url}${path}`)
  return { status: answer.status, body: (await answer.json()) as { data: Wallet } }
}
/** What a node that has read the wallet before would not show. */
let reads = 0
const fresh = async (wallet: string, url?: string) => {
  reads += 1
  const { status, body } = await getJson(`/v1/wallets/${wallet}?limit=${(reads % 150) + 20}`, url)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
const launchesOf = async (wallet: string, url?: string) =>
  (await fresh(wallet, url)).positions.map(({ baseToken }) => baseToken.name).sort()

const aWallet = () => demoWallet(world, 20_000_000_000n)
const submit = submitBuilt.bind(undefined, world)
async function build(slug: string, action: string, body: object, url = service().url) {
  const path = `${url}/v1/launches/${demoLaunch(world, slug).genesisAddress}/${action}`
  const built = await postJson(path, body)
  expect([slug, action, built.status]).toEqual([slug, action, 200])
  return built.body
}

test('a wallet has its deposits and purchases as positions, each as its own endpoint shows it', async () => {
  const key = aWallet()
  const wallet = key.address
  expect((await getJson(`/v1/wallets/${wallet}`)).body).toEqual({
    data: {
      positions: [],
      launches: [],
      agents: [],
      rewards: [],
      truncated: false,
      unavailable: [],
      next: { positions: null, launches: null, agents: null, rewards: null },
    },
  })
  for (const slug of ['orchard-ledger', 'quiet-engine'])
    await submit(await build(slug, 'deposit', { wallet, amount: '1000000000' }), key)
  await submit(await build('patchbot', 'swap', { wallet, side: 'buy', amount: '10000000' }), key)
  await expect.poll(() => launchesOf(wallet), later).toHaveLength(3)
  const { positions, truncated } = await createSlipway({ url: service().url }).wallets.get(wallet, {
    limit: 199,
  })
  // Registered in this order.
  expect(positions.map(({ genesisAddress }) => genesisAddress)).toEqual(
    LAUNCHES.map(slug => demoLaunch(world, slug).genesisAddress).reverse(),
  )
  expect(truncated).toBe(false)
  for (const { launch, baseToken, genesisAddress, ...position } of positions) {
    const one = await fetch(`${service().url}/v1/launches/${genesisAddress}/positions/${wallet}`)
    const { data } = (await one.json()) as { data: object }
    expect(position).toEqual({ ...data, slot: expect.any(Number) })
    expect([launch.genesisAddress, baseToken.address]).toContain(genesisAddress)
  }

  const withdrawal = await build('orchard-ledger', 'withdraw', { wallet, amount: 'all' })
  await submit(withdrawal, key)
  await expect.poll(() => launchesOf(wallet), later).toHaveLength(2)
})

test("an owner's agents are listed, and what they deposit is in the agents' own wallets", async () => {
  const { address: agent, owner } = world.agent('patchbot')
  const agentWallet = assetSignerAddress(agent as Address)
  world.chainOf().local.airdrop(owner.address, 20_000_000_000n)
  world.chainOf().local.airdrop(agentWallet, 5_000_000_000n)
  const body = { wallet: owner.address, agent, amount: '1000000000' }
  await submit(await build('orchard-ledger', 'deposit', body), owner)
  await expect.poll(() => launchesOf(agentWallet), later).toHaveLength(1)
  await expect
    .poll(async () => (await fresh(owner.address)).agents, later)
    .toContainEqual({
      address: agent,
      name: 'Patchbot',
      image: expect.any(String),
      wallet: agentWallet,
      lamports: `${world.chainOf().local.chain.account(agentWallet)?.lamports}`,
    })
  expect(await launchesOf(owner.address)).toEqual([])
})

test('a creator has the launches that pay it, and its rewards per token', async () => {
  const { creator, genesisAddress } = demoLaunch(world, 'patchbot')
  const rewards = await fetch(`${service().url}/v1/creator-rewards/${creator.address}`)
  const { data } = (await rewards.json()) as { data: { buckets: object[]; totals: { claimable: string }[] } }
  expect(data.totals).toHaveLength(1)
  const found = await fresh(creator.address)
  expect(found.launches).toMatchObject([{ launch: { genesisAddress }, baseToken: { name: 'Patchbot' } }])
  expect(found.rewards).toEqual([
    {
      quoteMint: 'So11111111111111111111111111111111111111112',
      claimable: data.totals[0]?.claimable,
      buckets: data.buckets.length,
    },
  ])
})

test('a deposit that was made while no node ran appears, on a node that indexes and on one that does not', async () => {
  const { connection } = await createTestDatabase()
  const first = await openTestService({ ...indexing(), connection })
  const key = aWallet()
  const wallet = key.address
  await register(first.url)
  await indexed(first.url)
  const built = await build('orchard-ledger', 'deposit', { wallet, amount: '1000000000' }, first.url)
  await first.stop()
  await submit(built, key)
  const idle = await startTestService({ connection, config: { ...world.config(), indexer: false }, limits })
  expect(await launchesOf(wallet, idle.url)).toEqual([])
  const second = await startTestService({ ...indexing(), connection })
  for (const { url } of [second, idle])
    await expect.poll(() => launchesOf(wallet, url), later).toEqual(['Orchard Ledger'])
})

test('a launch that is registered after a deposit has it', async () => {
  const { visitor } = world.chainOf().world
  expect(await launchesOf(visitor.address)).not.toContain('Tollgate')
  await postJson(`${service().url}/v1/launches/register`, registrationOf(world, 'tollgate'))
  await expect.poll(() => launchesOf(visitor.address), later).toContain('Tollgate')
})

test('of more than 1,000 token accounts, 1,000 are looked at', async () => {
  const { local } = world.chainOf()
  const tokens = tokenWriter(local)
  const wallet = createKeypair().address as Address
  const mint = tokens.mint()
  // In one slot, because a thousand take seconds.
  const held = new Map()
  const writeAccounts = (accounts: Map<unknown, unknown>) => {
    for (const [address, account] of accounts) held.set(address, account)
  }
  const collecting = tokenWriter({ chain: { ...local.chain, writeAccounts } } as never)
  for (let at = 0; at < 1_000; at += 1)
    collecting.hold(wallet, mint, 1n, { address: addressOf(`held ${at}`) })
  local.chain.writeAccounts(held)
  expect(await fresh(wallet)).toMatchObject({ positions: [], truncated: false })
  tokens.hold(wallet, mint, 1n)
  await expect.poll(async () => (await fresh(wallet)).truncated, later).toBe(true)
})

test('all pages share one read of the token accounts, and requests have a limit of their own', async () => {
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const { connection } = await createTestDatabase()
  const { url } = await startTestService({
    connection,
    limits,
    config: {
      ...world.config(),
      rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] },
      rateLimits: { reads: 0, writes: 0, chainReads: 12, checks: 0 },
    },
  })
  const path = `/v1/wallets/${createKeypair().address}`
  expect(await getJson(path, url)).toEqual({
    status: 503,
    body: { error: { message: 'Service unavailable' } },
  })
  await recordIndex(connection, world.chainOf().local)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => getJson(`${path}?limit=${1 + Math.floor(at / 2)}`, url)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(proxy.count('getTokenAccountsByOwner')).toBe(2)
  expect((await getJson(`${path}?network=chain-devnet`, url)).body).toEqual({
    error: { message: '✖ Network does not match this server' },
  })
  expect((await getJson(path, url)).status).toBe(429)
})

test('invalid input is 400', async () => {
  const wallet = createKeypair().address
  const cursor = Buffer.from('["x",1]').toString('base64url')
  const cases = [
    ['/v1/wallets/junk', '✖ Invalid wallet address'],
    [`/v1/wallets/${wallet}?network=moonnet`, '✖ Invalid network'],
    [`/v1/wallets/${wallet}?limit=201`, '✖ Invalid limit'],
    ...['positions', 'launches', 'agents'].flatMap(list => [
      [`/v1/wallets/${wallet}?${list}=junk`, '✖ Invalid cursor'],
      [`/v1/wallets/${wallet}?${list}=${cursor}`, '✖ Invalid cursor'],
    ]),
  ]
  for (const [path = '', message] of cases)
    expect([path, await getJson(path)]).toEqual([path, { status: 400, body: { error: { message } } }])
})
