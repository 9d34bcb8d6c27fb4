import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSnapshot, defineEndpoint, type Endpoint, type Snapshot } from '../endpoint/endpoint.ts'
import { launchRecord } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

const LISTING = 'GET /v1/launches HTTP/1.1\r\nHost: a\r\n\r\n'

function slowPost(): string {
  const body = '{"word":"wait"}'
  return `POST /v1/agents/x/probe HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function send(url: string, bytes: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  return socket
}

/** An endpoint on the fast path that does something just before its answer is sent. */
const preparedProbe = (onRequest: () => void, snapshot = createSnapshot(Buffer.from('in time'))): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/v1/prepared',
    id: 'preparedProbe',
    tag: 'Operations',
    summary: 'Probe',
    description: 'Answers on the fast path.',
    faults: {},
    success: { description: 'Some bytes.', schema: z.object({}), example: {} },
    errors: [],
    prepared() {
      onRequest()
      return { kind: 'prepared', snapshot, cacheControl: 'no-cache' }
    },
    answer() {
      throw new Error('the fast path had an answer')
    },
  })

/** More than a connection takes while its caller reads nothing, in parts as a listing has them. */
const PARTS = Array.from({ length: 12 }, () => Buffer.alloc(2 ** 20, 'a launch, '))
const LONG: Snapshot = {
  identity: { encoding: 'identity', etag: '"long"', parts: PARTS, length: 12 * 2 ** 20 },
}
const LONG_PATH = '/v1/prepared'
const LONG_REQUEST = LISTING.replace('/v1/launches', LONG_PATH)
const serveLong = () => startProbeServer({ endpoints: [preparedProbe(() => {}, LONG)] })

describe('an answer is logged as aborted', () => {
  test('if and only if its caller disconnects while it is sent', async () => {
    const { url, logged } = await serveLong()
    for (const connection of ['keep-alive', 'close']) {
      await rawRequest(url, LONG_PATH, { headers: { connection } })
      await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ path: LONG_PATH, status: 200 })
      expect(logged.pop()?.fields).not.toHaveProperty('aborted')
    }
    const socket = send(url, LONG_REQUEST)
    await new Promise(resolve => socket.once('data', resolve))
    socket.destroy()
    await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ path: LONG_PATH, aborted: true })
  })

  test('when its connection breaks while it waits for earlier answers', async () => {
    const { url, logged } = await serveLong()
    const prepared = send(url, LONG_REQUEST.repeat(4))
    await new Promise(resolve => prepared.once('data', resolve))
    prepared.destroy()
    const aborted = (path: string) =>
      logged.filter(({ fields }) => Object.entries(fields).join().includes(path) && 'aborted' in fields)
    await expect.poll(() => aborted(LONG_PATH)).toHaveLength(4)

    const slow = send(url, slowPost().repeat(3))
    await sleep(100)
    slow.destroy()
    await expect.poll(() => aborted('/v1/agents/x/probe')).toHaveLength(3)
  })

  test('when its connection is reset before it is read', async () => {
    const { url, logged } = await startProbeServer({ launches: [launchRecord('one')] })
    for (let caller = 0; caller < 20; caller += 1) {
      const socket = send(url, '')
      socket.on('error', () => {})
      await new Promise(resolve => socket.once('connect', resolve))
      await sleep(5)
      socket.write(LISTING.repeat(100), () => socket.resetAndDestroy())
      await new Promise(resolve => socket.once('close', resolve))
    }
    await expect.poll(() => logged.length).toBeGreaterThan(0)
    await sleep(100)
    const done = logged.filter(({ fields }) => !('aborted' in fields))
    expect(done).toEqual([])
  })

  test('when its connection breaks before it is sent', async () => {
    let socket: Socket | undefined
    const { url, app, logged } = await startProbeServer({
      endpoints: [preparedProbe(() => socket?.destroy())],
    })
    app.server.on('connection', opened => {
      socket = opened
    })
    for (const count of [1, 2]) {
      await expect(rawRequest(url, '/v1/prepared')).rejects.toThrow()
      await expect.poll(() => logged).toHaveLength(count)
      expect(logged.at(-1)?.fields).toMatchObject({ status: 200, aborted: true })
    }
  })
})

test('a connection whose answer waits to be sent is not idle', async () => {
  const { url, app } = await startProbeServer({
    endpoints: [preparedProbe(() => queueMicrotask(() => app.server.closeIdleConnections()))],
  })
  expect((await rawRequest(url, '/v1/prepared')).text).toBe('in time')
})

test('answers on one connection come in the order of its requests, on the fast path or not', async () => {
  const { url } = await startProbeServer({ launches: [launchRecord('one')] })
  const paths = ['/healthz', '/v1/launches', '/v1/launches/x', '/v1/launches?status=ended', '/healthz']
  const socket = send(
    url,
    paths.map((path, at) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${at}\r\n\r\n`).join(''),
  )
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  const ids = () => [...received.matchAll(/^x-request-id: (\d)/gim)].map(([, id]) => id)
  await expect.poll(ids).toEqual(['0', '1', '2', '3', '4'])
  socket.destroy()
})

/** Everything received until the server ends the connection. */
function receive(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  return new Promise((resolve, reject) => socket.once('end', () => resolve(received)).once('error', reject))
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
const TUNNEL = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'

describe('an answer that waits to be sent is sent before', () => {
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', '400'],
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    ['a tunnel', TUNNEL, '400'],
  ])('the refusal of %s', async (_name, bytes, status) => {
    const { url, logged } = await startProbeServer()
    expect(statuses(await receive(send(url, LISTING + bytes)))).toEqual(['200', status])
    await expect.poll(() => logged).toHaveLength(1)
    expect(logged[0]?.fields).not.toHaveProperty('aborted')
  })

  test('stray bytes after the last request of a connection', async () => {
    const { url } = await startProbeServer()
    const last = LISTING.replace('Host', 'Connection: close\r\nHost')
    expect(statuses(await receive(send(url, `${last}x`)))[0]).toBe('200')
  })
})

test('a request that takes time is answered before the refusal of what follows it', async () => {
  const { url } = await startProbeServer()
  for (const bytes of ['GARBAGE\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`]) {
    const received = await receive(send(url, slowPost() + bytes))
    expect(statuses(received)).toEqual(['200', bytes.startsWith('GET') ? '431' : '400'])
    expect(received.indexOf('{"word":"wait"}')).toBeLessThan(received.lastIndexOf('HTTP/1.1'))
  }
})

test('a client that goes on sending after garbage can read the refusal', async () => {
  const { url } = await startProbeServer()
  const socket = send(url, `${slowPost()}GARBAGE\r\n\r\n`)
  const received = receive(socket)
  for (let at = 0; at < 20; at += 1) {
    await sleep(20)
    if (socket.writable) socket.write('more')
  }
  expect(statuses(await received)).toEqual(['200', '400'])
})

test('a tunnel request whose caller resets or holds the connection does no harm', async () => {
  const { url, app } = await startProbeServer()
  const connections = () => new Promise(resolve => app.server.getConnections((_, count) => resolve(count)))
  // An error event without a listener would end the process; here it fails the run.
  for (let at = 0; at < 10; at += 1) {
    const socket = send(url, '')
    socket.on('error', () => {})
    socket.write(TUNNEL, () => socket.resetAndDestroy())
    await new Promise(resolve => socket.once('close', resolve))
  }
  for (let at = 0; at < 10; at += 1) {
    const leaving = send(url, TUNNEL)
    await new Promise(resolve => leaving.once('data', resolve))
    leaving.end('unwanted bytes')
  }
  await expect.poll(connections).toBe(0)

  app.server.timeout = 300
  const { hostname, port } = new URL(url)
  const opened = once(app.server, 'connection')
  const holding = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  holding.on('error', () => {}).write(TUNNEL)
  await opened
  await expect.poll(connections, { timeout: 15_000 }).toBe(0)
  expect((await rawRequest(url, '/healthz')).status).toBe(200)
  holding.destroy()
})

test('a request with Expect: 100-continue does not disturb the answers before it', async () => {
  const { url } = await startProbeServer()
  const expecting = LISTING.replace('Host', 'Expect: 100-continue\r\nHost')
  const alone = receive(send(url, expecting.replace('Host', 'Connection: close\r\nHost')))
  expect(statuses(await alone)).toEqual(['100', '200'])
  const socket = send(url, LISTING + expecting)
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  await expect.poll(() => statuses(received)).toEqual(['200', '200'])
  socket.destroy()
})

describe('closing', () => {
  test('lets a slow client finish reading a long answer', async () => {
    const { url, app } = await serveLong()
    const socket = send(url, LONG_REQUEST)
    let received = 0
    const ended = new Promise(resolve => socket.once('close', resolve))
    socket.on('data', chunk => {
      received += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    await new Promise(resolve => socket.once('data', resolve))
    const closed = app.close()
    await ended
    await closed
    expect(received).toBeGreaterThan(LONG.identity.length)
  })

  test('answers a request that has arrived but is not read yet', async () => {
    const { url, app } = await startProbeServer()
    const socket = send(url, '')
    await new Promise(resolve => socket.once('connect', resolve))
    await sleep(50)
    const answer = new Promise((resolve, reject) => socket.once('data', resolve).once('close', reject))
    socket.write(LISTING)
    await app.close()
    expect(`${await answer}`).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['a listing and garbage', `${LISTING}GARBAGE\r\n\r\n`],
    ['a slow request and a tunnel', slowPost() + TUNNEL],
  ])('does not wait for a caller that keeps its connection open after %s', async (_name, bytes) => {
    const { url, app } = await startProbeServer()
    const { hostname, port } = new URL(url)
    const holding = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    holding.on('error', () => {}).write(bytes)
    await new Promise(resolve => holding.once('data', resolve))
    await sleep(50)
    const start = performance.now()
    await app.close()
    // Such a connection ends by itself after a minute.
    expect(performance.now() - start).toBeLessThan(20_000)
    holding.destroy()
  })
})

test('a client that reads nothing is disconnected, a slow one is not', async () => {
  const { url, app } = await serveLong()
  expect(app.server.timeout).toBe(60_000)
  app.server.timeout = 400
  const ask = () => send(url, LONG_REQUEST.replace('Host', 'Connection: close\r\nHost')).pause()
  const connections = () => new Promise(resolve => app.server.getConnections((_, count) => resolve(count)))
  const opened = once(app.server, 'connection')
  const stalled = ask()
  stalled.on('error', () => {})
  await opened
  await expect.poll(connections, { timeout: 15_000 }).toBe(0)
  stalled.destroy()

  // Longer than a busy machine would delay the reader.
  app.server.timeout = 1_500
  const slow = ask()
  let bytes = 0
  slow.on('data', chunk => {
    bytes += chunk.length
    slow.pause()
  })
  const reading = setInterval(() => slow.resume(), 12)
  const start = performance.now()
  await new Promise((resolve, reject) => slow.once('end', resolve).once('error', reject))
  clearInterval(reading)
  expect(bytes).toBeGreaterThan(LONG.identity.length)
  // Longer than the time-out for a client that reads nothing.
  expect(performance.now() - start).toBeGreaterThan(1_500)
})
