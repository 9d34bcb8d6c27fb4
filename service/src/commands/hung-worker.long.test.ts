import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { signChange } from '../testing/owner-changes.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'

const POLL = { timeout: 120_000, interval: 100 }
const HELD = 6

let url = ''
let metricsUrl = ''
let cardPath = ''
let dataDir = ''
let agent: { address: string; ownerSecretKey: number[] }
let running: ReturnType<typeof runSlipway>
const ends: (() => Promise<void>)[] = []
const stopped = new Set<number>()

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-hung-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
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
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '0',
    },
    { onEnd: end => ends.push(end, () => rm(dataDir, { recursive: true, force: true })) },
  )
  await running.serving()
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
  agent = demo.networks['chain-mainnet'].agents[0]
  cardPath = `/v1/agents/${agent.address}/agent-card.json`
}, 240_000)

afterAll(async () => {
  for (const pid of stopped) resume(pid)
  for (const end of ends) await end()
})

async function readMetric(name: string): Promise<string | undefined> {
  const { text } = await rawRequest(metricsUrl, '/metrics')
  return new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
}

/** The processes that answer requests, in the order of their numbers. */
async function listWorkers(): Promise<number[]> {
  const { text } = await rawRequest(metricsUrl, '/metrics')
  return [...text.matchAll(/^slipway_worker_info\{worker="(\d)",pid="(\d+)"\} 1$/gm)]
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([, , pid]) => Number(pid))
}

function stop(pid: number) {
  stopped.add(pid)
  process.kill(pid, 'SIGSTOP')
}

function resume(pid: number) {
  stopped.delete(pid)
  try {
    process.kill(pid, 'SIGCONT')
  } catch {}
}

/** Stores a card as its owner. */
async function replaceCard(version: string) {
  const owner = createKeypair(Uint8Array.from(agent.ownerSecretKey.slice(0, 32)))
  const card = { ...EXAMPLE_CARD, version, url: 'https://agents.example/card.json' }
  const body = JSON.stringify({
    card,
    ...signChange(owner, {
      purpose: 'replace agent card',
      deployment: `http://localhost:${new URL(url).port}`,
      address: agent.address,
      value: card,
    }),
  })
  // A connection of its own, unlike those that fetch keeps.
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await rawRequest(url, cardPath, { method: 'PUT', headers, body })
  expect(status).toBe(200)
}

/** Holds a connection open. The returned function requests the card through it. */
function holdConnection(): () => Promise<string> {
  const connection = new Agent({ keepAlive: true, maxSockets: 1 })
  ends.push(async () => connection.destroy())
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(url + cardPath, { agent: connection }, async response => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(JSON.parse(text).version)
      })
      sent.on('error', reject)
      sent.end()
    })
}

/** While a worker is stopped, twenty clients on new connections, a change and the readiness must succeed. */
async function useNode(version: string) {
  const gets = Array.from({ length: 20 }, () => rawRequest(url, cardPath))
  for (const { status } of await Promise.all(gets)) expect(status).toBe(200)
  await replaceCard(version)
  for (let count = 0; count < 4; count += 1) {
    expect((await rawRequest(url, cardPath)).json()).toMatchObject({ version })
    expect((await rawRequest(url, '/readyz')).status).toBe(200)
    expect((await rawRequest(metricsUrl, '/readyz')).status).toBe(200)
  }
}

test.each([0, 1])(
  'nobody waits for a worker that is stopped for some seconds, and it misses nothing (%i)',
  async place => {
    await expect.poll(listWorkers, POLL).toHaveLength(2)
    await expect.poll(async () => (await rawRequest(url, '/readyz')).status, POLL).toBe(200)
    const pid = (await listWorkers())[place] as number
    const held = Array.from({ length: HELD }, holdConnection)
    await Promise.all(held.map(get => get()))
    const startMs = performance.now()
    stop(pid)
    await useNode(`1.${place}.0`)
    await expect.poll(() => readMetric('slipway_workers_hung'), POLL).toBe('1')
    await useNode(`1.${place}.1`)
    // All of this happened while the worker was stopped, before it was ended for hanging.
    expect(running.log()).not.toContain('a worker hangs; ending it')
    const answers = held.map(get => get())
    await expect.poll(() => performance.now() - startMs, POLL).toBeGreaterThan(5_000)
    resume(pid)
    expect(new Set(await Promise.all(answers))).toEqual(new Set([`1.${place}.1`]))
    await expect.poll(() => readMetric('slipway_workers_hung'), POLL).toBe('0')
    await useNode(`1.${place}.2`)
    expect(await listWorkers()).toContain(pid)
  },
  180_000,
)

test('a worker that was stopped while the database hangs is not ended for it, and serves again afterwards', async () => {
  await expect.poll(listWorkers, POLL).toHaveLength(2)
  const workers = await listWorkers()
  const [pid = 0] = workers
  const postmaster = Number((await readFile(join(dataDir, 'db/postmaster.pid'), 'utf8')).split('\n', 1)[0])
  const backends = execFileSync('ps', ['-o', 'pid=', '--ppid', `${postmaster}`], { encoding: 'utf8' })
  const servers = [postmaster, ...backends.trim().split(/\s+/).map(Number)]
  servers.forEach(stop)
  stop(pid)
  await sleep(3_000)
  resume(pid)
  // The pool's own test shows that it is not ended later either.
  await sleep(5_000)
  expect(await readMetric('slipway_workers_hung')).toBe('1')
  expect(running.log()).not.toContain('a worker hangs; ending it')
  servers.forEach(resume)
  await expect.poll(() => readMetric('slipway_workers_hung'), POLL).toBe('0')
  await expect.poll(async () => (await rawRequest(url, '/readyz')).status, POLL).toBe(200)
  expect(await listWorkers()).toEqual(workers)
  await useNode('1.9.0')
}, 180_000)

test('a worker that stays stopped is replaced, and the others answer meanwhile', async () => {
  await expect.poll(listWorkers, POLL).toHaveLength(2)
  const [pid = 0, other = 0] = await listWorkers()
  const hangs = Number(await readMetric('slipway_worker_hangs_total'))
  stop(pid)
  await useNode('2.0.0')
  await expect.poll(running.log, POLL).toContain('a worker hangs; ending it')
  await useNode('2.0.1')
  const left = async () => (await listWorkers()).filter(each => each !== pid)
  await expect.poll(left, POLL).toHaveLength(2)
  expect(await left()).toContain(other)
  await expect.poll(() => readMetric('slipway_workers_hung'), POLL).toBe('0')
  expect(Number(await readMetric('slipway_worker_hangs_total'))).toBe(hangs + 1)
  await useNode('2.0.2')
}, 240_000)
