import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { worldKey } from '@slipway/local-chain/world/keys'
import { startMarket } from '@slipway/local-chain/world/market'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { findAgent } from '../store/agents.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { isEndurance } from '../testing/endurance.ts'
import { startTestService } from '../testing/test-service.ts'
import { type NaiveLaunch, readNaively, registerWorld } from './testing/naive.ts'
import { seededRandom } from './testing/random.ts'
import { openTestRpc } from './testing/test-rpc.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const MARKET_MS = Number(process.env.MARKET_MS ?? (isEndurance ? 20_000 : 2_000))
const ROUNDS_MIN = 4
/** The guarantee for the embedded chain. `npm test` can't assert it, because the machine may be busy. */
const VISIBLE_MS = isEndurance ? 2_000 : 60_000
const LATER = { timeout: 60_000 }
/** Without sweeps, whatever is shown was reported. */
const reportsOnly = { sweepMs: 2 ** 30 }

const openRpc = () => openTestRpc(demo.chainOf().local.rpcUrl)

type Service = Awaited<ReturnType<typeof startTestService>>

async function startIndexed(config: object = {}, launches = demo.chainOf().world.launches): Promise<Service> {
  const service = await startTestService({
    config: { ...demo.config(), indexer: true, ...config },
    limits: { indexer: reportsOnly },
  })
  await registerWorld(service.database, network, launches, registeredAt)
  await expect.poll(async () => (await findProgress(service.database, network))?.isComplete, LATER).toBe(true)
  return service
}

type Listed = { launch: NaiveLaunch & { genesisAddress: Address } }

async function listed(url: string): Promise<Map<Address, NaiveLaunch>> {
  const { data } = (await (await fetch(`${url}/v1/launches`)).json()) as { data: Listed[] }
  return new Map(
    data.map(({ launch }) => {
      const { genesisAddress, mechanic, startTime, endTime, graduatedAt, lastActivityAt } = launch
      return [genesisAddress, { mechanic, startTime, endTime, graduatedAt, lastActivityAt }]
    }),
  )
}

async function readAllNaively(
  rpc: ReturnType<typeof openRpc>,
  graduations: Map<Address, number>,
): Promise<Map<Address, NaiveLaunch>> {
  const all = new Map<Address, NaiveLaunch>()
  for (const { genesisAddress } of demo.chainOf().world.launches)
    all.set(genesisAddress, await readNaively(rpc, genesisAddress, registeredAt, graduations))
  return all
}

test('while the market moves, every checked slot reaches the listing by reports alone', async () => {
  const { seed, random } = seededRandom()
  const { local, world } = demo.chainOf()
  const service = await startIndexed()
  const rpc = openRpc()
  const graduations = new Map<Address, number>()
  const expected = await readAllNaively(rpc, graduations)
  await expect.poll(() => listed(service.url), LATER).toEqual(expected)
  await expect
    .poll(async () => (await fetch(`${service.url}/readyz`)).text(), LATER)
    .toMatch(/indexer chain-mainnet: ok, indexed by this node, \d+ slots \(\d/)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('slipway_index_leading{network="chain-mainnet"} 1')
  const market = startMarket({
    chain: local.chain,
    world,
    moveMs: 1e9,
    random,
    onError(error) {
      throw error
    },
  })
  onTestFinished(() => market.stop())
  const trades = marketTrades(local.chain, world.environment)
  let touched = new Set<string>()
  onTestFinished(
    local.chain.on('commit', ({ accounts }) => {
      for (const address of accounts.keys()) touched.add(address)
    }),
  )
  const untilMs = Date.now() + MARKET_MS
  const tookMs: number[] = []
  let hasGraduated = false
  while (Date.now() < untilMs || tookMs.length < ROUNDS_MIN) {
    for (let move = Math.floor(random() * 6); move >= 0; move -= 1) market.step()
    if (random() < 0.3 || !hasGraduated) {
      const curve = world.launches.find(
        launch =>
          launch.plan.mechanic === 'bondingCurveV2' && !launch.entry.waits && !trades.isGraduated(launch),
      )
      if (curve) trades.graduate(curve)
      hasGraduated = true
    }
    const movedMs = Date.now()
    const changed = world.launches.filter(({ addresses: { primary, amm } }) =>
      [primary, amm].some(address => touched.has(address)),
    )
    touched = new Set()
    for (const { genesisAddress } of changed)
      expected.set(genesisAddress, await readNaively(rpc, genesisAddress, registeredAt, graduations))
    await expect
      .poll(() => listed(service.url), { timeout: VISIBLE_MS, interval: 20, message: `seed ${seed}` })
      .toEqual(expected)
    if (changed.length > 0) tookMs.push(Date.now() - movedMs)
  }
  expect(await listed(service.url), `seed ${seed}`).toEqual(await readAllNaively(rpc, graduations))
  expect(Math.max(...tookMs), `seed ${seed}`).toBeLessThan(VISIBLE_MS)
})

test('the creation, sale and burning of an agent are each shown by reports alone', async () => {
  const { chain, airdrop } = demo.chainOf().local
  const service = await startIndexed()
  const detail = async (address: Address) =>
    (await fetch(`${service.url}/v1/agents/${address}`)).json() as Promise<{ agentMetadataUri: string }>
  const [first, second, asset] = ['first', 'second', 'asset'].map(name => worldKey(chain, `test ${name}`))
  if (!first || !second || !asset) throw new Error('a key is missing')
  airdrop(first.address, 10_000_000_000n)
  airdrop(second.address, 10_000_000_000n)
  const by = agentMaker(chain, first, first)
  const sample = demo.chainOf().world.agents[0]
  if (!sample) throw new Error('no agents')
  const uri = (await detail(sample.address)).agentMetadataUri
  await by.create(asset, { name: 'Newcomer', uri: 'https://nowhere.invalid/x.json', collection: undefined })
  await by.register(asset.address, uri)
  const stored = async () => (await findAgent(service.database, network, asset.address)).row
  // No request has asked for it: the indexer found it and its document.
  await expect.poll(async () => (await stored())?.owner, { timeout: VISIBLE_MS }).toBe(first.address)
  await expect
    .poll(async () => (await stored())?.documents.registration, { timeout: VISIBLE_MS })
    .toBeTruthy()
  expect(await detail(asset.address)).toMatchObject({ success: true, owner: first.address })

  await by.transfer(asset.address, second.address)
  await expect
    .poll(() => detail(asset.address), { timeout: VISIBLE_MS })
    .toMatchObject({ success: true, owner: second.address })

  await agentMaker(chain, second, second).burn(asset.address)
  await expect
    .poll(() => detail(asset.address), { timeout: VISIBLE_MS })
    .toEqual({ success: false, error: 'Agent not found' })
})

test('a launch registered from an older state of the chain is corrected without a report', async () => {
  const [late, ...others] = demo.chainOf().world.launches
  if (!late) throw new Error('no launches')
  const service = await startIndexed({}, others)
  const expected = await readNaively(openRpc(), late.genesisAddress, registeredAt)
  await registerWorld(service.database, network, [late], registeredAt)
  await expect
    .poll(async () => (await listed(service.url)).get(late.genesisAddress), { timeout: VISIBLE_MS })
    .toEqual(expected)
})

test('a node with the indexer turned off does not index, and is still ready', async () => {
  const service = await startTestService({ config: { ...demo.config(), indexer: false } })
  const response = await fetch(`${service.url}/readyz`)
  expect(await response.text()).toContain('indexer chain-mainnet: ok, not indexed by this node, nothing read')
  expect(response.status).toBe(200)
})
