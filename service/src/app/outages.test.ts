// @module-tag timing
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { RegisterLaunchBody } from '@slipway/schema/registration'
import { expect, test } from 'vitest'
import { recordIndex } from '../creator-rewards/test-claims.ts'
import { curveInput, payloadOf } from '../launches/creation/test-launches.ts'
import { createDeadline, DeadlineExceeded } from '../lib/deadline.ts'
import { writeLaunches } from '../official-clients/launches-with-fees.ts'
import { saveFoundBuckets } from '../store/buckets.ts'
import { useDemo } from '../testing/demo.ts'
import { makeLaunch } from '../testing/demo-launches.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { sendLoad } from '../testing/open-loop-load.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

/** A request may take three seconds; the rest is for a busy machine. */
const ANSWER_MS_MAX = 4_000
const LISTED = launchRows('listed')
const world = useDemo()

/** A node whose database and RPC can fail, with a launch in memory and a wallet whose bucket the store knows. */
async function start() {
  const { local } = world.chainOf()
  const rpc = await startRpcProxy(local.rpcUrl)
  const { connection } = await createTestDatabase()
  const postgres = await startPostgresProxy(connection)
  const service = await startTestService({
    connection: postgres.connection,
    launches: [LISTED],
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
  })
  const wallet = createKeypair().address
  const [launch] = writeLaunches(local, [{ creator: wallet, curve: { accrued: 5n, claimed: 0n } }])
  const address = launch?.primary ?? addressOf('none')
  await saveFoundBuckets(service.database, [
    {
      network: 'chain-mainnet',
      address,
      kind: 'bondingCurveV2',
      genesisAddress: address,
      creatorFeeWallet: wallet,
      slot: 1,
    },
  ])
  const setIndexComplete = (isComplete: boolean) => recordIndex(connection, local, isComplete)
  const post = (path: string, body: object) =>
    rawRequest(service.url, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const agent = `/v1/agents/${addressOf('unknown agent')}`
  const { body: registration } = makeLaunch(world, { name: 'New' })
  /** Every endpoint, with input that makes it wait for chain and store if it ever does. */
  const requests = {
    claim: () => post('/v1/creator-rewards/claim', { wallet }),
    preview: () => rawRequest(service.url, `/v1/creator-rewards/${wallet}`),
    register: () => post('/v1/launches/register', registration),
    create: () => post('/v1/launches/create', payloadOf(curveInput(wallet))),
    agent: () => rawRequest(service.url, agent),
    card: () => rawRequest(service.url, `${agent}/agent-card.json`),
    withdraw: () => post(`${agent}/withdraw`, { sender: wallet, amount: 1 }),
    listing: () => rawRequest(service.url, '/v1/launches'),
    launch: () => rawRequest(service.url, `/v1/launches/${LISTED.launch.genesisAddress}`),
    token: () => rawRequest(service.url, `/v1/tokens/${LISTED.token.mint}`),
  }
  async function answers() {
    const tookMs: Record<string, number> = {}
    const asked = Object.entries(requests).map(async ([name, request]) => {
      const startMs = performance.now()
      const { status, headers, json } = await request()
      tookMs[name] = performance.now() - startMs
      if (status === 503) expect([name, headers['retry-after']]).toEqual([name, '5'])
      return [name, status === 200 ? 200 : [status, json()]]
    })
    const answered = Object.fromEntries(await Promise.all(asked))
    // A listing waits for nothing, so it shows how busy the machine is.
    const limitMs = ANSWER_MS_MAX + 2 * (tookMs.listing ?? 0)
    expect(Object.entries(tookMs).filter(([, ms]) => ms > limitMs)).toEqual([])
    return answered
  }
  return { ...service, answers, rpc, postgres, setIndexComplete, connection, registration }
}

const inAgentShape = (status: number, error: string) => [status, { success: false, error }]
const OUTAGE = {
  claim: [503, { error: { message: 'Service unavailable' } }],
  preview: [503, { error: { message: 'Service unavailable' } }],
  register: inAgentShape(503, 'Service unavailable'),
  create: inAgentShape(500, 'Failed to prepare launch'),
  agent: inAgentShape(500, 'Failed to fetch agent'),
  card: inAgentShape(503, 'Service unavailable'),
  withdraw: inAgentShape(500, 'Failed to prepare withdraw transaction'),
  listing: 200,
  launch: 200,
  token: 200,
}

test.each(['hangs', 'refuses connections'] as const)(
  'if the RPC %s, every endpoint answers in time with its own 500 or a 503, whether or not the index is complete',
  async fault => {
    const { answers, rpc, setIndexComplete } = await start()
    if (fault === 'hangs') rpc.behave = () => 'hang'
    else rpc.stop()
    for (const isComplete of [false, true]) {
      await setIndexComplete(isComplete)
      expect(await answers()).toEqual(OUTAGE)
    }
  },
)

test('if only the search on the chain hangs, known buckets are still claimed in time', async () => {
  const { answers, rpc, setIndexComplete } = await start()
  await setIndexComplete(false)
  rpc.behave = method => (method === 'getProgramAccounts' ? 'hang' : undefined)
  expect(await answers()).toMatchObject({ claim: 200, preview: 200 })
})

test('if the database stops answering, every endpoint answers in time with its own 500 or a 503', async () => {
  const { answers, postgres } = await start()
  postgres.isFrozen = true
  expect(await answers()).toEqual(OUTAGE)
  expect(await answers()).toEqual(OUTAGE)
  postgres.stop()
})

test('if the database is down, every endpoint answers in time with its own 500 or a 503', async () => {
  const { answers, postgres } = await start()
  postgres.stop()
  expect(await answers()).toEqual(OUTAGE)
})

test('if both hang, every endpoint answers in time', async () => {
  const { answers, postgres, rpc } = await start()
  rpc.behave = () => 'hang'
  postgres.isFrozen = true
  expect(await answers()).toEqual(OUTAGE)
  postgres.stop()
})

test('a registration whose time is up is not stored', async () => {
  const { register, registration, connection } = await start()
  const count = async () =>
    (await runSql(connection, 'SELECT count(*)::int AS launches FROM launches')).rows[0]
  const body = RegisterLaunchBody.parse(registration)
  await expect(register(body, createDeadline(0))).rejects.toThrow(DeadlineExceeded)
  expect(await count()).toEqual({ launches: 1 })
  await register(body, createDeadline(10_000))
  expect(await count()).toEqual({ launches: 2 })
})

test('an overloaded node keeps its index lease and its RPC endpoints', { timeout: 60_000 }, async () => {
  const { url, connection } = await startTestService({ config: { ...world.config(), indexer: true } })
  /** The database session that holds the lease of each network. */
  const holders = async () =>
    (
      await runSql(
        connection,
        `SELECT objid, pid FROM pg_locks JOIN pg_database ON oid = database
         WHERE datname = current_database() AND locktype = 'advisory' AND classid = ${0x51_1b_1d} ORDER BY objid`,
      )
    ).rows
  await expect.poll(holders, { timeout: 10_000 }).toHaveLength(2)
  const before = await holders()
  const agent = world.agent('patchbot')
  const { latencies } = await sendLoad({
    url,
    path: `/v1/agents/${agent.address}/withdraw`,
    body: { sender: agent.owner.address, amount: 0.001 },
    perSecond: 10_000,
    // A lease that is not renewed is lost after six.
    seconds: 8,
    connections: 200,
  })
  expect(Object.keys(latencies).sort()).toEqual(['200', '503'])
  expect(await holders()).toEqual(before)
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toMatch(/slipway_rpc_request_duration_seconds_count\{.*outcome="ok"/)
  expect(text).not.toMatch(/slipway_rpc_request_duration_seconds_count\{.*outcome="timeout"/)
})
