import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mintBody } from '../agents/test-mints.ts'
import { startTestNode } from '../chain/rpc/test-node.ts'
import { insertLaunches } from '../store/launches.ts'
import { useDemo } from '../testing/demo.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestConnection, createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
if (!hasHaproxy) console.log('haproxy is not installed: the rolling restart behind it is not tested')

const CLIENTS = 8
const CHECK_MS = 100

const PREVIOUS = fileURLToPath(
  new URL('../../../.previous/node_modules/slipway/bin/slipway.js', import.meta.url),
)
const hasPrevious = existsSync(PREVIOUS)
if (!hasPrevious)
  console.log('no earlier version is installed in .previous: the upgrade from it is not tested')

test.skipIf(!hasHaproxy)('a rolling restart of two nodes behind haproxy loses no request', async () => {
  const { connection, database } = await createTestDatabase()
  const row = launchRows('there')
  await insertLaunches(database, [row])
  const { url: rpcUrl } = await startTestNode()
  const env = { DATABASE_URL: toDatabaseUrl(connection), RPC_URL_DEVNET: rpcUrl, INDEXER: 'off' }
  const load = await restartUnderLoad(env, [
    { path: '/v1/launches' },
    { path: `/v1/launches/${row.launch.genesisAddress}` },
    { path: '/v1/launches?status=live' },
  ])
  expect(load.counts.answered).toBeGreaterThan(200)
  expect(load.failures).toEqual([])
})

describe.skipIf(!hasHaproxy || !hasPrevious)('from an earlier version', () => {
  const demo = useDemo()
  test('an upgrade of one node after another loses no request, and nodes of the earlier version index and write meanwhile', async () => {
    const connection = await createTestConnection()
    const { local, world } = demo.chainOf()
    const env = {
      DATABASE_URL: toDatabaseUrl(connection),
      RPC_URL_MAINNET: local.rpcUrl,
      RPC_WS_URL_MAINNET: local.wsUrl,
      PUBLIC_URL: 'https://slipway.example',
      RATE_LIMIT_WRITES: '0',
      RATE_LIMIT_CHAIN_READS: '0',
    }
    const owner = world.visitor.address
    const load = await restartUnderLoad(
      env,
      [
        { path: '/v1/launches' },
        { path: '/v1/agents?query=a' },
        { path: `/v1/agents/${world.agents[0]?.address}` },
        { path: `/v1/creator-rewards/${owner}` },
        { path: '/v1/agents/mint', body: mintBody(owner, { asset: createKeypair().address }) },
      ],
      PREVIOUS,
    )
    expect(load.counts.answered).toBeGreaterThan(200)
    expect(load.failures).toEqual([])
    const { finished } = runSlipway(
      ['serve'],
      { ...env, ...SECRET, PORT: await freePort() },
      { program: PREVIOUS },
    )
    expect(await finished).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('made by a newer Slipway'),
    })
  }, 240_000)
})

/** Seconds. The balancer must notice within this time, on a busy machine too. */
const SHUTDOWN_DELAY = '5'
const SECRET = { SOCIAL_TOKEN_SECRET: 'a secret that only the tests know' }

/** Starts two nodes of an earlier version, or of this one, and replaces one after the other by this version. */
async function restartUnderLoad(env: Record<string, string>, requests: LoadRequest[], earlier?: string) {
  const ports = [await freePort(), await freePort()] as const
  const startNode = async (port: string, program?: string) => {
    const node = runSlipway(
      ['serve'],
      { PORT: port, SHUTDOWN_DELAY, RATE_LIMIT_READS: '0', LOG_LEVEL: 'warn', ...SECRET, ...env },
      program === undefined ? {} : { program },
    )
    await expect.poll(() => isReady(port), { timeout: 60_000 }).toBe(true)
    return node
  }
  let nodes = await Promise.all(ports.map(port => startNode(port, earlier)))
  const url = await startHaproxy(ports)
  await expect.poll(() => statusOf(url), { timeout: 60_000 }).toBe(200)
  const load = startLoad(url, requests)
  for (const [at, port] of ports.entries()) {
    nodes[at]?.child.kill('SIGTERM')
    expect((await nodes[at]?.finished)?.code).toBe(0)
    nodes = nodes.with(at, await startNode(port))
    // The balancer sends requests to the new node before the other one stops.
    await expect.poll(() => hasServed(port), { timeout: 60_000 }).toBe(true)
    const served = load.counts.answered
    await expect.poll(() => load.counts.answered - served, { timeout: 60_000 }).toBeGreaterThan(50)
  }
  await load.stop()
  for (const node of nodes) node.child.kill('SIGTERM')
  await Promise.all(nodes.map(node => node.finished))
  return load
}

/** A balancer that never retries, so that every failure reaches the client. */
async function startHaproxy(ports: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-haproxy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const path = join(folder, 'haproxy.cfg')
  await writeFile(
    path,
    [
      'defaults',
      '  mode http',
      '  retries 0',
      '  timeout connect 2s',
      '  timeout client 30s',
      '  timeout server 30s',
      // A slow check on a busy machine is no failure.
      '  timeout check 5s',
      'frontend public',
      `  bind 127.0.0.1:${port}`,
      '  default_backend slipway',
      'backend slipway',
      '  balance roundrobin',
      '  option httpchk GET /readyz',
      '  http-check expect status 200',
      ...ports.map(
        (node, at) => `  server node${at} 127.0.0.1:${node} check inter ${CHECK_MS}ms fall 1 rise 1`,
      ),
      '',
    ].join('\n'),
  )
  const haproxy = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  onTestFinished(() => void haproxy.kill('SIGKILL'))
  return `http://127.0.0.1:${port}`
}

const isReady = (port: string) =>
  rawRequest(`http://127.0.0.1:${port}`, '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  )

const hasServed = async (port: string) => {
  const { text } = await rawRequest(`http://127.0.0.1:${port}`, '/metrics')
  return /request_duration_seconds_count\{[^}]*route="\/v1\/launches",status="200"\} [1-9]/.test(text)
}

const statusOf = (url: string) =>
  rawRequest(url, '/healthz').then(
    ({ status }) => status,
    () => 0,
  )

interface LoadRequest {
  path: string
  /** Makes it a POST. */
  body?: object
}

/** Clients that keep their connections and send one request after another. */
function startLoad(url: string, requests: readonly LoadRequest[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const counts = { answered: 0 }
  const failures: string[] = []
  let isStopped = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let at = 0; !isStopped; at += 1) {
      const { path, body } = requests[at % requests.length] as LoadRequest
      const outcome = await send(agent, `${url}${path}`, body)
      counts.answered += 1
      if (outcome !== 'ok') failures.push(`${path}: ${outcome}`)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  })
  return {
    counts,
    failures,
    async stop() {
      isStopped = true
      await Promise.all(clients)
      agent.destroy()
    },
  }
}

/** `ok`, or what came instead of a 200. */
function send(agent: Agent, url: string, body: object | undefined): Promise<string> {
  const options = body && { method: 'POST', headers: { 'content-type': 'application/json' } }
  return new Promise(resolve => {
    request(url, { agent, ...options }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(response.statusCode === 200 ? 'ok' : `${response.statusCode} ${text}`))
      response.on('error', error => resolve(error.message))
    })
      .on('error', error => resolve(error.message))
      .end(body && JSON.stringify(body))
  })
}
