import { setTimeout as sleep } from 'node:timers/promises'
import { CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { worldKey } from '@slipway/local-chain/world/keys'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Address } from '@slipway/schema/address'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { isEndurance } from '../testing/endurance.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { readChain, readStore } from './testing/agreement.ts'
import { QUICK_LEASE, QUICK_LIMITS } from './testing/indexer.ts'
import { accountsOf, isInHiddenHalf, type Lie, startLyingNode } from './testing/lying-node.ts'
import { registerWorld } from './testing/naive.ts'
import { openTestRpc } from './testing/test-rpc.ts'
import { watchForFalsehoods } from './testing/truth.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const FAULT_MS = isEndurance ? 8_000 : 1_500
/** Without a protection, a lie has an effect at the next read that it is about, which takes longer on a busy machine. */
const EFFECT_MS_MAX = 60_000
/** The guarantee: store and chain agree within a minute after the endpoints are honest again. */
const RECOVERED_MS = 60_000
/** A node checks everything so often that even a short lie meets each of its checks several times. */
const limits = {
  indexer: { ...QUICK_LIMITS, follow: { reconnectMsMin: 50, reconnectMsMax: 200 } },
  lease: QUICK_LEASE,
  rpc: {
    attemptMs: 5_000,
    totalMs: 12_000,
    restMsMin: 200,
    restMsMax: 1_000,
    probeMsMin: 100,
    checkMsMax: 2_000,
  },
}

/** So many that the loss of half of them is held back. */
const AGENTS = 20
let past: ReadonlyMap<string, unknown>
/** Looked up once for all tests. */
const graduations = new Map<Address, number>()

beforeAll(async () => {
  const { chain, airdrop } = demo.chainOf().local
  const [seller, buyer] = [worldKey(chain, 'lies seller'), worldKey(chain, 'lies buyer')]
  for (const { address } of [seller, buyer]) airdrop(address, 100_000_000_000n)
  const by = agentMaker(chain, seller, seller)
  const make = async (number: number) => {
    const asset = worldKey(chain, `lies ${number}`)
    await by.create(asset, { name: `Agent ${number}`, uri: '', collection: undefined })
    await by.register(asset.address, 'https://nowhere.invalid/agent.json')
    return asset.address
  }
  const sold = await make(0)
  past = await accountsOf(demo.chainOf().local.rpcUrl, [CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM])
  // A node that is far behind does not have the accounts below.
  await by.transfer(sold, buyer.address)
  for (let number = 1; number < AGENTS; number += 1) await make(number)
  const { local, world } = demo.chainOf()
  const pool = world.launches.find(({ entry }) => entry.slug === 'orchard-ledger')
  if (pool) marketTrades(local.chain, world.environment).depositInSale(pool, 0, 1_000_000n)
})

const openNode = () => startLyingNode(demo.chainOf().local, demo.chainOf('chain-devnet').local, past)
type Node = Awaited<ReturnType<typeof openNode>>

type StartService = typeof startTestService

/** Two launches of each mechanic: reading all of them takes seconds each time. */
function registered() {
  const { launches } = demo.chainOf().world
  const at = (launch: (typeof launches)[number]) =>
    launches.filter(({ plan }) => plan.mechanic === launch.plan.mechanic).indexOf(launch)
  return launches.filter(launch => at(launch) < 2)
}

/** What the chain says now. */
function readTruth() {
  const addresses = registered().map(({ genesisAddress }) => genesisAddress as string as Address)
  return readChain(openTestRpc(demo.chainOf().local.rpcUrl), addresses, registeredAt, graduations)
}
type Truth = Awaited<ReturnType<typeof readTruth>>

async function prepare(startService: StartService = startTestService) {
  const { world } = demo.chainOf()
  const { connection, database } = await createTestDatabase()
  await registerWorld(database, network, registered(), registeredAt)
  const agree = async (expected: Truth) => {
    const poll = { timeout: RECOVERED_MS, interval: 100 }
    await expect.poll(() => readStore(database, network), poll).toEqual(expected)
  }
  const start = (nodes: readonly Node[], indexer = true) =>
    startService({
      connection,
      limits,
      config: {
        ...demo.config(),
        indexer,
        rpcUrls: { 'chain-mainnet': nodes.map(({ rpcUrl }) => rpcUrl), 'chain-devnet': [] },
        rpcWsUrls: { 'chain-mainnet': nodes[0]?.wsUrl, 'chain-devnet': undefined },
      },
    })
  async function settle() {
    await expect
      .poll(async () => (await findProgress(database, network))?.isComplete, { timeout: 60_000 })
      .toBe(true)
    await agree(await readTruth())
  }
  /** As if everything had been read a while ago: an account that was read too recently to be final is not removed. */
  async function age() {
    for (const table of ['agents', 'buckets'])
      await runSql(connection, `UPDATE ${table} SET slot = greatest(0, slot - 100)`)
  }
  return { world, agree, start, settle, age }
}

/** Two buckets that pay a creator, and an agent. */
function few(): string[] {
  const { rewards, agents } = demo.chainOf().world
  const buckets = rewards.flatMap(({ buckets: [first] }) => (first ? [first] : []))
  return [...buckets.slice(0, 2), ...agents.slice(0, 1).map(({ address }) => address)]
}

/** Changes that happen on the chain while the endpoints lie. */
async function changeWorld() {
  const { local, world } = demo.chainOf()
  const { chain } = local
  const seller = worldKey(chain, 'lies seller')
  changes += 1
  const asset = worldKey(chain, `lies, shown later ${changes}`)
  const by = agentMaker(chain, seller, seller)
  await by.create(asset, { name: 'Shown later', uri: '', collection: undefined })
  await by.register(asset.address, 'https://nowhere.invalid/agent.json')
  const pool = world.launches.find(({ entry }) => entry.slug === 'orchard-ledger')
  if (pool) marketTrades(chain, world.environment).depositInSale(pool, 0, 1_000_000n)
}
let changes = 0

/** A service on as many endpoints, of which some can lie. */
async function startOnEndpoints(lying: readonly boolean[], startService?: StartService) {
  const { world, agree, start, settle, age } = await prepare(startService)
  const nodes = await Promise.all(lying.map(openNode))
  const service = await start(nodes)
  await settle()
  return {
    agree,
    /** Makes the endpoints lie, and lists the false answers of the service. */
    async lie(lie: Lie, forMs = FAULT_MS, options?: { untilFirst: boolean }): Promise<string[]> {
      await age()
      const listFalsehoods = await watchForFalsehoods(service, world)
      // The lie begins right after a check, so that the next one is as late as possible.
      if (lie === 'another cluster') await Promise.race([nodes[0]?.nextCheck(), sleep(limits.rpc.checkMsMax)])
      nodes.forEach((node, at) => void (lying[at] && node.lie(lie, few())))
      return listFalsehoods(forMs, options)
    },
    beHonest() {
      for (const node of nodes) node.lie(undefined)
    },
  }
}

const LIES: Lie[] = [
  'another cluster',
  'an empty chain',
  'far behind',
  'half missing',
  'a few missing',
  'damaged accounts',
  'slots from the future',
  'slots and time from the future',
]
/** What all endpoints show can't be distinguished from accounts that are gone, or a clock that stood still. */
const BELIEVED_OF_ALL: ReadonlySet<Lie> = new Set(['a few missing', 'slots and time from the future'])

test('no lie, on the first of two endpoints or on every one, causes a false answer or a loss, and the truth is shown within a minute afterwards', async () => {
  const services = await Promise.all(
    [
      [true, false],
      [true, true],
    ].map(lying => startOnEndpoints(lying)),
  )
  for (const lie of LIES) {
    const asked = BELIEVED_OF_ALL.has(lie) ? services.slice(0, 1) : services
    const falsehoods = await Promise.all(asked.map(service => service.lie(lie)))
    expect({ lie, falsehoods }).toEqual({ lie, falsehoods: asked.map(() => []) })
    await changeWorld()
    for (const { beHonest } of asked) beHonest()
    const truth = await readTruth()
    await Promise.all(asked.map(({ agree }) => agree(truth)))
  }
}, 600_000)

test('if one of two nodes has a lying endpoint, no answer is false, nothing is lost, and the other node takes over from one on another cluster', async () => {
  const { world, agree, start, settle, age } = await prepare()
  const [bad, good] = [await openNode(), await openNode()]
  // The first node indexes.
  const nodes = [await start([bad]), await start([good])]
  await settle()
  async function falsehoodsDuring(lie: Lie) {
    await age()
    const watches = await Promise.all(nodes.map(node => watchForFalsehoods(node, world)))
    bad.lie(lie, few())
    const falsehoods = (await Promise.all(watches.map(list => list(FAULT_MS)))).flat()
    await changeWorld()
    return falsehoods
  }
  expect(await falsehoodsDuring('half missing')).toEqual([])
  bad.lie(undefined)
  await agree(await readTruth())

  expect(await falsehoodsDuring('another cluster')).toEqual([])
  await agree(await readTruth())
  const ready = await Promise.all(nodes.map(({ url }) => fetch(`${url}/readyz`)))
  expect(ready.map(({ status }) => status)).toEqual([503, 200])
  expect(await ready[0]?.text()).toContain('1 endpoint belongs to another cluster (genesis hash ')
  const metrics = await (await fetch(`${nodes[0]?.url}/metrics`)).text()
  expect(metrics).toMatch(/slipway_rpc_endpoint_foreign\{network="chain-mainnet",endpoint="[^"]+"\} 1/)
  bad.lie(undefined)
  await expect
    .poll(async () => (await fetch(`${nodes[0]?.url}/readyz`)).status, { timeout: 20_000 })
    .toBe(200)
  await agree(await readTruth())
}, 600_000)

/** Replaces one export of a module. */
type Weaken = (original: Record<string, unknown>) => Record<string, unknown>

const PROTECTIONS: { name: string; module: string; weaken: Weaken; lie: Lie; lying: boolean[] }[] = [
  {
    name: 'the check of the cluster',
    module: '../chain/rpc/cluster.ts',
    weaken: original => ({ createClusterCheck: () => original.UNCHECKED }),
    lie: 'another cluster',
    lying: [true, true],
  },
  {
    name: 'the second look for missing accounts',
    module: '../chain/rpc/accounts.ts',
    weaken: () => ({
      confirmMissing: async (_: unknown, addresses: Address[]) => ({
        missing: [...addresses],
        found: [],
        slot: 2 ** 40,
      }),
    }),
    lie: 'a few missing',
    lying: [true, false],
  },
  {
    name: 'the limit on removals',
    module: './reading/remove-missing.ts',
    weaken: original => ({
      removeMissing: (parts: object) =>
        (original.removeMissing as (parts: object) => Promise<void>)({ ...parts, isAccepted: true }),
    }),
    lie: 'an empty chain',
    lying: [true, true],
  },
  {
    name: 'the difference between a burnt agent and a missing one',
    module: '../chain/agent-facts.ts',
    weaken: () => ({ isAgentMissing: () => false }),
    lie: 'damaged accounts',
    lying: [true, true],
  },
  {
    name: 'the look at other buckets before a claim finds nothing',
    module: '../store/removed-accounts.ts',
    // A sample of buckets that the endpoints do have.
    weaken: original => ({
      sampleBuckets: async (...args: never[]) =>
        (await (original.sampleBuckets as (...args: never[]) => Promise<string[]>)(...args)).filter(
          address => !isInHiddenHalf(address),
        ),
    }),
    lie: 'half missing',
    lying: [true, true],
  },
  {
    name: 'the refusal of outdated answers',
    module: '../chain/rpc/slot-mark.ts',
    weaken: () => ({
      createSlotMark: () => ({
        slot: () => 0,
        isJump: () => false,
        isPossible: () => true,
        isShownBy: () => true,
        raise() {},
        compare: () => undefined,
        atLeast() {},
        goBackTo() {},
        reset() {},
      }),
    }),
    lie: 'far behind',
    lying: [true, true],
  },
]

// Checks the tests above, which takes a few minutes: set CHECK_PROTECTIONS after changing one of them.
test.runIf(process.env.CHECK_PROTECTIONS).each(PROTECTIONS)(
  'without $name there are false answers, or accounts are lost',
  async ({ module, weaken, lie, lying }) => {
    vi.resetModules()
    vi.doMock(module, async importOriginal => {
      const original = await importOriginal<Record<string, unknown>>()
      return { ...original, ...weaken(original) }
    })
    onTestFinished(() => void vi.doUnmock(module))
    const weakened = await import('../testing/test-service.ts')
    const service = await startOnEndpoints(lying, weakened.startTestService)
    expect(await service.lie(lie, EFFECT_MS_MAX, { untilFirst: true })).not.toEqual([])
  },
  300_000,
)
