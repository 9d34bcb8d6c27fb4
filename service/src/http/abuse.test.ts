import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { isEndurance } from '../testing/endurance.ts'
import { addressOf, launchRecord } from '../testing/launch-rows.ts'
import { percentile, sendLoad } from '../testing/open-loop-load.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

/** A busy machine may need seconds. */
const until = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 })

/** An address of this machine that well-behaved clients don't use in these tests. */
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
      await until(() => statuses(client.received).length).toBe(48 * round)
    }
    expect(await closedFor(url, 'pipelining')).toBe(0)
  })

  test.each(['/v1/launches', '/healthz'])(
    '20,000 requests for %s is closed after a hundred answers, and other clients are answered meanwhile',
    async path => {
      const { url } = await startProbeServer({ launches: [launchRecord('one')] })
      const client = await open(url)
      const stopWatching = watchHealth(url)
      client.socket.write(get(path).repeat(20_000))
      await client.closed
      await stopWatching()
      expect(statuses(client.received).length).toBeLessThanOrEqual(100)
      expect(await closedFor(url, 'pipelining')).toBe(1)
    },
  )

  test('and reconnects, with twenty others, is read slowly, and the rest is answered', async () => {
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
    await stopWatching()
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
    await until(async () => ask(await open(url, ATTACKER))).toBe('answered')
  })

  test('is not limited in connections if it is a trusted proxy', async () => {
    const { url } = await startProbeServer({ connectionsPerClient: 4, trustedProxies: ['loopback'] })
    const clients = await Promise.all(Array.from({ length: 50 }, () => open(url)))
    for (const { socket } of clients) socket.write(get('/healthz'))
    await until(() => clients.filter(({ received }) => received.includes(' 200 OK')).length).toBe(50)
  })

  test('that is refused 25 times loses its connection, a trusted proxy does not', async () => {
    const limits = { reads: 10, writes: 10 }
    const refuseMany = async (url: string) => {
      const client = await open(url, ATTACKER)
      for (let round = 1; round <= 6; round += 1) {
        client.socket.write(get('/v1/launches').repeat(10))
        const isDone = () => statuses(client.received).length >= 10 * round || client.socket.destroyed
        await until(isDone).toBe(true)
      }
      return client
    }
    const direct = await startProbeServer({ limits })
    const client = await refuseMany(direct.url)
    await client.closed
    expect(statuses(client.received)).toHaveLength(35)
    expect(client.received.match(/connection: close/gi)).toHaveLength(1)
    expect(await closedFor(direct.url, 'refusals')).toBe(1)

    const proxied = await startProbeServer({ limits, trustedProxies: ['loopback'] })
    expect(statuses((await refuseMany(proxied.url)).received)).toHaveLength(60)
  })
})

/** Answers when the test says so, or takes a millisecond of processor time. */
const probe = (answer: () => Promise<void>): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/v1/agents/x/slow',
    id: 'slowProbe',
    tag: 'Operations',
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
  const address = addressOf('busy')
  const waiting: (() => void)[] = []
  const wait = () => new Promise<void>(resolve => waiting.push(resolve))
  const paths = ['/v1/agents/{address}/slow', '/v1/launches/{address}/slow'] as const
  const { url } = await startProbeServer({
    launches: [launchRecord('one')],
    endpoints: paths.map(path => ({ ...probe(wait), path, id: path, limitMs: 60_000 })),
  })
  let answered = 0
  const send = (path: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const answer = await rawRequest(url, path.replace('{address}', address))
        answered += 1
        return answer
      }),
    )
  const sending = paths.map(path => send(path, 200))
  await until(() => [waiting.length, answered]).toEqual([2 * 128, 2 * 72])
  for (const path of ['/v1/launches', '/healthz', '/readyz', '/metrics', `/v1/launches/${address}`])
    expect([path, (await rawRequest(url, path)).status < 500]).toEqual([path, true])
  for (const answer of waiting) answer()
  const [agents, launches] = (await Promise.all(sending)).map(answers =>
    answers.filter(({ status }) => status !== 200),
  )
  for (const answer of [...(agents ?? []), ...(launches ?? [])])
    expect([answer.status, answer.headers]).toEqual([
      503,
      expect.objectContaining({
        // A request that reaches the handler, which costs more, would get a Retry-After of 5 seconds.
        'retry-after': '1',
        'slipway-error': 'SERVICE_UNAVAILABLE',
      }),
    ])
  expect([agents?.length, launches?.length]).toEqual([72, 72])
  const readMetrics = async () => (await rawRequest(url, '/metrics')).text
  await until(readMetrics).toContain('slipway_http_requests_shed_total{reason="in_flight"} 144')
  expect(agents?.[0]?.json()).toEqual({ success: false, error: 'Service unavailable' })
  expect(launches?.[0]?.json()).toEqual({ error: { message: 'Service unavailable' } })

  // Afterwards, there is room for as many again.
  waiting.length = 0
  const again = paths.map(path => send(path, 128))
  await until(() => waiting.length).toBe(2 * 128)
  for (const answer of waiting) answer()
  expect(new Set((await Promise.all(again)).flat().map(({ status }) => status))).toEqual(new Set([200]))
})

test('uploads that never end take no place from other requests', async () => {
  const { url } = await startProbeServer()
  const upload =
    'POST /v1/social/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const clients = await Promise.all(Array.from({ length: 200 }, () => open(url)))
  for (const { socket } of clients) socket.write(upload)
  await sleep(200)
  for (let at = 0; at < 20; at += 1) {
    const answer = await rawRequest(url, '/v1/social/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(400)
  }
})

function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('requests of clients that disconnect while they wait are dropped', async () => {
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
  await until(() => clients.every(({ received }) => received.includes('ok'))).toBe(true)
  for (const { socket } of clients) {
    socket.write(get('/v1/agents/x/slow'))
    socket.destroy()
  }
  const dropped = async () => {
    const { text } = await rawRequest(url, '/metrics')
    return Number(/requests_shed_total\{reason="gone"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  await until(async () => calls + (await dropped())).toBe(100)
  expect(calls).toBeLessThan(90)
})

// Needs a machine of its own.
test.runIf(isEndurance)(
  'at five times its capacity, the server answers accepted requests in time, and recovers within a second',
  {
    timeout: 60_000,
  },
  async () => {
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

    const answered = loaded.latencies['200']
    if (process.env.SHOW_FIGURES)
      console.log({
        capacity,
        unloaded: percentile(unloaded.latencies['200'], 0.99),
        loaded: percentile(answered, 0.99),
        answered: answered?.length,
        refused: loaded.latencies['503']?.length,
        healthMs,
      })
    expect(loaded.broken).toBe(0)
    expect(loaded.latencies['503']?.length).toBeGreaterThan(0)
    expect(answered?.length).toBeGreaterThan(capacity / 8)
    // The median, because other processes delay some of the requests on a busy machine.
    expect(percentile(answered, 0.5)).toBeLessThan(
      Math.max(1_000, 4 * percentile(unloaded.latencies['200'], 0.99)),
    )
    expect(healthMs).toBeLessThan(3_000)
    expect(Object.keys(after.latencies)).toEqual(['200'])
  },
)
