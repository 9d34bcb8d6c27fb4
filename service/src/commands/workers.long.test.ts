import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawRequest } from '../testing/raw-request.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'

let url = ''
let metricsUrl = ''
let running: ReturnType<typeof runSlipway>
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-workers-'))
  const port = await freePort()
  const metricsPort = await freePort()
  url = `http://127.0.0.1:${port}`
  metricsUrl = `http://127.0.0.1:${metricsPort}`
  running = runSlipway(
    ['serve'],
    {
      PORT: port,
      METRICS_PORT: metricsPort,
      DATA_DIR: dataDir,
      LOCAL_CHAIN_PORT: await freeChainPort(),
      WORKERS: '2',
      // All connections come from a proxy, so that they are spread over the workers.
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_WRITES: '20',
      SITE: 'on',
      LOG_LEVEL: 'debug',
    },
    { onEnd: end => ends.push(end, () => rm(dataDir, { recursive: true, force: true })) },
  )
  await running.serving()
}, 180_000)

afterAll(async () => {
  for (const end of ends) await end()
})

const POLL = { timeout: 240_000, interval: 100 }

/** The processes that answer requests, as the metrics name them, in the order of their numbers. */
async function listWorkers(): Promise<number[]> {
  const { text } = await rawRequest(metricsUrl, '/metrics')
  return [...text.matchAll(/^slipway_worker_info\{worker="(\d)",pid="(\d+)"\} 1$/gm)]
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([, , pid]) => Number(pid))
}

let clients = 0

/** A request that a new client makes through the proxy. */
function get(path: string, headers = {}) {
  clients += 1
  const client = `2001:db8:${clients.toString(16)}::1`
  return rawRequest(url, path, { headers: { 'x-forwarded-for': client, ...headers } })
}

test('the workers answer on one port, and every line of the log names its worker', async () => {
  await expect.poll(listWorkers, POLL).toHaveLength(2)
  expect((await rawRequest(metricsUrl, '/metrics')).text).toContain('\nslipway_workers_expected 2\n')
  const paths = ['/v1/launches', '/healthz', '/readyz?for=reads']
  for (const path of [...paths, ...paths]) expect((await get(path)).status).toBe(200)
  for (const worker of [1, 2])
    await expect
      .poll(running.log, POLL)
      .toMatch(new RegExp(`"worker":${worker},"requestId".*"path":"/v1/launches"`))
})

test('a client has one limit on all workers', async () => {
  let allowed = 0
  const isRefused = async () => {
    const { status } = await rawRequest(url, '/v1/agents/mint', {
      method: 'POST',
      headers: { 'x-forwarded-for': '192.0.2.7' },
    })
    if (status !== 429) allowed += 1
    return status === 429
  }
  for (let sent = 0; sent < 20; sent += 1) await isRefused()
  await expect.poll(isRefused, POLL).toBe(true)
  expect(allowed).toBeGreaterThanOrEqual(20)
  // Without a common count, each worker would allow 20.
  expect(allowed).toBeLessThan(40)
})

test('the clients of a /48 have one limit on all workers, and leave others theirs', async () => {
  const mintFrom = async (client: string) =>
    (await rawRequest(url, '/v1/agents/mint', { method: 'POST', headers: { 'x-forwarded-for': client } }))
      .status
  let allowed = 0
  for (let at = 0; at < 600; at += 1)
    if ((await mintFrom(`2001:db8:0:${at.toString(16)}::1`)) !== 429) allowed += 1
  // 16 clients' worth. Without a shared count, each worker would allow as many.
  expect(allowed).toBeGreaterThanOrEqual(320)
  expect(allowed).toBeLessThan(480)
  expect(await mintFrom('2001:db8:ffff::1')).not.toBe(429)
})

const page = () => get('/', { accept: 'text/html' })

test('the pages of all workers are rendered by one of them', async () => {
  await expect.poll(async () => (await page()).status, POLL).toBe(200)
  for (let sent = 0; sent < 4; sent += 1) expect((await page()).text).toContain('</html>')
  const { text } = await rawRequest(metricsUrl, '/readyz')
  expect(text).toMatch(/^site: ok, \d+ pages being rendered/m)
  expect(text).toContain('workers: ok, 2 of 2 answering')
})

test('a worker that is killed is replaced, and the other one goes on with the connections that it has not taken', async () => {
  // The first one renders the pages.
  const [killed = 0, other = 0] = await listWorkers()
  process.kill(killed, 'SIGSTOP')
  const statuses: (number | undefined)[] = []
  const requests = Array.from({ length: 8 }, () =>
    get('/healthz').then(
      ({ status }) => statuses.push(status),
      () => statuses.push(undefined),
    ),
  )
  await expect.poll(() => statuses.length, POLL).toBeGreaterThanOrEqual(4)
  process.kill(killed, 'SIGKILL')
  await Promise.all(requests)
  // It may have begun to read the first of them.
  expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(7)
  await expect.poll(running.log, POLL).toMatch('a worker exited; starting another')
  expect((await get('/v1/launches')).status).toBe(200)
  await expect.poll(async () => (await page()).status, POLL).toBe(200)
  const others = async () => (await listWorkers()).filter(pid => pid !== killed)
  await expect.poll(others, POLL).toHaveLength(2)
  expect(await others()).toContain(other)
})

test('SIGHUP replaces the workers one by one, and no request fails', async () => {
  const before = await listWorkers()
  let isDone = false
  const statuses = new Set<number>()
  const load = (async () => {
    while (!isDone) statuses.add((await get('/v1/launches')).status)
  })()
  running.child.kill('SIGHUP')
  await expect
    .poll(async () => (await listWorkers()).filter(pid => !before.includes(pid)), POLL)
    .toHaveLength(2)
  isDone = true
  await load
  expect([...statuses]).toEqual([200])
})

test('SIGTERM stops all workers after their open requests', async () => {
  const workers = await listWorkers()
  running.child.kill('SIGTERM')
  expect((await running.finished).code).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
