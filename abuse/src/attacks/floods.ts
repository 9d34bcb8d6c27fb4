import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, sendBytes, watchHealth } from '../client.ts'
import { type Attack, PROXY, percentile } from '../target.ts'

/** One client sends as fast as it can, far beyond its rate limit, while another reads a listing. */
function createFlood(name: string, path: string): Attack {
  return {
    name,
    async run({ port }, isShort) {
      const forMs = isShort ? 300 : 10_000
      const quiet = await readListings(port, '127.0.0.80', isShort ? 100 : 500, 8)
      let answers = 0
      let isOver = false
      const attacker = createClient(port, { localAddress: '127.0.0.81', connections: 32 })
      const flood = Array.from({ length: 32 }, async () => {
        while (!isOver)
          await attacker.send('GET', path).then(
            () => {
              answers += 1
            },
            () => {},
          )
      })
      const loaded = await readListings(port, '127.0.0.82', forMs, 8)
      isOver = true
      await Promise.all(flood)
      attacker.close()
      return [
        {
          what: `answers per second to the flood of ${path}`,
          value: (answers / forMs) * 1_000,
          unit: 'answers',
        },
        { what: 'p99 of a listing, alone', value: percentile(quiet, 0.99), unit: 'ms' },
        {
          what: 'p99 of a listing during the flood',
          value: percentile(loaded, 0.99),
          unit: 'ms',
          atMost: 250,
        },
      ]
    },
  }
}

export const refusals = createFlood('refusals', '/v1/launches')
export const metricsFlood = createFlood('metrics flood', '/metrics')
export const readinessFlood = createFlood('readiness flood', '/readyz')

/** Well below the rate limit. */
async function readListings(port: number, localAddress: string, forMs: number, perSecond: number) {
  const client = createClient(port, { localAddress })
  const times: number[] = []
  for (const end = Date.now() + forMs; Date.now() < end; ) {
    const { status, ms } = await client.send('GET', '/v1/launches')
    if (status !== 200) throw new Error(`the listing answered ${status} to a well-behaved client`)
    times.push(ms)
    await new Promise(resolve => setTimeout(resolve, 1_000 / perSecond))
  }
  client.close()
  return times
}

const REQUESTS = 20_000
const REQUEST = 'GET /v1/launches HTTP/1.1\r\nHost: a\r\n\r\n'
const ORDINARY = 40

/** One client writes thousands of requests into each of its connections without reading the responses first. */
export const pipelining: Attack = {
  name: 'pipelining',
  async run({ port }, isShort) {
    const one = await watchHealth(port, () => flood(port, 1, isShort ? 300 : 2_000))
    const twenty = await watchHealth(port, () => flood(port, 20, isShort ? 500 : 12_000))
    const answers = await ordinaryPipelining(port)
    return [
      {
        what: '/healthz during 20,000 requests on one connection',
        value: one.longestMs,
        unit: 'ms',
        atMost: 500,
      },
      {
        what: '/healthz during 20 such connections',
        value: twenty.longestMs,
        unit: 'ms',
        atMost: 1_000,
      },
      { what: '/healthz failures', value: one.failures + twenty.failures, unit: 'requests', atMost: 0 },
      {
        what: `missing answers to ${ORDINARY} pipelined requests of an ordinary client`,
        value: ORDINARY - answers,
        unit: 'answers',
        atMost: 0,
      },
    ]
  },
}

/** Reconnects whenever a connection is closed, for the whole time. */
async function flood(port: number, connections: number, forMs: number) {
  const bytes = Buffer.from(REQUEST.repeat(REQUESTS))
  let isOver = false
  const sockets = new Set<ReturnType<typeof connect>>()
  const attack = async () => {
    while (!isOver) {
      await new Promise(resolve => {
        const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.66' })
        sockets.add(socket)
        socket.on('connect', () => socket.write(bytes))
        socket.on('error', () => {})
        socket.resume()
        socket.on('close', () => {
          sockets.delete(socket)
          resolve(undefined)
        })
      })
      await sleep(10)
    }
  }
  const attackers = Array.from({ length: connections }, attack)
  await sleep(forMs)
  isOver = true
  for (const socket of sockets) socket.destroy()
  await Promise.all(attackers)
}

async function ordinaryPipelining(port: number): Promise<number> {
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const { text } = await sendBytes(port, request.repeat(ORDINARY), { localAddress: '127.0.0.67' })
  return text.split('HTTP/1.1 200').length - 1
}

const LARGE = 'x'.repeat(31_000)

/** Many clients behind a trusted proxy prepare mints that they never send, each until it is refused. */
export const documents: Attack = {
  name: 'documents',
  async run({ port, chain }, isShort) {
    const client = createClient(port, { localAddress: PROXY })
    const wallet = chain.wallets[0] as string
    const count = isShort ? 3 : 139
    // Each /64 may have 2 MiB, a /56 twice and a /48 four times as much.
    const [allocation, apart, atMost] = isShort ? ['/56', 1, 4.5] : ['/48', 0x1_00, 9]
    const oneAllocation = await fill(
      client,
      wallet,
      count,
      at => `2001:db8:1:${(at * apart).toString(16)}::1`,
    )
    const figures = [
      {
        what: `prepared by ${count} /64 networks of one ${allocation}`,
        value: oneAllocation,
        unit: 'MB' as const,
        atMost,
      },
    ]
    if (!isShort) {
      const many = await fill(client, wallet, count, at => `2001:db8:${(at + 2).toString(16)}::1`)
      figures.push({ what: `prepared by ${count} /48 networks`, value: many, unit: 'MB', atMost: 250 })
    }
    const { status } = await mint(client, wallet, '203.0.113.7', 'Ferrywright')
    client.close()
    return [
      ...figures,
      {
        what: 'mints by another client that were refused afterwards',
        value: status === 200 ? 0 : 1,
        unit: 'answers',
        atMost: 0,
        detail: `status ${status}`,
      },
    ]
  },
}

/** Returns how many megabytes were accepted. */
async function fill(client: Client, wallet: string, networks: number, clientOf: (at: number) => string) {
  let bytes = 0
  for (let at = 0; at < networks; at += 1) {
    let refused = false
    const attackers = Array.from({ length: 8 }, async () => {
      while (!refused) {
        const { status } = await mint(client, wallet, clientOf(at), LARGE)
        if (status === 200) bytes += LARGE.length
        else refused = true
      }
    })
    await Promise.all(attackers)
  }
  return bytes / 1_000_000
}

function mint(client: Client, wallet: string, address: string, description: string) {
  const agentMetadata = { name: 'Ferrywright', description, services: [], registrations: [] }
  return client.send('POST', '/v1/agents/mint', {
    body: { wallet, name: 'Ferrywright', uri: 'https://a.example/a.json', agentMetadata },
    headers: { 'x-forwarded-for': address },
  })
}
