import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { call, post, startChain } from '../testing/start-chain.ts'
import { startDemoServer } from '../world/demo-server.ts'

test("malformed JSON-RPC gets a node's error codes and messages", async () => {
  const local = await startChain()
  const body = async (text: string) => (await post(local, text)).json()
  expect(await body('{')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32700, message: 'Parse error' },
    id: null,
  })
  expect(await body('1')).toMatchObject({ error: { code: -32600, message: 'Invalid request' } })
  expect(await body('{"id":1,"method":"getSlot"}')).toMatchObject({
    error: { code: -32600, message: 'Unsupported JSON-RPC protocol version' },
    id: 1,
  })
  expect(await body('{"jsonrpc":"1.0","id":1,"method":"getSlot"}')).toMatchObject({
    error: { code: -32600, message: 'Invalid request' },
    id: 1,
  })
  expect(await body('{"jsonrpc":"2.0","id":{},"method":"getSlot"}')).toMatchObject({
    error: { code: -32600 },
    id: null,
  })
  expect(await body('[]')).toMatchObject({ error: { code: -32600 } })
  expect(await body('{"jsonrpc":"2.0","id":7,"method":"noSuchThing"}')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32601, message: 'Method not found' },
    id: 7,
  })
  expect(await body('{"jsonrpc":"2.0","id":7,"method":"noSuchThing","params":{}}')).toMatchObject({
    error: { code: -32601 },
  })
  expect(await body('{"jsonrpc":"2.0","id":7,"method":"getSlot","params":{}}')).toMatchObject({
    error: { code: -32602, message: '`params` should be an array' },
  })
  // Names that every object inherits are not methods.
  expect(await body('{"jsonrpc":"2.0","id":7,"method":"constructor"}')).toMatchObject({
    error: { code: -32601 },
  })
})

test('a batch is answered in order, and notifications get no response', async () => {
  const local = await startChain()
  const one = (id: number, method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id, method, params })
  const response = await post(local, [
    one(1, 'getHealth'),
    { jsonrpc: '2.0', method: 'getHealth' },
    5,
    one(2, 'nope'),
  ])
  expect(await response.json()).toEqual([
    { jsonrpc: '2.0', result: 'ok', id: 1 },
    { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: null },
    { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
  ])
  expect(await (await post(local, Array(1_001).fill(1))).json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Batch too large; max 1000' },
    id: null,
  })
  const silent = await post(local, { jsonrpc: '2.0', method: 'getHealth' })
  expect([silent.status, await silent.text()]).toEqual([200, ''])
})

test('only JSON POST requests of up to 50 KB are accepted', async () => {
  const local = await startChain()
  expect((await fetch(local.rpcUrl)).status).toBe(405)
  expect((await fetch(`${local.rpcUrl}/health`)).status).toBe(200)
  expect((await post(local, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(local, 'x'.repeat(60_000))).status).toBe(413)
  // The same without a Content-Length header.
  const chunked = await new Promise<number>((resolve, reject) => {
    const sending = request(
      local.rpcUrl,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sending.on('error', reject)
    for (let n = 0; n < 60; n++) sending.write('x'.repeat(1_000))
    sending.end()
  })
  expect(chunked).toBe(413)
  expect(await call(local, 'getHealth')).toMatchObject({ result: 'ok' })
})

test('every server listens on loopback only', async () => {
  const local = await startChain()
  const demo = await startDemoServer({ port: 0 })
  onTestFinished(() => demo.close())
  const outside = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  for (const url of [local.rpcUrl, local.wsUrl, demo.url]) {
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    if (!outside) continue
    const reached = await new Promise<boolean>(resolve => {
      const socket = connect(Number(port), outside.address, () => resolve(true))
      socket.on('error', () => resolve(false))
      onTestFinished(() => void socket.destroy())
    })
    expect(reached).toBe(false)
  }
})

test('foreign hosts and origins are refused on both ports, and loopback pages are served', async () => {
  const local = await startChain()
  const status = (url: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const sending = request(
        url,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        response => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      sending.on('error', reject)
      sending.end('{"jsonrpc":"2.0","id":1,"method":"getHealth"}')
    })
  expect(await status(local.rpcUrl, { host: 'evil.example:8899' })).toBe(403)
  expect(await status(local.rpcUrl, { host: 'localhost.evil.example' })).toBe(403)
  expect(await status(local.rpcUrl, { origin: 'https://evil.example' })).toBe(403)
  expect(await status(local.rpcUrl, { origin: 'null' })).toBe(403)
  expect(await status(local.rpcUrl, { host: 'localhost:1', origin: 'http://localhost:8080' })).toBe(200)
  const preflight = await fetch(local.rpcUrl, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:8080' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:8080')

  const opens = (headers: Record<string, string>) =>
    new Promise<boolean>(resolve => {
      const socket = new WebSocket(local.wsUrl, { headers })
      socket.on('open', () => resolve(true))
      socket.on('error', () => resolve(false))
      onTestFinished(() => socket.terminate())
    })
  expect(await opens({ origin: 'https://evil.example' })).toBe(false)
  expect(await opens({ host: 'evil.example' })).toBe(false)
  expect(await opens({ origin: 'http://127.0.0.1:8080' })).toBe(true)
})
