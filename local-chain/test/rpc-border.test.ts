import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKeypair } from '../src/ledger/keypair.ts'
import { startDemoServer } from '../src/world/demo-server.ts'
import { call, collect, openSocket, post, startChain } from './start-chain.ts'

const ADDRESS = '11111111111111111111111111111112'

test('malformed JSON-RPC gets the codes and messages of a node', async () => {
  const local = await startChain()
  const body = async (text: string) => (await post(local, text)).json()
  expect(await body('{')).toEqual({
    jsonrpc: '2.0',
    error: { code: -32700, message: 'Parse error' },
    id: null,
  })
  expect(await body('1')).toMatchObject({ error: { code: -32600, message: 'Invalid request' } })
  expect(await body('{"id":1,"method":"getSlot"}')).toMatchObject({ error: { code: -32600 }, id: 1 })
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
  // An object's own names are not methods.
  expect(await body('{"jsonrpc":"2.0","id":7,"method":"constructor"}')).toMatchObject({
    error: { code: -32601 },
  })
})

test('a batch is answered in order, notifications without an answer', async () => {
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
  const silent = await post(local, { jsonrpc: '2.0', method: 'getHealth' })
  expect([silent.status, await silent.text()]).toEqual([200, ''])
})

test("bad parameters are refused in a node's words", async () => {
  const local = await startChain()
  const refused = async (method: string, ...params: unknown[]) => (await call(local, method, ...params)).error
  expect(await refused('getBalance')).toEqual({
    code: -32602,
    message: '`params` should have at least 1 argument(s)',
  })
  expect(await refused('getBalance', 5)).toEqual({
    code: -32602,
    message: 'Invalid params: invalid type: integer `5`, expected a string.',
  })
  expect(await refused('getBalance', 'abc')).toEqual({ code: -32602, message: 'Invalid param: WrongSize' })
  expect(await refused('getBalance', '0OIl')).toEqual({ code: -32602, message: 'Invalid param: Invalid' })
  expect(await refused('getBalance', ADDRESS, { commitment: 'sure' })).toMatchObject({ code: -32602 })
  expect(await refused('getBalance', ADDRESS, { minContextSlot: 1e12 })).toMatchObject({
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: expect.any(Number) },
  })
  expect(await refused('getMultipleAccounts', Array(101).fill(ADDRESS))).toEqual({
    code: -32602,
    message: 'Too many inputs provided; max 100',
  })
  expect(await refused('getProgramAccounts', ADDRESS, { filters: Array(5).fill({ dataSize: 1 }) })).toEqual({
    code: -32602,
    message: 'Too many filters provided; max 4',
  })
  const filtered = (...filters: unknown[]) => refused('getProgramAccounts', ADDRESS, { filters })
  expect(await filtered({ memcmp: { offset: -1, bytes: '1' } })).toEqual({
    code: -32602,
    message: 'Invalid params: invalid value: integer `-1`, expected usize.',
  })
  expect(await filtered({ dataSize: 1.5 })).toEqual({
    code: -32602,
    message: 'Invalid params: invalid type: floating point `1.5`, expected u64.',
  })
  for (const config of [{ encoding: 'xml' }, { transactionDetails: 'some' }]) {
    expect(await refused('getBlock', 1, config)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: unknown variant/),
    })
  }
  expect(await refused('getSignatureStatuses', ['abc'])).toEqual({
    code: -32602,
    message: 'Invalid param: WrongSize',
  })
  expect(await refused('getBlockTime', 1e9)).toEqual({
    code: -32004,
    message: 'Block not available for slot 1000000000',
  })
  expect(await refused('getTransaction', '1'.repeat(64), { commitment: 'processed' })).toEqual({
    code: -32602,
    message: 'Method does not support commitment below `confirmed`',
  })
  expect(await refused('requestAirdrop', createKeypair().address, 5)).toMatchObject({
    code: -32002,
    message:
      'Transaction simulation failed: Transaction results in an account (1) with insufficient funds for rent',
  })
  expect(await refused('sendTransaction', '!!', { encoding: 'base64' })).toMatchObject({ code: -32602 })
  expect(await refused('sendTransaction', 'AAAA', { encoding: 'base64' })).toMatchObject({
    code: -32602,
    message: expect.stringMatching(
      /^failed to deserialize solana_transaction::versioned::VersionedTransaction/,
    ),
  })
  expect(await refused('sendTransaction', 'A'.repeat(2_000), { encoding: 'base64' })).toEqual({
    code: -32602,
    message:
      'base64 encoded solana_transaction::versioned::VersionedTransaction too large: 2000 bytes (max: encoded/raw 1644/1232)',
  })
})

test('accounts come sliced, filtered and in the encoding asked for', async () => {
  const local = await startChain()
  const owner = createKeypair().address
  const [a, b] = [createKeypair().address, createKeypair().address]
  const account = (data: number[]) => ({
    lamports: 2_000_000n,
    owner,
    data: Uint8Array.from(data),
    executable: false,
  })
  local.chain.writeAccounts(
    new Map([
      [a, account([1, 2, 3, 4])],
      [b, account([1, 9, 3])],
    ]),
  )
  const options = { commitment: 'confirmed', encoding: 'base64' }

  expect(await call(local, 'getAccountInfo', a, options)).toMatchObject({
    result: {
      value: { data: ['AQIDBA==', 'base64'], lamports: 2_000_000, owner, space: 4, executable: false },
    },
  })
  expect(await call(local, 'getAccountInfo', a, { commitment: 'confirmed' })).toMatchObject({
    result: { value: { data: '2VfUX' } },
  })
  expect(
    await call(local, 'getAccountInfo', a, { ...options, dataSlice: { offset: 1, length: 2 } }),
  ).toMatchObject({
    result: { value: { data: ['AgM=', 'base64'] } },
  })
  expect(
    await call(local, 'getAccountInfo', a, { commitment: 'confirmed', encoding: 'base64+zstd' }),
  ).toMatchObject({
    result: { value: { data: ['KLUv/aAEAAAAIQAAAQIDBA==', 'base64+zstd'] } },
  })
  expect(await call(local, 'getMultipleAccounts', [a, ADDRESS], options)).toMatchObject({
    result: { value: [{ data: ['AQIDBA==', 'base64'] }, null] },
  })
  const found = async (filters: unknown[]) =>
    (
      (await call(local, 'getProgramAccounts', owner, { ...options, filters })).result as { pubkey: string }[]
    ).map(x => x.pubkey)
  expect(await found([])).toHaveLength(2)
  expect(await found([{ dataSize: 3 }])).toEqual([b])
  expect(await found([{ memcmp: { offset: 1, bytes: '3' } }])).toEqual([a])
  expect(await found([{ memcmp: { offset: 1, bytes: 'CQM=', encoding: 'base64' } }])).toEqual([b])
  expect(await found([{ memcmp: { offset: 3, bytes: '5' } }, { dataSize: 3 }])).toEqual([])
  const raw = await (
    await post(local, { jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [a, options] })
  ).text()
  // Beyond what a double can hold, so it must be written digit by digit.
  expect(raw).toContain('"rentEpoch":18446744073709551615')
})

test('only JSON POSTs of a sensible size are read', async () => {
  const local = await startChain()
  expect((await fetch(local.rpcUrl)).status).toBe(405)
  expect((await fetch(`${local.rpcUrl}/health`)).status).toBe(200)
  expect((await post(local, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(local, 'x'.repeat(60_000))).status).toBe(413)
  // The same without a declared length.
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

test('nothing listens beyond loopback', async () => {
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

test('foreign hosts and origins are turned away on both ports, loopback pages are served', async () => {
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

test('a thousand subscriptions are served and leave nothing behind', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collect(socket)
  const keys = Array.from({ length: 1_000 }, () => createKeypair().address)
  keys.forEach((key, id) => {
    socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'accountSubscribe',
        params: [key, { commitment: 'confirmed', encoding: 'base64' }],
      }),
    )
  })
  await expect.poll(() => messages.length).toBe(1_000)
  expect(local.subscriptions()).toBe(1_000)
  messages.length = 0
  for (const key of keys.slice(0, 50)) local.chain.mint(key, 1_000_000n)
  await expect.poll(() => messages.length).toBe(50)
  expect(messages[0]).toMatchObject({
    method: 'accountNotification',
    params: { result: { value: { lamports: 1_000_000 } } },
  })
  socket.terminate()
  await expect.poll(() => local.subscriptions()).toBe(0)
})

test('bad calls over WebSocket are answered and unsubscribing works once', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collect(socket)
  const ask = async (text: string) => {
    messages.length = 0
    socket.send(text)
    await expect.poll(() => messages.length).toBeGreaterThan(0)
    return messages[0] as { result?: unknown; error?: { code: number; message: string } }
  }
  expect(await ask('{')).toMatchObject({ error: { code: -32700 } })
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"getSlot"}')).toMatchObject({ error: { code: -32601 } })
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["x"]}')).toMatchObject({
    error: { code: -32602 },
  })
  const { result: id } = await ask(`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":["all"]}`)
  // The number of one kind does not end a subscription of another.
  expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"accountUnsubscribe","params":[${id}]}`)).toMatchObject({
    error: { code: -32602 },
  })
  expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"logsUnsubscribe","params":[${id}]}`)).toMatchObject({
    result: true,
  })
  expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"logsUnsubscribe","params":[${id}]}`)).toMatchObject({
    error: { code: -32602, message: 'Invalid subscription id.' },
  })
  expect(local.subscriptions()).toBe(0)
})

test('program, logs and finalized signature subscriptions deliver what they should', async () => {
  const local = await startChain({ slotMs: 20 })
  const socket = await openSocket(local)
  const messages = collect(socket)
  const owner = createKeypair().address
  const subscribe = (id: number, method: string, ...params: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  subscribe(1, 'programSubscribe', owner, {
    commitment: 'confirmed',
    encoding: 'base64',
    filters: [{ dataSize: 2 }],
  })
  const { result: signature } = await call(local, 'requestAirdrop', owner, 1_000_000)
  subscribe(2, 'signatureSubscribe', signature, { commitment: 'finalized' })
  subscribe(3, 'logsSubscribe', { mentions: [owner] }, { commitment: 'confirmed' })
  await expect.poll(() => messages.length).toBe(3)
  const kinds = () => messages.map(message => message.method).filter(Boolean)
  expect(kinds()).toEqual([])
  for (const size of [2, 3]) {
    local.chain.writeAccounts(
      new Map([
        [
          createKeypair().address,
          { lamports: 2_000_000n, owner, data: new Uint8Array(size), executable: false },
        ],
      ]),
    )
  }
  await call(local, 'requestAirdrop', owner, 1_000_000)
  await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)
  await expect
    .poll(() => kinds().sort(), { timeout: 10_000 })
    .toEqual(['logsNotification', 'programNotification', 'signatureNotification'])
})

test('a subscriber whose encoding cannot hold an account disturbs nobody', async () => {
  const errors: unknown[] = []
  const local = await startChain({ log: { info: () => {}, error: fields => errors.push(fields) } })
  const socket = await openSocket(local)
  const messages = collect(socket)
  const address = createKeypair().address
  socket.send(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'accountSubscribe',
      params: [address, { commitment: 'confirmed' }],
    }),
  )
  await expect.poll(() => messages.length).toBe(1)
  const large = { lamports: 10_000_000n, owner: address, data: new Uint8Array(500), executable: false }
  local.chain.writeAccounts(new Map([[address, large]]))
  await expect.poll(() => messages.length).toBe(2)
  expect(messages[1]).toMatchObject({
    params: { result: { value: { data: 'error: data too large for bs58 encoding', space: 500 } } },
  })
  // Nor does a listener in our own process that throws.
  local.chain.on('commit', () => {
    throw new Error('stumbled')
  })
  expect((await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)).error).toBeUndefined()
  expect(errors.length).toBeGreaterThan(0)
})

test('peers that fall silent are let go', async () => {
  const local = await startChain({ pingMs: 50 })
  const socket = await openSocket(local)
  // Answers no ping, like a machine that has lost its network.
  socket.pong = () => {}
  socket.send(`{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`)
  await expect.poll(() => local.subscriptions()).toBe(1)
  await expect.poll(() => local.subscriptions(), { timeout: 10_000 }).toBe(0)

  const half = connect(Number(new URL(local.rpcUrl).port), '127.0.0.1')
  onTestFinished(() => void half.destroy())
  half.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"js',
  )
  await new Promise(resolve => setTimeout(resolve, 50))
  half.destroy()
  expect(await call(local, 'getHealth')).toMatchObject({ result: 'ok' })
})
