import { setTimeout as sleep } from 'node:timers/promises'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { readNaively, registerWorld } from '../indexer/testing/naive.ts'
import { openTestRpc } from '../indexer/testing/test-rpc.ts'
import { openDatabase } from '../store/database.ts'
import { useDemo } from '../testing/demo.ts'
import { followEvents } from '../testing/event-client.ts'
import { makeAgent, sendJson, signChange } from '../testing/owner-changes.ts'
import { hasPgBouncer, startPgBouncer } from '../testing/pgbouncer.ts'
import { rawRequest } from '../testing/raw-request.ts'
import {
  canReplicate,
  type ReplicatedServer,
  startMovingAddress,
  startReplicatedPostgres,
} from '../testing/replicated-postgres.ts'
import { startTestService } from '../testing/test-service.ts'
import { SERVICE_LIMITS } from './limits.ts'

if (!canReplicate) console.log('PostgreSQL can not run as another user here: switchovers are not tested')
if (!hasPgBouncer) console.log('PgBouncer is not installed: restarts of a pooler are not tested')

const world = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const WAIT = { timeout: 90_000, interval: 100 }

type Connection = Awaited<ReturnType<typeof startMovingAddress>>['connection']
type Nodes = Awaited<ReturnType<typeof startNodes>>

/** Two nodes that index, with the demo's launches and an agent. */
async function startNodes(connection: Connection, primary: ReplicatedServer) {
  const quiet = { onQuery: () => {}, onConnectionLost: () => {} }
  const database = openDatabase(primary.connection, quiet)
  await registerWorld(database, network, world.chainOf().world.launches, registeredAt)
  await database.close()
  const { requestMs, searchMs, connectMs, statementMs } = SERVICE_LIMITS
  const start = () =>
    startTestService({
      connection,
      config: { ...world.config(), indexer: true },
      social: { apiUrl: world.demo.socialUrl },
      limits: { requestMs, searchMs, connectMs, statementMs, storeProbeMs: 1_000 },
    })
  const nodes = [await start(), await start()]
  const agent = await makeAgent(world)
  const path = `/v1/agents/${agent.address}/agent-card.json`
  await expect.poll(async () => (await rawRequest(nodes[0]?.url ?? '', path)).status, WAIT).toBe(200)
  return { nodes, agent, path }
}

/** Writers, a market on the chain, and a follower of the feed at each node, until `settle` compares what they saw. */
async function startLoad({ nodes, agent, path }: Nodes) {
  const { local, world: demo } = world.chainOf()
  const trades = marketTrades(local.chain, demo.environment)
  const pool = demo.launches.find(({ entry }) => entry.slug === 'orchard-ledger')
  if (!pool) throw new Error('the demo has no launchpool')
  let isStopped = false
  let acknowledged = 0
  let refused = 0
  let issuedMs = 0
  const card = { ...EXAMPLE_CARD, url: 'https://agents.example/card.json' }

  async function write() {
    for (let at = 1; !isStopped; at += 1) {
      const node = nodes[at % nodes.length]
      issuedMs = Math.max(issuedMs + 1, Date.now())
      const value = { ...card, name: `Card ${at}` }
      const words = { purpose: 'replace agent card', address: agent.address, value }
      const signed = signChange(agent.owner, { ...words, issuedAt: new Date(issuedMs).toISOString() })
      const answer = await sendJson('PUT', `${node?.url}${path}`, { card: value, ...signed })
      if (answer.status === 200) acknowledged = at
      else refused += 1
      await sleep(50)
    }
  }
  async function trade() {
    while (!isStopped) {
      trades.depositInSale(pool as NonNullable<typeof pool>, 0, 1_000_000n)
      await sleep(300)
    }
  }
  const followers = nodes.map(({ url }) => {
    const ids: number[] = []
    const types = new Set<string>()
    async function follow() {
      for (let lastEventId: string | undefined; !isStopped; ) {
        const client = await followEvents(url, {
          ...(lastEventId !== undefined && { lastEventId }),
          onEvent({ id, type }) {
            ids.push(Number(id))
            types.add(type)
          },
        })
        stops.push(client.close)
        await client.ended
        lastEventId = client.lastEventId()
      }
    }
    return { ids, types, done: follow() }
  })
  const stops: (() => void)[] = []
  const work = [write(), trade()]
  const stop = async () => {
    isStopped = true
    await Promise.all(work)
    for (const close of stops) close()
    await Promise.all(followers.map(({ done }) => done))
  }
  onTestFinished(stop)

  /** How long it took until both nodes were ready, and wrote and indexed again. */
  async function recover(): Promise<void> {
    const startMs = performance.now()
    const [before, newest] = [acknowledged, followers.map(({ ids }) => ids.at(-1) ?? 0)]
    await expect.poll(() => acknowledged - before, WAIT).toBeGreaterThan(4)
    const writesMs = performance.now() - startMs
    await expect
      .poll(() => Promise.all(nodes.map(async ({ url }) => (await rawRequest(url, '/readyz')).text)), WAIT)
      .toEqual(nodes.map(() => expect.not.stringMatching(/^(?!clock).*: failing/m)))
    const readyMs = performance.now() - startMs
    await expect
      .poll(() => followers.every(({ ids }, at) => (ids.at(-1) ?? 0) > (newest[at] ?? 0)), WAIT)
      .toBe(true)
    const feedMs = performance.now() - startMs
    if (process.env.SHOW_TIMES) console.log({ writesMs, readyMs, feedMs, refused })
  }

  /** Nothing acknowledged was lost, no event is missing or repeated, and the index equals the chain. */
  async function settle(primary: ReplicatedServer, { wasSplit = false } = {}): Promise<void> {
    isStopped = true
    await Promise.all(work)
    const name = async (url: string) => (await rawRequest(url, path)).json() as { name: string }
    for (const { url } of nodes)
      await expect.poll(async () => (await name(url)).name, WAIT).toBe(`Card ${acknowledged}`)
    const rpc = openTestRpc(local.rpcUrl)
    const { lastActivityAt } = await readNaively(rpc, pool?.genesisAddress as Address, registeredAt)
    const stored = async () => {
      const { rows } = await primary.run(
        `SELECT last_activity_at FROM launches WHERE genesis_address = '${pool?.genesisAddress}'`,
      )
      return rows[0].last_activity_at.toISOString()
    }
    await expect.poll(stored, WAIT).toBe(lastActivityAt)
    // What was written on the losing side of a split is gone, and clients that had its events are told to start again.
    for (const { ids, types } of wasSplit ? [] : followers) {
      const compare = async () => {
        const { rows } = await primary.run(`SELECT id FROM events WHERE id >= ${ids[0]} ORDER BY id`)
        return { stored: rows.map(({ id }) => Number(id)), received: ids }
      }
      await expect.poll(async () => differ(await compare()), WAIT).toBeUndefined()
      expect(types).not.toContain('reset')
    }
    await stop()
  }
  await expect.poll(() => acknowledged, WAIT).toBeGreaterThan(3)
  await expect.poll(() => followers.every(({ ids }) => ids.length > 0), WAIT).toBe(true)
  return { recover, settle }
}

const differ = ({ stored, received }: { stored: number[]; received: number[] }) =>
  `${stored}` === `${received}`
    ? undefined
    : {
        missing: stored.filter(id => !received.includes(id)),
        unknown: received.filter(id => !stored.includes(id)),
        received,
      }

const leaders = ({ nodes }: Nodes) =>
  Promise.all(
    nodes.map(async ({ metrics }) =>
      /index_leading\{network="chain-mainnet"\} 1/.test(await metrics.registry.metrics()),
    ),
  )

test.skipIf(!canReplicate)(
  'switchovers in both directions, a promotion and a freeze lose nothing',
  async () => {
    const [first, second] = await startReplicatedPostgres()
    const address = await startMovingAddress(first)
    const nodes = await startNodes(address.connection, first)
    const load = await startLoad(nodes)

    // The old primary stays up, read-only, with every session that it has.
    await first.demote()
    await second.promote()
    address.move(second, 'kept')
    await load.recover()
    await expect.poll(async () => (await leaders(nodes)).filter(Boolean).length, WAIT).toBe(1)
    // A session finds out at its next heartbeat. A commit that waits for the former standby waits on without its client.
    const findLeft = async () => {
      const { rows } = await first.run(
        `SELECT application_name, state, wait_event FROM pg_stat_activity
         WHERE application_name IN ('slipway-listen', 'slipway-index') AND wait_event IS DISTINCT FROM 'SyncRep'`,
      )
      return rows
    }
    await expect.poll(findLeft, WAIT).toEqual([])

    // The other way round, with a planned stop.
    await first.cloneFrom(second)
    await second.stop('SIGINT')
    await first.promote()
    address.move(first, 'cut')
    await load.recover()

    // The primary stops answering, and its connections stay open.
    await second.cloneFrom(first)
    address.move(second, 'frozen')
    await second.promote()
    await first.stop('SIGQUIT')
    await load.recover()

    // It comes back as a standby and is promoted after a crash.
    await first.cloneFrom(second)
    await second.stop('SIGQUIT')
    address.move(first, 'cut')
    await first.promote()
    await load.recover()
    await expect.poll(async () => (await leaders(nodes)).filter(Boolean).length, WAIT).toBe(1)
    await load.settle(first)
  },
)

test.skipIf(!canReplicate)(
  'after a split, the nodes of the demoted server show the other one and index again',
  async () => {
    const [first, second] = await startReplicatedPostgres()
    const [address, other] = [await startMovingAddress(first), await startMovingAddress(first)]
    const nodes = await startNodes(address.connection, first)
    const alone = await startTestService({
      connection: other.connection,
      config: { ...world.config(), indexer: true },
    })
    // Both are writable: nothing was fenced.
    await first.run(`ALTER SYSTEM SET synchronous_standby_names = ''`)
    await first.run('SELECT pg_reload_conf()')
    await second.promote()
    address.move(second, 'cut')
    await expect.poll(async () => (await leaders(nodes)).filter(Boolean).length, WAIT).toBe(1)
    const load = await startLoad(nodes)
    await load.recover()
    // The split ends: the first server is read-only, and its node finds the other one.
    await first.demote()
    other.move(second, 'kept')
    await expect
      .poll(async () => (await rawRequest(alone.url, '/readyz')).text, WAIT)
      .toMatch(/^(?!(.*\n)*(?!clock).*: failing)/)
    await expect
      .poll(
        async () => (await leaders({ ...nodes, nodes: [...nodes.nodes, alone] })).filter(Boolean).length,
        WAIT,
      )
      .toBe(1)
    await load.settle(second, { wasSplit: true })
    const card = await rawRequest(nodes.nodes[0]?.url ?? '', nodes.path)
    await expect.poll(async () => (await rawRequest(alone.url, nodes.path)).text, WAIT).toBe(card.text)
  },
)

test.skipIf(!canReplicate || !hasPgBouncer)('a restart of a pooler loses nothing', async () => {
  const [first] = await startReplicatedPostgres()
  const pooler = await startPgBouncer('session', first.connection)
  const nodes = await startNodes(pooler.connection, first)
  const load = await startLoad(nodes)
  await pooler.restart()
  await load.recover()
  await expect.poll(async () => (await leaders(nodes)).filter(Boolean).length, WAIT).toBe(1)
  await load.settle(first)
})
