import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { worldKey } from '@slipway/local-chain/world/keys'
import { marketMoves } from '@slipway/local-chain/world/market-moves'
import type { Address } from '@slipway/schema/address'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM } from '../chain/addresses/programs.ts'
import { createRpc } from '../chain/rpc/create-rpc.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { readChain, readStore } from './test-agreement.ts'
import { accountsOf, type Lie, startLyingNode } from './test-lying-node.ts'
import { registerWorld } from './test-naive.ts'
import { watchForFalsehoods } from './test-truth.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const FAULT_MS = Number(process.env.FAULT_MS ?? 4_000)
/** Promised: a minute after the endpoints tell the truth again, store and chain agree. */
const RECOVERED_MS = 60_000
const limits = { doubtMs: 1_000, removedMs: 2_000 }

const AGENTS = 40
let past: ReadonlyMap<string, unknown>

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
  // What follows is unknown to a node that is far behind.
  await by.transfer(sold, buyer.address)
  for (let number = 1; number < AGENTS; number += 1) await make(number)
  const { local, world } = demo.chainOf()
  const moves = marketMoves(local.chain, world.environment)
  const pool = world.launches.find(({ plan }) => plan.mechanic === 'launchpoolV2')
  if (pool) moves.deposit(pool, 1_000_000n)
}, 60_000)

const openNode = () => startLyingNode(demo.chainOf().local, demo.chainOf('chain-devnet').local, past)
type Node = Awaited<ReturnType<typeof openNode>>

async function prepare() {
  const { local, world } = demo.chainOf()
  const { connection, database } = await createTestDatabase()
  await registerWorld(database, network, world.launches, registeredAt)
  const rpc = createRpc({ urls: [local.rpcUrl], cluster: 'any' })
  onTestFinished(() => rpc.close())
  const graduations = new Map<Address, number>()
  const registered = world.launches.map(({ genesisAddress }) => genesisAddress as string as Address)
  const agree = async (timeout: number) => {
    const expected = await readChain(rpc, registered, registeredAt, graduations)
    await expect.poll(() => readStore(database, network), { timeout, interval: 100 }).toEqual(expected)
  }
  const start = (nodes: readonly Node[]) =>
    startTestService({
      connection,
      indexerLimits: limits,
      config: {
        ...demo.config(),
        indexer: true,
        rpcUrls: { 'chain-mainnet': nodes.map(({ rpcUrl }) => rpcUrl), 'chain-devnet': [] },
        rpcWsUrls: { 'chain-mainnet': nodes[0]?.wsUrl, 'chain-devnet': undefined },
      },
    })
  const complete = () =>
    expect
      .poll(async () => (await findProgress(database, network))?.isComplete, { timeout: 20_000 })
      .toBe(true)
  /** Some bucket that pays somebody, some agent. */
  const few = [...world.rewards.flatMap(({ buckets }) => buckets.slice(0, 1)).slice(0, 2)]
  const [agent] = world.agents
  if (agent) few.push(agent.address)
  return { world, rpc, database, agree, start, complete, few }
}

const LIES: Lie[] = ['another cluster', 'an empty chain', 'far behind', 'half missing', 'a few missing']
const CASES = LIES.flatMap(lie => [
  { lie, where: 'the first of two endpoints', lying: [true, false] },
  { lie, where: 'every endpoint', lying: [true, true] },
])
  // Three accounts that no endpoint has can't be told from three that are gone: see below.
  .filter(({ lie, lying }) => lie !== 'a few missing' || lying.includes(false))

test.each(CASES)(
  '$lie on $where: no false answer, nothing lost, and the truth within a minute afterwards',
  async ({ lie, lying }) => {
    const { world, rpc, agree, start, complete, few } = await prepare()
    const nodes = [await openNode(), await openNode()]
    const service = await start(nodes)
    await complete()
    await agree(20_000)
    const listFalsehoods = await watchForFalsehoods(service, { world, rpc })
    nodes.forEach((node, at) => void (lying[at] && node.lie(lie, few)))
    expect(await listFalsehoods(FAULT_MS)).toEqual([])
    for (const node of nodes) node.lie(undefined)
    await agree(RECOVERED_MS)
  },
  120_000,
)
