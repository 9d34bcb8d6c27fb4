import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { CONDITIONS } from '../conditions.ts'
import { createKeypair } from '../ledger/keypair.ts'
import { call, collectMessages, openSocket, startChain } from '../testing/start-chain.ts'
import { createHttpServer, listenOnLoopback, stopServer } from './http-server.ts'
import { createWsServer } from './ws-server.ts'

test('a connection with a thousand subscriptions is served, and closing it removes them all', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
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
  await expect.poll(() => messages.length, { timeout: 30_000 }).toBe(1_000)
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

test('invalid calls over WebSocket get errors, and unsubscribing works once', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
  const ask = async (text: string) => {
    messages.length = 0
    socket.send(text)
    await expect.poll(() => messages.length).toBeGreaterThan(0)
    return messages[0] as { result?: unknown; error?: { code: number; message: string } }
  }
  expect(await ask('{')).toMatchObject({ error: { code: -32700 } })
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"getSlot"}')).toMatchObject({ error: { code: -32601 } })
  for (const [method, param, thing] of [
    ['accountSubscribe', 'x', 'pubkey'],
    ['programSubscribe', 'x', 'pubkey'],
    ['signatureSubscribe', 'x', 'signature'],
    ['logsSubscribe', { mentions: ['x'] }, 'mentions'],
  ]) {
    expect(await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [param] }))).toMatchObject({
      error: { code: -32602, message: `Invalid Request: Invalid ${thing} provided` },
    })
  }
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":[5]}')).toMatchObject({
    error: { code: -32602, message: 'Invalid params: invalid type: integer `5`, expected a string.' },
  })
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe","params":[5]}')).toMatchObject({
    error: { code: -32602, message: 'Invalid parameters: No parameters were expected' },
  })
  const { result: id } = await ask(`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":["all"]}`)
  // An id of one kind does not end a subscription of another kind.
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

test('program, logs and finalized signature subscriptions each deliver the one matching notification', async () => {
  const local = await startChain({ conditions: { ...CONDITIONS, slotMs: 20 } })
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
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
  // The transaction may be final before all of them are answered.
  await expect.poll(() => messages.filter(({ id }) => id !== undefined).length).toBe(3)
  const kinds = () => messages.map(message => message.method).filter(Boolean)
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
    .poll(() => kinds().sort(), { timeout: 30_000 })
    .toEqual(['logsNotification', 'programNotification', 'signatureNotification'])
})

test('neither an account too large for base58 nor a throwing listener disturbs other callers', async () => {
  const errors: unknown[] = []
  const local = await startChain({ log: { info: () => {}, error: fields => errors.push(fields) } })
  const socket = await openSocket(local)
  const messages = collectMessages(socket)
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
  // A listener in this process that throws.
  local.chain.on('commit', () => {
    throw new Error('listener failed')
  })
  expect((await call(local, 'requestAirdrop', createKeypair().address, 1_000_000)).error).toBeUndefined()
  expect(errors.length).toBeGreaterThan(0)
})

test('a connection can hold 10,000 subscriptions and no more', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  const messages: { error?: object }[] = []
  socket.on('message', data => messages.push(...[JSON.parse(data.toString())].flat()))
  const one = { jsonrpc: '2.0', id: 1, method: 'slotSubscribe' }
  for (let n = 0; n < 20; n++) socket.send(JSON.stringify(Array(500).fill(one)))
  socket.send(JSON.stringify(one))
  await expect
    .poll(() => messages.filter(message => 'id' in message).length, { timeout: 30_000 })
    .toBe(10_001)
  expect(messages.filter(({ error }) => error)).toMatchObject([
    {
      error: {
        code: -32603,
        message: 'Internal Error: Subscription refused. Node subscription limit reached',
      },
    },
  ])
  expect(local.subscriptions()).toBe(10_000)
})

test('a client that sends requests and never reads the responses is disconnected', async () => {
  const local = await startChain()
  const socket = await openSocket(local)
  // This account never changes.
  const params = [createKeypair().address]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
  await expect.poll(() => local.subscriptions()).toBe(1)
  socket.pause()
  // The response repeats the id.
  const request = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(40_000), method: 'none' })
  for (let n = 0; n < 1_000 && local.subscriptions() > 0; n++) {
    socket.send(request)
    await new Promise(resolve => setImmediate(resolve))
  }
  await expect.poll(() => local.subscriptions()).toBe(0)
})

test('a refused upgrade cannot keep its connection open', async () => {
  const local = await startChain()
  const { port } = new URL(local.wsUrl)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<void>(resolve =>
    socket.on('error', () => resolve()).on('close', () => resolve()),
  )
  socket.write(`GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  const ended = new Promise<void>(resolve => socket.on('data', () => {}).on('end', () => resolve()))
  await ended
  // Writing to a closed connection raises an error.
  const writing = setInterval(() => socket.write('x'), 20)
  onTestFinished(() => clearInterval(writing))
  await closed
})

test('a client that stops answering pings is disconnected', async () => {
  const local = await startChain({ pingMs: 200 })
  const socket = await openSocket(local)
  // Answers no ping, like a machine that lost its network.
  socket.pong = () => {}
  const answered = once(socket, 'message')
  socket.send(`{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`)
  expect(String(await answered)).toContain('"result"')
  await expect.poll(() => local.subscriptions(), { timeout: 30_000 }).toBe(0)
})

test.each([
  ['sends nothing', ''],
  ['stops in the request line', 'POST / HT'],
  [
    'stops in the body',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"js',
  ],
])('a client that %s is disconnected', async (_, text) => {
  const { server, close } = createWsServer({ hub: {} as never, allowOrigins: [], onError: () => {} })
  const rpc = createHttpServer({
    handle: () => ({ result: 'ok' }),
    allowOrigins: [],
    onError: () => {},
  })
  for (const each of [server, rpc]) {
    each.headersTimeout = 100
    each.requestTimeout = 200
    const port = await listenOnLoopback(each, 0)
    onTestFinished(() => stopServer(each))
    const half = connect(port, '127.0.0.1')
    onTestFinished(() => void half.destroy())
    half.write(text)
    half.on('error', () => {}).resume()
    await once(half, 'close')
  }
  close()
})
