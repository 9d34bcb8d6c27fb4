import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { launchRecord } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'
import type { Lane } from './front-door.ts'

const LISTING = 'GET /v1/launches HTTP/1.1\r\nHost: a\r\n\r\n'

const longListing = () => Array.from({ length: 20_000 }, (_, at) => launchRecord(`long ${at}`))

function send(url: string, bytes: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  return socket
}

describe('an answer is logged as aborted', () => {
  test('when its caller went away while it was sent, and not otherwise', async () => {
    const { url, logged } = await startProbeServer({ launches: longListing() })
    for (const connection of ['keep-alive', 'close']) {
      await rawRequest(url, '/v1/launches', { headers: { connection } })
      await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ path: '/v1/launches', status: 200 })
      expect(logged.pop()?.fields).not.toHaveProperty('aborted')
    }
    const socket = send(url, LISTING)
    await new Promise(resolve => socket.once('data', resolve))
    socket.destroy()
    await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ path: '/v1/launches', aborted: true })
  })

  test('when it waited for others on a connection that broke', async () => {
    const { url, logged } = await startProbeServer({ launches: longListing() })
    const prepared = send(url, LISTING.repeat(4))
    await new Promise(resolve => prepared.once('data', resolve))
    prepared.destroy()
    const aborted = (path: string) =>
      logged.filter(({ fields }) => Object.entries(fields).join().includes(path) && 'aborted' in fields)
    await expect.poll(() => aborted('/v1/launches')).toHaveLength(4)

    const body = '{"word":"wait"}'
    const post = `POST /v1/agents/x/probe HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const slow = send(url, post.repeat(3))
    await sleep(100)
    slow.destroy()
    await expect.poll(() => aborted('/v1/agents/x/probe')).toHaveLength(3)
  })

  test('when its connection broke before it was sent', async () => {
    const breaking: Lane = (request, response) => {
      response.writeHead(200)
      request.socket.destroy()
      return [Buffer.from('too late')]
    }
    const { url, logged } = await startProbeServer({ lanes: [breaking] })
    for (const count of [1, 2]) {
      await expect(rawRequest(url, '/v1/launches')).rejects.toThrow()
      await expect.poll(() => logged).toHaveLength(count)
      expect(logged.at(-1)?.fields).toMatchObject({ status: 200, aborted: true })
    }
  })
})

test('a connection whose answer waits to be sent is not idle', async () => {
  const closing: Lane = (_request, response) => {
    response.writeHead(200)
    queueMicrotask(() => app.server.closeIdleConnections())
    return [Buffer.from('in time')]
  }
  const { url, app } = await startProbeServer({ lanes: [closing] })
  expect((await rawRequest(url, '/v1/launches')).body.toString()).toBe('in time')
})

test('answers to one connection come in the order of its requests, whichever way they are made', async () => {
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

test('a reader that takes nothing is let go, one that is slow is not', async () => {
  const { url, app } = await startProbeServer({ launches: longListing() })
  expect(app.server.timeout).toBe(60_000)
  app.server.timeout = 400
  const ask = () => send(url, LISTING.replace('Host', 'Connection: close\r\nHost')).pause()
  const connections = () => new Promise(resolve => app.server.getConnections((_, count) => resolve(count)))
  const stalled = ask()
  stalled.on('error', () => {})
  await expect.poll(connections).toBe(1)
  await expect.poll(connections, { timeout: 5_000 }).toBe(0)
  stalled.destroy()

  const slow = ask()
  let bytes = 0
  slow.on('data', chunk => {
    bytes += chunk.length
    slow.pause()
  })
  const reading = setInterval(() => slow.resume(), 8)
  const start = performance.now()
  await new Promise((resolve, reject) => slow.once('end', resolve).once('error', reject))
  clearInterval(reading)
  const { body } = await rawRequest(url, '/v1/launches')
  expect(bytes).toBeGreaterThan(body.length)
  // Longer than nothing at all would have been tolerated.
  expect(performance.now() - start).toBeGreaterThan(400)
})
