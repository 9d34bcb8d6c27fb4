import { AGENT_TOOLS_PROGRAM, CORE_PROGRAM } from '@slipway/launch-model/programs'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { worldKey } from '@slipway/local-chain/world/keys'
import type { Address } from '@slipway/schema/address'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../../chain/account-reader.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { findProgress, requestFullRead, saveScan } from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'
import { saveIndexedAgents } from '../../store/indexed-agents.ts'
import { agents } from '../../store/tables.ts'
import { useDemo } from '../../testing/demo.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { createTestDatabase, runSql } from '../../testing/test-database.ts'
import { indexAgents } from '../accounts/index-agents.ts'
import { readStore } from '../testing/agreement.ts'
import { NO_FAULTS, startFaultyNode } from '../testing/faulty-node.ts'
import { startTestIndexer } from '../testing/indexer.ts'
import { readNaively, registerWorld } from '../testing/naive.ts'
import { seededRandom } from '../testing/random.ts'
import { openTestRpc, PATIENT_RPC } from '../testing/test-rpc.ts'
import { indexNetworkOnce } from './full-read.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const later = { timeout: 60_000, interval: 50 }
const NEVER_MS = 2 ** 30
/** No sweeps: accounts are read only for a reason. */
const limits = { sweepMs: NEVER_MS }

async function prepare() {
  const { chain, rpcUrl, wsUrl, airdrop } = demo.chainOf().local
  const { connection, database } = await createTestDatabase()
  const rpc = openTestRpc(rpcUrl)
  const seller = worldKey(chain, 'readings seller')
  const buyer = worldKey(chain, 'readings buyer')
  for (const { address } of [seller, buyer]) airdrop(address, 10_000_000_000n)
  async function makeAgent(name: string): Promise<Address> {
    const asset = worldKey(chain, `readings ${name}`)
    await by(seller).create(asset, { name, uri: '', collection: undefined })
    await by(seller).register(asset.address, 'https://nowhere.invalid/agent.json')
    return asset.address
  }
  const by = (who: typeof seller) => agentMaker(chain, who, who)
  return { local: { rpcUrl, wsUrl }, connection, database, rpc, seller, buyer, by, makeAgent }
}

async function ownerOf(database: Database, address: Address) {
  const [row] = await database.run('test', db =>
    db
      .select()
      .from(agents)
      .where(and(eq(agents.network, network), eq(agents.address, address))),
  )
  return row?.owner
}

const signal = new AbortController().signal
const onRefused = (address: Address, error: unknown) => {
  throw new Error(`${address} was refused`, { cause: error })
}

test('the first full read ends even if the search for delegations fails, and the search is repeated until it succeeds', async () => {
  const { local, connection, database } = await prepare()
  let isFailing = true
  const wrap = (rpc: ChainCalls): ChainCalls => ({
    ...rpc,
    async fetchProgramAccounts(program, options) {
      if (isFailing && program === AGENT_TOOLS_PROGRAM) throw new Error('too large')
      return rpc.fetchProgramAccounts(program, options)
    },
  })
  const indexer = startTestIndexer({ connection, ...local, wrap, limits: { ...limits, recordsMs: 20 } })
  await expect.poll(() => indexer.events, later).toContain('complete')
  expect(indexer.events).toContain('fault: could not read delegations or deposits')
  expect(await findProgress(database, network)).toMatchObject({ isComplete: true, hasDelegations: false })
  isFailing = false
  await expect
    .poll(() => findProgress(database, network), later)
    .toMatchObject({ isComplete: true, hasDelegations: true })
})

test('changes to agents that an interrupted read had already covered are not lost', async () => {
  const { local, connection, database, rpc, seller, buyer, by, makeAgent } = await prepare()
  const asset = await makeAgent('taken')
  const begun = await rpc.fetchSlot()
  await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  await by(seller).transfer(asset, buyer.address)
  // As if the node had been killed after it read the agents, and the sale had happened before the restart.
  await saveScan(database, network, { slot: begun, share: 0.9 })
  const resumed = await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  expect(await ownerOf(database, asset)).toBe(seller.address)
  expect(resumed).toMatchObject({ isResumed: true, slot: begun })
  expect((await findProgress(database, network))?.slot).toBe(begun)

  await saveScan(database, network, { slot: begun, share: 0.9 })
  const indexer = startTestIndexer({ connection, ...local, limits })
  await expect.poll(() => ownerOf(database, asset), later).toBe(buyer.address)
  await expect.poll(() => indexer.events, later).toContain('repaired: the first full read was interrupted')
})

test('a new agent that was never reported is found by the regular audit', async () => {
  const { local, connection, database, seller, makeAgent } = await prepare()
  const node = await startFaultyNode({ ...local, random: seededRandom().random })
  const indexer = startTestIndexer({ connection, ...node, limits: { ...limits, auditMs: 500 } })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  node.setFaults({ ...NO_FAULTS, dropped: 1 })
  const asset = await makeAgent('untold')
  await expect.poll(() => ownerOf(database, asset), later).toBe(seller.address)
  await expect.poll(() => indexer.events, later).toContain('repaired: regular audit')
})

test('an agent that was burnt only on a fork comes back and is followed as before', async () => {
  const { local, connection, database, seller, buyer, by, makeAgent } = await prepare()
  const asset = await makeAgent('forked')
  let isForked = false
  const wrap = (rpc: ChainCalls): ChainCalls => ({
    ...rpc,
    async fetchAccounts(addresses) {
      const { slot, accounts } = await rpc.fetchAccounts(addresses)
      const seen = (account: ChainAccount): ChainAccount =>
        isForked && account.exists && account.address === asset
          ? { ...account, data: Uint8Array.of(0) }
          : account
      return { slot, accounts: accounts.map(seen) }
    },
  })
  const indexer = startTestIndexer({
    connection,
    ...local,
    wrap,
    // Only reported accounts are read again once they are final, so nothing may happen before the subscription. The
    // fork must be gone by then, even on a busy machine.
    limits: { ...limits, graceMs: NEVER_MS, slotsToFinality: 10 },
  })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  isForked = true
  await by(seller).transfer(asset, buyer.address)
  await expect.poll(() => ownerOf(database, asset), later).toBe(undefined)
  isForked = false
  await expect.poll(() => ownerOf(database, asset), later).toBe(buyer.address)
  await by(buyer).transfer(asset, seller.address)
  await expect.poll(() => ownerOf(database, asset), later).toBe(seller.address)
})

test('an agent is removed if its asset is burnt, but not if the asset is missing or the node is behind', async () => {
  const { database } = await createTestDatabase()
  const address = addressOf('young')
  const owner = addressOf('owner')
  const facts = { owner, authority: null, name: '', uri: '', agentUri: null, agentToken: null }
  await saveIndexedAgents(database, network, [{ address, ...facts, identityVersion: 2, slot: 10 }])
  const readAt = (slot: number) => ({
    slotMs: () => 400,
    confirmCluster: async () => {},
    fetchAccounts: async (addresses: readonly Address[]) => ({
      slot,
      accounts: addresses.map(each => (isBurnt ? burnt(each) : { exists: false as const, address: each })),
    }),
  })
  const burnt = (asset: Address) => ({
    exists: true as const,
    address: asset,
    owner: CORE_PROGRAM,
    lamports: 1n,
    data: Uint8Array.of(0),
  })
  let isBurnt = false
  const look = (slot: number, reportedSlot = 0) =>
    indexAgents({ network, reader: readAt(slot), database }, new Map([[address, reportedSlot]]))
  expect(await look(10)).toMatchObject({ written: 0, gone: [], missing: [address] })
  isBurnt = true
  expect(await look(9)).toMatchObject({ written: 0, gone: [], found: [], missing: [] })
  expect(await look(10, 11)).toMatchObject({ written: 0, gone: [], behind: [address] })
  expect(await ownerOf(database, address)).toBe(owner)
  expect(await look(10)).toMatchObject({ written: 1, gone: [address], removed: [address] })
  expect(await ownerOf(database, address)).toBe(undefined)
})

test('a bucket that the chain no longer has is dropped; one that a node merely omits from its list is not', async () => {
  const { connection, database, rpc } = await prepare()
  await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  const before = await readStore(database, network)
  const [omitted] = Object.keys(before.buckets)
  const forgetful: ChainCalls = {
    ...rpc,
    async fetchProgramAccounts(program, options) {
      const { slot, accounts } = await rpc.fetchProgramAccounts(program, options)
      return { slot, accounts: accounts.filter(({ address }) => address !== omitted) }
    },
  }
  await runSql(
    connection,
    `INSERT INTO buckets (network, address, genesis_address, kind, slot)
     SELECT network, '${addressOf('closed')}', genesis_address, kind, 1 FROM buckets LIMIT 1`,
  )
  await indexNetworkOnce({ network, rpc: forgetful, database, signal, onShare() {}, onRefused })
  expect(await readStore(database, network)).toEqual(before)
})

test('the lag grows while the RPC does not answer, and a node that takes over continues counting', async () => {
  const { local, connection } = await prepare()
  const node = await startFaultyNode({ ...local, random: () => 0.3 })
  const first = startTestIndexer({ connection, ...node, limits })
  await expect.poll(() => first.progress.at(-1)?.lagSeconds, later).toBeLessThan(2.5)
  node.setFaults({ ...NO_FAULTS, calls: 1 })
  await expect.poll(() => first.progress.at(-1)?.lagSeconds, later).toBeGreaterThan(3)
  await first.stop()
  const second = startTestIndexer({ connection, ...node, limits })
  await expect.poll(() => second.progress[0]?.lagSeconds, later).toBeGreaterThan(3)
  node.setFaults(NO_FAULTS)
  await expect.poll(() => second.progress.at(-1)?.lagSeconds, later).toBeLessThan(2.5)
})

test('the progress does not include reported changes that are not stored yet', async () => {
  const { local, connection, database, rpc, seller, buyer, by, makeAgent } = await prepare()
  const asset = await makeAgent('waiting')
  const proxy = await startRpcProxy(local.rpcUrl)
  // A change must be reported before two ticks have passed, even on a busy machine.
  const indexer = startTestIndexer({
    connection,
    rpcUrl: proxy.url,
    wsUrl: local.wsUrl,
    limits: { ...limits, tickMs: 1_000 },
  })
  await expect.poll(() => ownerOf(database, asset), later).toBe(seller.address)
  await expect.poll(() => indexer.progress.at(-1)?.backlog, later).toBe(0)
  proxy.behave = method => (method === 'getMultipleAccounts' ? { status: 503, body: 'busy' } : undefined)
  await by(seller).transfer(asset, buyer.address)
  const slot = await rpc.fetchSlot()
  // On a busy machine the lag can grow before the change is reported.
  const slotWhileWaiting = () => {
    const last = indexer.progress.at(-1)
    return last && last.backlog === 1 && last.lagSeconds > 2 ? last.slot : undefined
  }
  await expect.poll(slotWhileWaiting, later).toBeLessThan(slot)
  proxy.behave = () => undefined
  await expect.poll(() => indexer.progress.at(-1)?.slot, later).toBeGreaterThan(slot)
  expect(await ownerOf(database, asset)).toBe(buyer.address)
})

test('slots from the future are forgotten when an operator requests a full read', async () => {
  const { connection, database, rpc, seller, makeAgent } = await prepare()
  const asset = await makeAgent('former')
  await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  await runSql(connection, `UPDATE agents SET slot = 1000000000, owner = '${addressOf('former owner')}'`)
  await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  expect(await ownerOf(database, asset)).toBe(addressOf('former owner'))
  await requestFullRead(database, network)
  await indexNetworkOnce({ network, rpc, database, signal, onShare() {}, onRefused })
  expect(await ownerOf(database, asset)).toBe(seller.address)
})

test('a launch registered while the change listener was down is picked up afterwards', async () => {
  const { local, connection, database, rpc } = await prepare()
  const { indexer, events } = startTestIndexer({ connection, ...local, limits })
  await expect.poll(() => events.join(), later).toContain('repaired')
  const registeredAt = new Date('2026-01-01T00:00:00.000Z')
  const registered = demo.chainOf().world.launches.slice(0, 3)
  await registerWorld(database, network, registered, registeredAt)
  indexer.everythingChanged()
  const expected = Object.fromEntries(
    await Promise.all(
      registered
        .map(({ genesisAddress }) => genesisAddress)
        .toSorted()
        .map(async address => [address, await readNaively(rpc, address, registeredAt)] as const),
    ),
  )
  await expect.poll(async () => (await readStore(database, network)).launches, later).toEqual(expected)
})

test('while the subscribed node lags, the chain is polled, and subscriptions return with the right slots', async () => {
  const { local, connection, database, seller, makeAgent } = await prepare()
  const node = await startFaultyNode({ ...local, random: seededRandom().random })
  const indexer = startTestIndexer({ connection, ...node, limits })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  node.setFaults({ ...NO_FAULTS, dropped: 1 })
  node.lag(100)
  node.cutSockets()
  await expect.poll(() => indexer.events, later).toContain('repaired: subscribed')
  const asset = await makeAgent('behind')
  await expect.poll(() => ownerOf(database, asset), later).toBe(seller.address)
  await expect.poll(() => indexer.events, later).toContain('polling')
  node.setFaults(NO_FAULTS)
  node.lag(0)
  await expect
    .poll(
      () =>
        indexer.events.at(-1) === 'live' ||
        indexer.events.lastIndexOf('live') > indexer.events.lastIndexOf('polling'),
      later,
    )
    .toBe(true)
})

test('an agent that the store refuses does not hold up others, in a full read or after a report', async () => {
  const { local, connection, database, seller, buyer, by, makeAgent } = await prepare()
  await runSql(connection, `ALTER TABLE agents ADD CONSTRAINT no_such_name CHECK (name <> 'unwanted')`)
  const unwanted = await makeAgent('unwanted')
  const others = [await makeAgent('neighbour'), await makeAgent('other neighbour')]
  const owners = () => Promise.all(others.map(address => ownerOf(database, address)))
  const indexer = startTestIndexer({ connection, ...local, limits, rpcLimits: PATIENT_RPC })
  await expect.poll(owners, later).toEqual([seller.address, seller.address])
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')

  await Promise.all([unwanted, ...others].map(address => by(seller).transfer(address, buyer.address)))
  await expect.poll(owners, later).toEqual([buyer.address, buyer.address])
  expect(await ownerOf(database, unwanted)).toBe(undefined)
  expect(indexer.events).toContain(`fault: the store refused ${unwanted}, which is skipped`)
  expect(indexer.events.join()).not.toContain('could not')
})
