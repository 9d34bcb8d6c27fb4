import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { RegisterLaunchBody } from '@slipway/schema/registration'
import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { mintBody } from '../agents/test-mints.ts'
import { recordIndex } from '../creator-rewards/test-claims.ts'
import { curveInput, payloadOf } from '../launches/creation/test-launches.ts'
import { createDeadline, DeadlineExceeded } from '../lib/deadline.ts'
import { writeLaunches } from '../official-clients/launches-with-fees.ts'
import { saveFoundBuckets } from '../store/buckets.ts'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, makeLaunch, registrationOf } from '../testing/demo-launches.ts'
import { DESCRIBED_ENDPOINTS } from '../testing/described-endpoints.ts'
import { isEndurance } from '../testing/endurance.ts'
import { followEvents } from '../testing/event-client.ts'
import { startPostgresProxy } from '../testing/freezing-proxy.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { sendLoad } from '../testing/open-loop-load.ts'
import { signChange } from '../testing/owner-changes.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpc-proxy.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import type { ServiceLimits } from './limits.ts'

/** Longer than a test: what only such a limit could end makes the test fail. */
const NEVER_MS = 300_000
/** Only the limit of the request itself can end it. */
const REQUEST_ENDS = {
  // Long enough for what needs no database, on a busy machine too.
  // Shorter than a search waits for others: while they hang, it is refused after two seconds as one too many.
  requestMs: 1_800,
  statementMs: NEVER_MS,
  searchMs: NEVER_MS,
  rpc: { attemptMs: NEVER_MS, totalMs: NEVER_MS },
}
/** A hanging RPC is noticed soon; nothing else runs into a limit, however busy the machine is. */
const RPC_ENDS = {
  searchMs: 300,
  rpc: { attemptMs: 150, totalMs: 500 },
}
const LISTED = launchRows('listed')
const world = useDemo()

/** A node whose database and RPC can fail, with a launch in memory and a wallet whose bucket the store knows. */
async function start(limits: Partial<ServiceLimits> = {}) {
  const { local } = world.chainOf()
  const rpc = await startRpcProxy(local.rpcUrl)
  const { connection } = await createTestDatabase()
  const postgres = await startPostgresProxy(connection)
  const service = await startTestService({
    connection: postgres.connection,
    launches: [LISTED],
    limits,
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
  })
  const owner = createKeypair()
  const wallet = owner.address
  local.airdrop(wallet, 1_000_000_000n)
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
  const get = (path: string) => rawRequest(service.url, path)
  const send = (method: string, path: string, body: object) =>
    rawRequest(service.url, path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const unknown = addressOf('unknown agent')
  const agent = `/v1/agents/${unknown}`
  const agentOnNetwork = `/v1/networks/chain-mainnet/agents/${unknown}`
  const listed = `/v1/launches/${LISTED.launch.genesisAddress}`
  const links = { website: 'https://example.org' }
  const { body: registration } = makeLaunch(world, { name: 'New' })
  /** Every endpoint by id, with input that makes it wait for the chain and the store, if it ever does. */
  const requests: Record<string, () => ReturnType<typeof rawRequest>> = {
    listAgents: () => get('/v1/agents?query=unknown'),
    getAgent: () => get(agent),
    getAgentWallet: () => get(`${agent}/wallet`),
    mintAgent: () => send('POST', '/v1/agents/mint', mintBody(wallet, { asset: createKeypair().address })),
    fundAgent: () => send('POST', `${agent}/fund`, { sender: wallet, amount: 1, memo: 'thanks' }),
    withdrawFromAgent: () => send('POST', `${agent}/withdraw`, { sender: wallet, amount: 1 }),
    getAgentDelegates: () => get(`${agent}/delegates`),
    delegateAgent: () => send('POST', `${agent}/delegate`, { sender: wallet, executive: wallet }),
    revokeDelegate: () => send('POST', `${agent}/revoke`, { sender: wallet, record: wallet }),
    registerExecutive: () => send('POST', '/v1/executives/register', { wallet }),
    getAgentCard: () => get(`${agent}/agent-card.json`),
    getWellKnownAgentCard: () => get(`${agent}/.well-known/agent-card.json`),
    getNetworkAgentCard: () => get(`${agentOnNetwork}/agent-card.json`),
    getNetworkWellKnownAgentCard: () => get(`${agentOnNetwork}/.well-known/agent-card.json`),
    replaceAgentCard() {
      const { url: _, ...card } = EXAMPLE_CARD
      const words = { purpose: 'replace agent card', address: unknown, value: card }
      return send('PUT', `${agent}/agent-card.json`, { card, ...signChange(owner, words) })
    },
    removeAgentCard() {
      const words = { purpose: 'remove agent card', address: unknown }
      return send('DELETE', `${agent}/agent-card.json`, signChange(owner, words))
    },
    getJwks: () => get('/.well-known/jwks.json'),
    getDocument: () => get(`/v1/documents/${'0'.repeat(64)}.json`),
    verifySocial: () => send('POST', '/v1/social/verify', { accessToken: 'token' }),
    verifyTwitter: () => send('POST', '/v1/twitter/verify', { accessToken: 'token' }),
    listLaunches: () => get('/v1/launches'),
    getLaunch: () => get(listed),
    getLaunchActivity: () => get(`${listed}/activity`),
    getLaunchTrades: () => get(`${listed}/trades`),
    getLaunchCandles: () => get(`${listed}/candles`),
    getLaunchHolders: () => get(`${listed}/holders`),
    getQuote: () => get(`${listed}/quote?side=buy&amount=1000000`),
    swap: () => send('POST', `${listed}/swap`, { wallet, side: 'buy', amount: '1000000' }),
    depositInLaunch: () => send('POST', `${listed}/deposit`, { wallet, amount: '1000000' }),
    withdrawFromLaunch: () => send('POST', `${listed}/withdraw`, { wallet, amount: 'all' }),
    claimFromLaunch: () => send('POST', `${listed}/claim`, { wallet }),
    graduateLaunch: () => send('POST', `${listed}/graduate`, { payer: wallet }),
    getPosition: () => get(`${listed}/positions/${wallet}`),
    createLaunch: () => send('POST', '/v1/launches/create', payloadOf(curveInput(wallet))),
    registerLaunch: () => send('POST', '/v1/launches/register', registration),
    changeLaunchLinks() {
      const { genesisAddress: address } = LISTED.launch
      const words = { purpose: 'change launch links', address, value: links }
      return send('PUT', `${listed}/links`, { externalLinks: links, ...signChange(owner, words) })
    },
    getToken: () => get(`/v1/tokens/${LISTED.token.mint}`),
    getWallet: () => get(`/v1/wallets/${wallet}`),
    getWalletTrades: () => get(`/v1/wallets/${wallet}/trades`),
    getCreatorRewards: () => get(`/v1/creator-rewards/${wallet}`),
    claimCreatorRewards: () => send('POST', '/v1/creator-rewards/claim', { wallet }),
    searchRegistry: () => send('POST', '/ard/search', { query: { text: 'unknown' } }),
    listRegistry: () => get('/ard/agents'),
    getRegistryEntry: () => get(`/ard/agents/urn:air:slipway.example:agent:chain-mainnet:${unknown}`),
    exploreRegistry: () => send('POST', '/ard/explore', {}),
    followEvents: async () => {
      // Newer than what this node has in memory.
      const client = await followEvents(service.url, { lastEventId: '999999999999999' })
      if (client.status === 200) client.close()
      await client.ended
      return { ...client, text: client.text(), body: Buffer.of(), json: () => JSON.parse(client.text()) }
    },
  }
  async function answerOf(name: string) {
    const { status, headers, json } = await (requests[name] as () => ReturnType<typeof rawRequest>)()
    if (status === 500 || status === 503) expect([name, headers['retry-after']]).toEqual([name, '5'])
    return [name, status === 200 ? 200 : [status, json()]]
  }
  async function answers() {
    const { registerExecutive: _, ...others } = requests
    // It needs the chain alone. On a busy machine, the others could hold it up until its time is over.
    const first = await answerOf('registerExecutive')
    return Object.fromEntries([first, ...(await Promise.all(Object.keys(others).map(answerOf)))])
  }
  return { ...service, answers, rpc, postgres, setIndexComplete, connection, registration }
}

const inAgentShape = (status: number, error: string) => [status, { success: false, error }]
const inLaunchShape = (status: number, message: string) => [status, { error: { message } }]
const inRegistryShape = (status: number, errorCode: string, message: string) => [
  status,
  { errorCode, message },
]
const UNAVAILABLE = 'Service unavailable'

/** Answers that are the same in every outage: the endpoint's own error if the contract has one, else a 503, or a 200. */
const ALWAYS = {
  getAgent: inAgentShape(500, 'Failed to fetch agent'),
  getAgentWallet: inAgentShape(503, UNAVAILABLE),
  mintAgent: inAgentShape(500, 'Failed to prepare mint agent'),
  fundAgent: inAgentShape(500, 'Failed to prepare fund transaction'),
  withdrawFromAgent: inAgentShape(500, 'Failed to prepare withdraw transaction'),
  getAgentDelegates: inAgentShape(503, UNAVAILABLE),
  delegateAgent: inAgentShape(500, 'Failed to prepare transaction'),
  revokeDelegate: inAgentShape(500, 'Failed to prepare transaction'),
  getAgentCard: inAgentShape(503, UNAVAILABLE),
  getWellKnownAgentCard: inAgentShape(503, UNAVAILABLE),
  getNetworkAgentCard: inAgentShape(503, UNAVAILABLE),
  getNetworkWellKnownAgentCard: inAgentShape(503, UNAVAILABLE),
  replaceAgentCard: inAgentShape(503, UNAVAILABLE),
  removeAgentCard: inAgentShape(503, UNAVAILABLE),
  getJwks: 200,
  // These need only the social network, which is down too.
  verifySocial: inAgentShape(502, 'Could not retrieve social username'),
  verifyTwitter: inAgentShape(502, 'Could not retrieve Twitter username'),
  listLaunches: 200,
  getLaunch: 200,
  // The launch is not on the chain, so not even an RPC that answers is believed.
  getQuote: inLaunchShape(503, UNAVAILABLE),
  swap: inAgentShape(500, 'Failed to prepare transaction'),
  depositInLaunch: inAgentShape(500, 'Failed to prepare transaction'),
  withdrawFromLaunch: inAgentShape(500, 'Failed to prepare transaction'),
  claimFromLaunch: inAgentShape(500, 'Failed to prepare transaction'),
  graduateLaunch: inAgentShape(500, 'Failed to prepare transaction'),
  getLaunchHolders: inLaunchShape(503, UNAVAILABLE),
  getPosition: inLaunchShape(503, UNAVAILABLE),
  createLaunch: inAgentShape(500, 'Failed to prepare launch'),
  registerLaunch: inAgentShape(503, UNAVAILABLE),
  changeLaunchLinks: inAgentShape(503, UNAVAILABLE),
  getToken: 200,
  getWallet: inLaunchShape(503, UNAVAILABLE),
  getCreatorRewards: inLaunchShape(503, UNAVAILABLE),
  claimCreatorRewards: inLaunchShape(503, UNAVAILABLE),
  exploreRegistry: inRegistryShape(501, 'NOT_IMPLEMENTED', 'Not implemented'),
}
const WITHOUT_RPC = {
  ...ALWAYS,
  listAgents: 200,
  registerExecutive: inAgentShape(500, 'Failed to prepare transaction'),
  getDocument: inLaunchShape(404, 'Document not found'),
  getLaunchActivity: 200,
  getLaunchTrades: 200,
  getWalletTrades: 200,
  getLaunchCandles: 200,
  searchRegistry: 200,
  listRegistry: 200,
  getRegistryEntry: inRegistryShape(404, 'NOT_FOUND', 'Agent not found'),
  followEvents: 200,
}
const WITHOUT_STORE = {
  ...ALWAYS,
  listAgents: inAgentShape(503, UNAVAILABLE),
  // It needs the chain alone.
  registerExecutive: 200,
  getDocument: inLaunchShape(503, UNAVAILABLE),
  getLaunchActivity: inLaunchShape(503, UNAVAILABLE),
  getLaunchTrades: inLaunchShape(503, UNAVAILABLE),
  getWalletTrades: inLaunchShape(503, UNAVAILABLE),
  getLaunchCandles: inLaunchShape(503, UNAVAILABLE),
  searchRegistry: inRegistryShape(503, 'UNAVAILABLE', UNAVAILABLE),
  listRegistry: inRegistryShape(503, 'UNAVAILABLE', UNAVAILABLE),
  getRegistryEntry: inRegistryShape(503, 'UNAVAILABLE', UNAVAILABLE),
  followEvents: inLaunchShape(503, UNAVAILABLE),
}

test('the outage tests cover every endpoint', () => {
  const ids = DESCRIBED_ENDPOINTS.map(({ id }) => id).sort()
  for (const expected of [WITHOUT_RPC, WITHOUT_STORE]) expect(Object.keys(expected).sort()).toEqual(ids)
})

const RPC_FAULTS: Record<string, (rpc: RpcProxy) => void> = {
  hangs: rpc => {
    rpc.behave = () => 'hang'
  },
  'refuses connections': rpc => rpc.stop(),
}

test.each(Object.keys(RPC_FAULTS))(
  'if the RPC %s, every endpoint answers in time with its own 500 or a 503, whether or not the index is complete',
  async fault => {
    const { answers, rpc, setIndexComplete } = await start(RPC_ENDS)
    RPC_FAULTS[fault]?.(rpc)
    for (const isComplete of [false, true]) {
      await setIndexComplete(isComplete)
      expect(await answers()).toEqual(WITHOUT_RPC)
    }
  },
)

test('of a hundred swaps built at once over an endpoint that times out, each is built or says when to try again', async () => {
  const { local } = world.chainOf()
  const rpc = await startRpcProxy(local.rpcUrl)
  const { url } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
    limits: { rpc: { attemptMs: 500, totalMs: 1_200 } },
  })
  const send = (path: string, body: object) =>
    rawRequest(url, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send('/v1/launches/register', registrationOf(world, 'patchbot'))).status).toBe(200)
  const wallet = createKeypair().address
  local.airdrop(wallet, 1_000_000_000n)
  const swap = (at: number) =>
    send(`/v1/launches/${demoLaunch(world, 'patchbot').genesisAddress}/swap`, {
      wallet,
      side: 'buy',
      amount: `${1_000_000 + at}`,
    })
  let simulations = 0
  rpc.behave = method => {
    if (method !== 'simulateTransaction') return undefined
    simulations += 1
    return simulations % 3 === 0 ? undefined : 'hang'
  }
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => swap(at)))
  const outcomes = answers.map(({ status, headers, json }) =>
    status === 200
      ? 'built'
      : [status, headers['slipway-error'], headers['retry-after'], (json() as { error: string }).error].join(
          ' ',
        ),
  )
  const expected = [
    'built',
    '500 PREPARE_FAILED 5 Failed to prepare transaction',
    '503 SERVICE_UNAVAILABLE 1 Service unavailable',
    '503 SERVICE_UNAVAILABLE 5 Service unavailable',
  ]
  expect(outcomes.filter(outcome => !expected.includes(outcome))).toEqual([])
  expect(expected.slice(0, 2).filter(outcome => !outcomes.includes(outcome))).toEqual([])
  // The endpoint was not paused, so what comes next is built.
  rpc.behave = () => undefined
  expect((await swap(100)).status).toBe(200)
})

test('if only the search on the chain hangs, known buckets are still claimed in time', async () => {
  const { answers, rpc, setIndexComplete } = await start({ searchMs: 500 })
  await setIndexComplete(false)
  rpc.behave = method => (method === 'getProgramAccounts' ? 'hang' : undefined)
  expect(await answers()).toMatchObject({ claimCreatorRewards: 200, getCreatorRewards: 200 })
})

test('if the database stops answering, every endpoint answers in time with its own 500 or a 503', async () => {
  const { answers, postgres } = await start(REQUEST_ENDS)
  postgres.isFrozen = true
  expect(await answers()).toEqual(WITHOUT_STORE)
  expect(await answers()).toEqual(WITHOUT_STORE)
  postgres.stop()
})

test('if the database is down, every endpoint answers in time with its own 500 or a 503', async () => {
  const { answers, postgres } = await start()
  postgres.stop()
  expect(await answers()).toEqual(WITHOUT_STORE)
})

test('if the database is read-only, endpoints that write answer with their own 500 or a 503, and the rest are served', async () => {
  const { answers, connection } = await start()
  await runSql(connection, `ALTER DATABASE ${connection.database} SET default_transaction_read_only = on`)
  await runSql(connection, disconnectAll(connection.database))
  expect(await answers()).toMatchObject({
    mintAgent: inAgentShape(500, 'Failed to prepare mint agent'),
    createLaunch: inAgentShape(500, 'Failed to prepare launch'),
    registerLaunch: inAgentShape(503, UNAVAILABLE),
    listAgents: 200,
    getLaunchActivity: 200,
    claimCreatorRewards: 200,
    getCreatorRewards: 200,
    followEvents: 200,
  })
})

/** Ends the node's connections, so that it has to open new ones. */
const disconnectAll = (database: string) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE datname = '${database}' AND application_name LIKE 'slipway%'`

test('a registration whose time is up is not stored', async () => {
  const { register, registration, connection } = await start()
  const count = async () =>
    (await runSql(connection, 'SELECT count(*)::int AS launches FROM launches')).rows[0]
  const body = RegisterLaunchBody.parse(registration)
  await expect(register(body, createDeadline(0))).rejects.toThrow(DeadlineExceeded)
  expect(await count()).toEqual({ launches: 1 })
  await register(body, createDeadline(30_000))
  expect(await count()).toEqual({ launches: 2 })
})

test('an overloaded node keeps its index lease and its RPC endpoints', async () => {
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
  await expect.poll(holders, { timeout: 30_000 }).toHaveLength(2)
  const before = await holders()
  const agent = world.agent('patchbot')
  const { latencies } = await sendLoad({
    url,
    path: `/v1/agents/${agent.address}/withdraw`,
    body: { sender: agent.owner.address, amount: 0.001 },
    perSecond: 3_000,
    // A lease that is not renewed is lost after six, so only a long run shows that it is renewed.
    seconds: isEndurance ? 8 : 1,
    connections: 200,
  })
  expect(Object.keys(latencies).sort()).toEqual(['200', '503'])
  expect(await holders()).toEqual(before)
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toMatch(/slipway_rpc_request_duration_seconds_count\{.*outcome="ok"/)
  // In a short run, another program may be the reason.
  if (isEndurance) expect(text).not.toMatch(/slipway_rpc_request_duration_seconds_count\{.*outcome="timeout"/)
})
