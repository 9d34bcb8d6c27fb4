import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createSafeFetch, type FetchFor } from './safe-fetch.ts'
import { createTestFetch, sendJson, startWeb } from './test-web.ts'

const MIB = 1_048_576

async function startTcp(onConnection: (socket: Socket) => void): Promise<{ port: number }> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.resume()
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server.address() as AddressInfo
}

/** Fetches from a server and checks that the connection is closed afterwards. */
async function fetchFrom(
  answer: Parameters<typeof startWeb>[0],
  limits: Parameters<typeof createTestFetch>[0]['limits'] = {},
) {
  let closed = 0
  const web = await startWeb((request, response) => {
    response.on('close', () => {
      closed += 1
    })
    answer(request, response)
  })
  const result = await createTestFetch({ limits }).get(`http://a.open:${web.port}/`)
  await expect.poll(() => closed).toBe(1)
  return { result }
}

test('a document of one mebibyte is accepted; one more byte is too large', async () => {
  const ofSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
  const { result } = await fetchFrom((_request, response) => response.end(ofSize(MIB)))
  expect(result).toMatchObject({ ok: true, bytes: MIB })
  const longer = await fetchFrom((_request, response) => response.end(ofSize(MIB + 1)))
  expect(longer.result).toEqual({ ok: false, reason: 'too-large' })
  const chunked = await fetchFrom((_request, response) => {
    response.write('{')
    response.end(ofSize(MIB).slice(1).concat(' '))
  })
  expect(chunked.result).toEqual({ ok: false, reason: 'too-large' })
})

test('a document whose Content-Length is too large is refused without waiting for its body', async () => {
  const { result } = await fetchFrom((_request, response) => {
    response.setHeader('content-length', MIB + 1)
    response.flushHeaders()
  })
  // Waiting would end as a timeout.
  expect(result).toEqual({ ok: false, reason: 'too-large' })
})

test('an endless document is abandoned at the limit', async () => {
  let sent = 0
  const { result } = await fetchFrom((_request, response) => {
    const chunk = Buffer.alloc(65_536, ' ')
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length
    }
    response.on('drain', more)
    more()
  })
  expect(result).toEqual({ ok: false, reason: 'too-large' })
  // System buffers hold more than the limit.
  expect(sent).toBeLessThan(32 * MIB)
})

test.each([
  ['missing headers', () => {}],
  [
    'a byte every 20 ms',
    (_request, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  ],
  [
    'a body that never ends',
    (_request, response) => {
      response.setHeader('content-length', '100')
      response.write('{}')
    },
  ],
  [
    'slow redirects',
    (request, response) => {
      setTimeout(() => {
        response.writeHead(302, { location: request.url ?? '' })
        response.end()
      }, 150)
    },
  ],
] satisfies [string, Parameters<typeof startWeb>[0]][])(
  'one deadline covers the whole fetch: %s',
  async (_what, answer) => {
    const web = await startWeb(answer)
    const start = performance.now()
    const { get } = createTestFetch({ limits: { timeoutMs: 400 } })
    expect(await get(`http://a.open:${web.port}/`)).toEqual({ ok: false, reason: 'timeout' })
    expect(performance.now() - start).toBeGreaterThan(200)
  },
)

test('endless headers are refused as too large', async () => {
  const { port } = await startTcp(socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write(`x-${'y'.repeat(1_000)}: z\r\n`), 1)
    socket.on('close', () => clearInterval(timer))
  })
  const { get } = createTestFetch({})
  expect(await get(`http://a.open:${port}/`)).toEqual({ ok: false, reason: 'too-large', detail: 'headers' })
})

test('a look-up that never ends is abandoned at the deadline', async () => {
  const { fetch } = createSafeFetch({
    allowHosts: [],
    limits: { timeoutMs: 200 },
    resolveHost: () => new Promise(() => {}),
  })
  expect(await fetch(new URL('http://silent.example/'))).toEqual({ ok: false, reason: 'timeout' })
})

test('a TLS handshake that never ends is abandoned at the deadline', async () => {
  let hungUp = false
  const { port } = await startTcp(socket => {
    socket.on('close', () => {
      hungUp = true
    })
  })
  const { get } = createTestFetch({ limits: { timeoutMs: 200 } })
  expect(await get(`https://a.open:${port}/`)).toEqual({ ok: false, reason: 'timeout' })
  await expect.poll(() => hungUp).toBe(true)
})

const text = JSON.stringify({ name: 'Ada', padding: 'x'.repeat(1_000) })

test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['identity', Buffer.from(text)],
])('a document compressed with %s is decompressed', async (encoding, body) => {
  const { result } = await fetchFrom((_request, response) => {
    response.setHeader('content-encoding', encoding)
    response.end(body)
  })
  expect(result).toMatchObject({ ok: true, text, bytes: text.length })
})

const zeros = Buffer.alloc(48 * MIB, ' ')

test.each([
  ['gzip', () => gzipSync(zeros)],
  ['deflate', () => deflateSync(zeros)],
  ['br', () => brotliCompressSync(zeros, { params: { 1: 1, 2: 24 } })],
])(
  'of 20 %s bombs at once, each stops at the limit, and few are decompressed at a time',
  async (encoding, compress) => {
    const bomb = compress()
    expect(bomb.length).toBeLessThan(MIB)
    const web = await startWeb((_request, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(bomb)
    })
    const { get } = createTestFetch({ limits: { slots: 40, slotsPerSite: 20, timeoutMs: 30_000 } })
    const used = () => process.memoryUsage().external
    const before = used()
    let most = 0
    const timer = setInterval(() => (most = Math.max(most, used() - before)), 1)
    const results = await Promise.all(Array.from({ length: 20 }, () => get(`http://a.open:${web.port}/`)))
    clearInterval(timer)
    expect(results).toEqual(results.map(() => ({ ok: false, reason: 'too-large' })))
    // A brotli decoder takes 16 MiB.
    expect(most).toBeLessThan(128 * MIB)
  },
)

test.each([
  ['zstd', Buffer.from('{}')],
  ['gzip, gzip', gzipSync(gzipSync('{}'))],
  ['gzip', Buffer.from('{}')],
  ['gzip', gzipSync(text).subarray(0, 30)],
  ['br', Buffer.from('{}')],
])('a body that is not valid %s is refused', async (encoding, body) => {
  const { result } = await fetchFrom((_request, response) => {
    response.setHeader('content-encoding', encoding)
    response.end(body)
  })
  expect(result).toEqual({ ok: false, reason: 'bad-encoding' })
})

test.each([
  ['<html>', 'not-json', undefined],
  ['', 'not-json', undefined],
  ['[{"a":1}]', 'not-an-object', undefined],
  [Buffer.from([0x7b, 0xfe, 0x7d]), 'not-json', 'utf-8'],
])('%j is refused, whatever its content type', async (body, reason, detail) => {
  const { result } = await fetchFrom((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
  expect(result).toEqual({ ok: false, reason, ...(detail && { detail }) })
})

test.each([201, 204, 206, 300, 304, 400, 404, 410, 429, 500, 503])('status %i is a failure', async status => {
  const { result } = await fetchFrom((_request, response) => {
    response.writeHead(status)
    response.end(status === 204 || status === 304 ? undefined : '{"a":1}')
  })
  expect(result).toEqual({ ok: false, reason: 'http-status', detail: `${status}` })
})

test.each([
  'SSH-2.0-OpenSSH_9.6\r\n',
  'HTTP/1.1 200 secret words\r\ncontent-length: x\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
  '',
])('a response that is not HTTP (%j) is unreachable, and the result quotes none of it', async bytes => {
  const { port } = await startTcp(socket => {
    socket.end(bytes)
  })
  const result = await createTestFetch({}).get(`http://a.open:${port}/?token=hunter2`)
  expect(result).toMatchObject({ ok: false, reason: 'unreachable' })
  expect(JSON.stringify(result)).not.toMatch(/hunter2|SSH|secret|open/)
})

test('a flood of fetches from one slow host leaves slots for the others', async () => {
  const slow = await startWeb(() => {})
  const quick = await startWeb(sendJson({ quick: true }))
  const { get } = createTestFetch({
    names: { 'quick.net': ['127.0.0.1'], ...Object.fromEntries(flood.map(name => [name, ['127.0.0.1']])) },
    allowHosts: ['quick.net', ...flood],
    limits: { slots: 8, slotsPerSite: 3, waitingMax: 20, timeoutMs: 10_000, waitMsMax: 3_000 },
  })
  // One owner names fifty hosts: 3 run, 20 wait, 27 are refused at once.
  const flooding = flood.map(name => get(`http://${name}:${slow.port}/`, { owner: 'one' }))
  let refused = 0
  for (const result of flooding) void result.then(() => (refused += 1))
  await expect.poll(() => refused, { interval: 10 }).toBe(27)
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(`http://quick.net:${quick.port}/`)))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(slow.connections).toBe(3)
  const busy = await Promise.all(flooding.slice(3))
  expect(busy.every(result => !result.ok && result.reason === 'busy')).toBe(true)
})

const flood = Array.from({ length: 50 }, (_, index) => `x${index}.flood.net`)

test('a gateway gets more slots than a site', async () => {
  const slow = await startWeb(() => {})
  const { get } = createTestFetch({
    gateways: [`http://a.open:${slow.port}/ipfs/`],
    limits: { slotsPerSite: 1, slotsPerGateway: 5, timeoutMs: 5_000 },
  })
  for (let times = 0; times < 4; times += 1) void get(`http://a.open:${slow.port}/ipfs/${times}`)
  // The second half of them comes later.
  for (let times = 0; times < 2; times += 1) void get(`http://c.open:${slow.port}/${times}`)
  await expect.poll(() => slow.requests.length).toBeGreaterThanOrEqual(4)
  await sleep(100)
  expect(slow.requests.sort()).toEqual(['a.open/ipfs/0', 'a.open/ipfs/1', 'a.open/ipfs/2', 'c.open/0'])
})

test('callers, background fetches and networks have slots of their own', async () => {
  const slow = await startWeb(() => {})
  const quick = await startWeb(sendJson({ quick: true }))
  const { get } = createTestFetch({ limits: { slots: 2, slotsBackground: 2, timeoutMs: 60_000 } })
  const hang = (options: FetchFor) => {
    for (const host of ['a.open', 'b.open', 'c.open', 'd.open'])
      void get(`http://${host}:${slow.port}/`, options)
  }
  const answers = (options: FetchFor) => get(`http://d.open:${quick.port}/`, options)
  hang({ background: true, network: 'one' })
  await expect.poll(() => slow.connections).toBe(2)
  expect(await answers({ network: 'one' })).toMatchObject({ ok: true })
  hang({ network: 'one' })
  await expect.poll(() => slow.connections).toBe(4)
  expect(await answers({ network: 'two' })).toMatchObject({ ok: true })
  expect(await answers({ background: true, network: 'two' })).toMatchObject({ ok: true })
  expect(slow.connections).toBe(4)
})
