// @module-tag timing
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { launchRecord } from '../testing/launch-rows.ts'
import { percentile, sendLoad } from '../testing/open-loop-load.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

/** Another address of this machine than the one that well-behaved clients have in these tests. */
const ATTACKER = '127.0.0.2'

async function open(url: string, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const client = { socket, received: '', closed }
  socket.on('data', chunk => {
    client.received += chunk
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return client
}

/** Asks for `/healthz` until it is stopped. */
function watchHealth(url: string) {
  const latencies: number[] = []
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const startMs = performance.now()
      expect((await rawRequest(url, '/healthz')).status).toBe(200)
      latencies.push(performance.now() - startMs)
      await sleep(5)
    }
  })()
  return async () => {
    isStopped = true
    await watching
    return Math.max(...latencies)
  }
}

const closedFor = async (url: string, reason: string) => {
  const { text } = await rawRequest(url, '/metrics')
  const line = text
    .split('\n')
    .find(line => line.startsWith(`slipway_http_connections_closed_total{reason="${reason}"}`))
  return Number(line?.split(' ')[1] ?? 0)
}

describe('a connection that pipelines', () => {
  test('a few dozen requests at a time gets all answers', async () => {
    const { url } = await startProbeServer({ launches: [launchRecord('one')] })
    const client = await open(url)
    for (let round = 1; round <= 20; round += 1) {
      client.socket.write(`${get('/v1/launches')}${get('/v1/launches/none')}`.repeat(24))
      await expect.poll(() => statuses(client.received).length).toBe(48 * round)
    }
    expect(await closedFor(url, 'pipelining')).toBe(0)
  })

  test.each(['/v1/launches', '/v1/launches/none', '/healthz'])(
    '20,000 requests for %s is closed, and delays nobody',
    async path => {
      const { url } = await startProbeServer({ launches: [launchRecord('one')] })
      const client = await open(url)
      const stopWatching = watchHealth(url)
      await sleep(50)
      client.socket.write(get(path).repeat(20_000))
      await client.closed
      await sleep(50)
      expect(await stopWatching()).toBeLessThan(1_500)
      expect(statuses(client.received).length).toBeLessThanOrEqual(100)
      expect(await closedFor(url, 'pipelining')).toBe(1)
    },
  )

  test('and reconnects, with twenty others, does not delay the rest', async () => {
    const { url } = await startProbeServer({ limits: { reads: 600, writes: 60 } })
    const flood = get('/v1/launches').repeat(20_000)
    const stopWatching = watchHealth(url)
    const endMs = performance.now() + 2_000
    let connections = 0
    const attack = async () => {
      while (performance.now() < endMs) {
        const client = await open(url, ATTACKER)
        connections += 1
        client.socket.write(flood)
        await client.closed
      }
    }
    await Promise.all(Array.from({ length: 20 }, attack))
    expect(await stopWatching()).toBeLessThan(1_500)
    // After the first ones, the client's connections are read one every 25 ms.
    expect(connections).toBeLessThan(250)
  })
})

describe('a client', () => {
  test('has a limited number of connections, and gets another one when it closes one', async () => {
    const { url } = await startProbeServer({ connectionsPerClient: 4 })
    const clients = await Promise.all(Array.from({ length: 4 }, () => open(url, ATTACKER)))
    const ask = async ({ socket, closed }: { socket: Socket; closed: Promise<void> }) => {
      socket.write(get('/healthz'))
      const answered = new Promise(resolve => socket.once('data', () => resolve('answered')))
      return Promise.race([answered, closed.then(() => 'closed')])
    }
    for (const client of clients) expect(await ask(client)).toBe('answered')
    expect(await ask(await open(url, ATTACKER))).toBe('closed')
    expect(await closedFor(url, 'connections')).toBe(1)
    // Another address is another client.
    expect(await ask(await open(url, '127.0.0.3'))).toBe('answered')
    clients[0]?.socket.destroy()
    await expect.poll(async () => ask(await open(url, ATTACKER))).toBe('answered')
  })

  test('is not limited in connections if it is a trusted proxy', async () => {
    const { url } = await startProbeServer({ connectionsPerClient: 4, trustedProxies: ['loopback'] })
    const clients = await Promise.all(Array.from({ length: 50 }, () => open(url)))
    for (const { socket } of clients) socket.write(get('/healthz'))
    await expect.poll(() => clients.filter(({ received }) => received.includes(' 200 OK')).length).toBe(50)
  })

  test('that is refused a hundred times loses its connection, a trusted proxy does not', async () => {
    const limits = { reads: 10, writes: 10 }
    const refuseMany = async (url: string) => {
      const client = await open(url, ATTACKER)
      for (let round = 1; round <= 15; round += 1) {
        client.socket.write(get('/v1/launches').repeat(10))
        await expect
          .poll(() => statuses(client.received).length >= 10 * round || client.socket.destroyed)
          .toBe(true)
      }
      return client
    }
    const direct = await startProbeServer({ limits })
    const client = await refuseMany(direct.url)
    await client.closed
    expect(statuses(client.received)).toHaveLength(110)
    expect(client.received.match(/connection: close/gi)).toHaveLength(1)
    expect(await closedFor(direct.url, 'refusals')).toBe(1)

    const proxied = await startProbeServer({ limits, trustedProxies: ['loopback'] })
    expect(statuses((await refuseMany(proxied.url)).received)).toHaveLength(150)
  })
})

/** Answers when the test says so, or takes a millisecond of processor time. */
const probe = (answer: () => Promise<void>): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/v1/agents/x/slow',
    id: 'slowProbe',
    tag: 'Probes',
    summary: 'Probe',
    description: 'Takes time.',
    faults: {},
    success: { description: 'Nothing.', schema: z.object({}), example: {} },
    errors: [],
    async answer() {
      await answer()
      return { kind: 'json', value: {} }
    },
  })

test("with too much in flight, routed requests are 503 in their family's format, health and prepared reads are answered", async () => {
  const waiting: (() => void)[] = []
  const { url } = await startProbeServer({
    launches: [launchRecord('one')],
    endpoints: [probe(() => new Promise(resolve => waiting.push(resolve)))],
  })
  const clients: Awaited<ReturnType<typeof open>>[] = []
  async function askWhileFull(path: string) {
    for (;;) {
      const answer = await rawRequest(url, path)
      if (answer.status === 503) return answer
      const client = await open(url)
      clients.push(client)
      client.socket.write(get('/v1/agents/x/slow').repeat(50))
    }
  }
  const agents = await askWhileFull('/v1/agents/x')
  expect(agents.headers['retry-after']).toBe('1')
  expect(agents.json()).toEqual({ success: false, error: 'Service unavailable' })
  const launches = await askWhileFull('/v1/launches/none')
  expect(launches.headers['retry-after']).toBe('1')
  expect(launches.json()).toEqual({ error: { message: 'Service unavailable' } })
  for (const path of ['/v1/launches', '/healthz', '/readyz', '/metrics'])
    expect([path, (await rawRequest(url, path)).status]).toEqual([path, 200])

  expect(waiting.length).toBeLessThanOrEqual(1_000)
  for (const answer of waiting) answer()
  await expect.poll(async () => (await rawRequest(url, '/v1/agents/x')).status).toBe(404)
  const all = () => clients.flatMap(({ received }) => statuses(received))
  await expect.poll(() => all().length).toBe(clients.length * 50)
  expect(all().filter(status => status === '200')).toHaveLength(waiting.length)
})

function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('requests of clients that have gone while they waited are dropped', async () => {
  let calls = 0
  const { url } = await startProbeServer({
    endpoints: [
      probe(async () => {
        calls += 1
        work(2)
      }),
    ],
  })
  const clients = await Promise.all(Array.from({ length: 100 }, () => open(url)))
  for (const { socket } of clients) socket.write(get('/healthz'))
  await expect.poll(() => clients.every(({ received }) => received.includes('ok'))).toBe(true)
  for (const { socket } of clients) {
    socket.write(get('/v1/agents/x/slow'))
    socket.destroy()
  }
  await sleep(300)
  expect(calls).toBeLessThan(50)
  const { text } = await rawRequest(url, '/metrics')
  expect(Number(/requests_shed_total\{reason="gone"\} (\d+)/.exec(text)?.[1])).toBe(100 - calls)
})

test('at five times its capacity, the server answers what it accepts in time, and recovers within a second', {
  timeout: 60_000,
}, async () => {
  const { url } = await startProbeServer({
    endpoints: [
      probe(async () => {
        work(0.5)
        await sleep(5)
      }),
    ],
  })
  const load = (perSecond: number, seconds: number, connections: number) =>
    sendLoad({ url, path: '/v1/agents/x/slow', perSecond, seconds, connections })
  const most = await load(10_000, 1, 8)
  const capacity = most.latencies['200']?.length as number
  const unloaded = await load(capacity / 5, 2, 50)
  expect(Object.keys(unloaded.latencies)).toEqual(['200'])

  const stopWatching = watchHealth(url)
  const loaded = await load(5 * capacity, 3, 400)
  const healthMs = await stopWatching()
  await sleep(1_000)
  const after = await load(capacity / 5, 1, 50)

  const p99 = ({ latencies }: typeof loaded) => percentile(latencies['200'], 0.99)
  if (process.env.SHOW_FIGURES)
    console.log(
      {
        capacity,
        sent: loaded.sent,
        unloaded: p99(unloaded),
        loaded: p99(loaded),
        after: p99(after),
        healthMs,
      },
      Object.entries(loaded.latencies).map(([s, l]) => [
        s,
        l.length,
        percentile(l, 0.5),
        percentile(l, 0.99),
      ]),
    )
  expect(loaded.broken).toBe(0)
  expect(loaded.latencies['503']?.length).toBeGreaterThan(0)
  expect(loaded.latencies['200']?.length).toBeGreaterThan(capacity / 4)
  // Without shedding, all clients wait for all others.
  const boundMs = Math.max(200, 4 * p99(unloaded))
  expect(p99(loaded)).toBeLessThan(boundMs)
  expect(healthMs).toBeLessThan(Math.max(2_000, 2 * boundMs))
  expect(Object.keys(after.latencies)).toEqual(['200'])
})
