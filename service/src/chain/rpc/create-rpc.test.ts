import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Address } from '@slipway/schema/address'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRpc } from './create-rpc.ts'
import { RpcError } from './fault.ts'
import {
  accountJson,
  type Behavior,
  OWNER,
  rpcOver,
  SECRET,
  sendJson,
  startTestNode,
  testAddress,
} from './test-node.ts'

const address = testAddress(1)
const html: Behavior = (_, response) => sendJson(response, '<html>gateway</html>')
const status =
  (code: number, headers: Record<string, string> = {}): Behavior =>
  (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, 'no', code)
  }
const rpcFault =
  (code: number, message = 'no'): Behavior =>
  ({ id }, response) =>
    sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
const result =
  (text: string): Behavior =>
  ({ id }, response) =>
    sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${text}}`)
const accounts = (value: string, slot: number | string = 100) =>
  result(`{"context":{"slot":${slot}},"value":${value}}`)

/** Endpoints rest for a shorter time, so that a test doesn't have to wait for a second. */
const briefly = { restMsMin: 100, probeMsMin: 50 }

const failureOf = async (promise: Promise<unknown>): Promise<RpcError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RpcError)
  return error as RpcError
}

describe('the second endpoint answers if the first', () => {
  const failing: [string, Behavior, string][] = [
    ['hangs', () => {}, 'timeout'],
    [
      'sends one byte at a time',
      (_, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
      'timeout',
    ],
    ['resets the connection', (_, response) => void response.socket?.resetAndDestroy(), 'reset'],
    ['closes the connection', (_, response) => void response.socket?.destroy(), 'reset'],
    ['is rate limited', status(429, { 'retry-after': '1' }), 'limited'],
    ['is rate limited, with the code in JSON', rpcFault(429), 'limited'],
    ['answers 500', status(500), 'failed'],
    ['answers 503', status(503), 'failed'],
    ['answers 401', status(401), 'refused'],
    ['redirects', status(302, { location: 'http://127.0.0.1:1/' }), 'refused'],
    ['answers HTML', html, 'malformed'],
    ['sends an empty body', (_, response) => sendJson(response, ''), 'malformed'],
    ['sends an array', (_, response) => sendJson(response, '[]'), 'malformed'],
    [
      'answers with the id of another call',
      ({ id, ...call }, response, answer) => accounts('[null]')({ ...call, id: id + 1 }, response, answer),
      'malformed',
    ],
    [
      'answers without a result',
      ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","id":${id}}`),
      'malformed',
    ],
    [
      'answers with an error without a code',
      ({ id }, response) => sendJson(response, `{"id":${id},"error":"no"}`),
      'malformed',
    ],
    [
      'sends truncated JSON',
      ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":{"context":{"sl`),
      'malformed',
    ],
    [
      'sends less than its Content-Length',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 })
        response.write('{"jsonrpc"')
        setTimeout(() => response.destroy(), 20)
      },
      'reset',
    ],
    [
      'never stops sending',
      (_, response) => {
        response.writeHead(200)
        const chunk = Buffer.alloc(64 * 1024, ' ')
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        more()
      },
      'malformed',
    ],
    [
      'does not speak HTTP',
      (_, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.0\r\n'),
      'malformed',
    ],
    ['reports that it is behind', rpcFault(-32005, 'Node is behind by 206 slots'), 'unhealthy'],
    ['has an internal error', rpcFault(-32603), 'passing'],
    ['does not know the method', rpcFault(-32601), 'unable'],
    ['wants another key, with its own error code', rpcFault(-32401, 'invalid key'), 'refused'],
    ['has no plan for us, with an HTTP status as its error code', rpcFault(403, 'no plan'), 'refused'],
    ['answers for fewer accounts', accounts('[]'), 'malformed'],
    ['answers for more accounts', accounts('[null,null]'), 'malformed'],
    ['sends a slot that is not a number', accounts('[null]', '"x"'), 'malformed'],
    ['sends a fractional slot', accounts('[null]', '1.5'), 'malformed'],
    [
      'sends an owner that is not an address',
      accounts(`[${accountJson('1').replace(OWNER, 'not-an-address')}]`),
      'malformed',
    ],
    ['sends negative lamports', accounts(`[${accountJson('-1')}]`), 'malformed'],
    [
      'sends more lamports than a u64 holds',
      accounts(`[${accountJson('18446744073709551616')}]`),
      'malformed',
    ],
    ['sends lamports that are not an integer', accounts(`[${accountJson('1e300')}]`), 'malformed'],
    ['sends data that is not base64', accounts(`[${accountJson('1', 'A!!D')}]`), 'malformed'],
    ['sends truncated base64', accounts(`[${accountJson('1', 'AQI')}]`), 'malformed'],
    [
      'sends data in another encoding',
      accounts(`[${accountJson('1').replace('base64', 'base58')}]`),
      'malformed',
    ],
  ]

  test.each(failing)('%s', async (_, behave, outcome) => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = behave
    second.accounts.set(address, '7')
    const { rpc, outcomes } = rpcOver([first, second], {
      limits: { attemptMs: outcome === 'timeout' ? 500 : 10_000, bytesMax: 1024 * 1024 },
    })
    const read = await rpc.fetchAccounts([address])
    expect(read.accounts[0]).toMatchObject({ exists: true, lamports: 7n })
    expect(outcomes()).toEqual([outcome, 'ok'])
  })

  test('is unreachable', async () => {
    const second = await startTestNode()
    for (const gone of ['http://127.0.0.1:1/', 'http://no-such-host.invalid/', 'https://127.0.0.1:1/']) {
      const { rpc, outcomes } = rpcOver([gone, second])
      expect(await rpc.fetchSlot()).toBe(100)
      expect(outcomes()).toEqual(['unreachable', 'ok'])
    }
  })
})

test('an invalid request is sent once and does not count against the endpoint', async () => {
  for (const behave of [
    rpcFault(-32602, 'Invalid param: WrongSize'),
    ({ id }, response) =>
      sendJson(response, `{"id":${id},"error":{"code":-32602,"message":"Invalid param: WrongSize"}}`, 400),
  ] as Behavior[]) {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = behave
    const { rpc, outcomes } = rpcOver([first, second])
    const error = await failureOf(rpc.fetchAccounts([address]))
    expect([error.kind, error.code]).toEqual(['invalid', -32602])
    expect(error.message).toContain('WrongSize')
    expect(outcomes()).toEqual(['invalid'])
    expect(rpc.states().every(({ isUp }) => isUp)).toBe(true)
  }
})

describe('failover', () => {
  test('a failing endpoint rests, is tried again afterwards, and is preferred again once it answers', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = status(503)
    // Longer than twenty calls take.
    const { rpc, seen } = rpcOver([first, second], { limits: { restMsMin: 1_000 } })
    for (let times = 0; times < 20; times += 1) await rpc.fetchSlot()
    expect(first.calls).toHaveLength(1)
    expect(rpc.states().map(({ isUp }) => isUp)).toEqual([false, true])
    expect(seen.endpoints).toEqual([
      {
        endpoint: `127.0.0.1:${first.port}`,
        isUp: false,
        reason: 'failed (HTTP 503)',
        restMs: expect.any(Number),
      },
    ])
    first.behave = (_, __, answer) => answer()
    // It is tried even if no call is made.
    await expect.poll(() => rpc.states().map(({ isUp }) => isUp), { timeout: 20_000 }).toEqual([true, true])
    expect(seen.endpoints.map(({ isUp }) => isUp)).toEqual([false, true])
    await rpc.fetchSlot()
    expect([first.calls.length, second.calls.length]).toEqual([3, 20])
  })

  test('a resting endpoint is probed even if no call needs it', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = status(503)
    second.behave = status(503)
    const { rpc } = rpcOver([first, second], { limits: briefly })
    await failureOf(rpc.fetchSlot())
    first.behave = (_, __, answer) => answer()
    // A fault that says nothing about the endpoint does not stop the probes either.
    second.behave = rpcFault(-32603)
    expect(await rpc.fetchSlot()).toBe(100)
    const { length } = second.calls
    await expect.poll(() => second.calls.length, { timeout: 20_000 }).toBeGreaterThan(length + 1)
    expect(rpc.states().map(({ isUp }) => isUp)).toEqual([true, false])
    second.behave = (_, __, answer) => answer()
    await expect.poll(() => rpc.states()[1]?.isUp, { timeout: 20_000 }).toBe(true)
  })

  test('an endpoint that keeps failing is tried less and less often', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    const calledMs: number[] = []
    first.behave = (call, response, answer) => {
      calledMs.push(performance.now())
      status(503)(call, response, answer)
    }
    const { rpc, seen } = rpcOver([first, second], { limits: briefly })
    await rpc.fetchSlot()
    await expect.poll(() => calledMs.length, { timeout: 20_000 }).toBe(5)
    // At least 75, 150, 300 and 600 ms. A busy machine adds to each of them.
    const pausesMs = calledMs.slice(1).map((ms, at) => ms - (calledMs[at] as number))
    pausesMs.forEach((ms, at) => void expect(ms).toBeGreaterThan(70 * 2 ** at))
    // It is reported once, not with every attempt.
    expect(seen.endpoints).toHaveLength(1)
    expect(second.calls).toHaveLength(1)
  })

  test('while all endpoints are down, a call fails quickly, and the first one that comes back is used at once', async () => {
    const nodes = [await startTestNode(), await startTestNode()] as const
    const { rpc } = rpcOver(nodes)
    await rpc.fetchSlot()
    for (const node of nodes) await node.stop()
    for (let times = 0; times < 6; times += 1) {
      const { kind } = await failureOf(rpc.fetchSlot())
      expect(kind).toBe('unreachable')
    }
    expect(rpc.states().map(({ isUp }) => isUp)).toEqual([false, false])
    const back = await startTestNode({ port: nodes[1].port })
    expect(await rpc.fetchSlot()).toBe(100)
    expect(back.calls).toHaveLength(1)
  })

  test('if all endpoints hang, a call fails within its deadline and waits for none longer than one attempt', async () => {
    const nodes = [await startTestNode(), await startTestNode()] as const
    for (const node of nodes) node.behave = () => {}
    const { rpc, seen, outcomes } = rpcOver(nodes, { limits: { attemptMs: 500, totalMs: 1_650 } })
    const startMs = performance.now()
    const { kind } = await failureOf(rpc.fetchAccounts([address]))
    const tookMs = performance.now() - startMs
    expect(kind).toBe('timeout')
    expect(outcomes().slice(0, 2)).toEqual(['timeout', 'timeout'])
    // A timer counts from the beginning of the loop's turn, so on a busy machine it ends early.
    expect(tookMs).toBeGreaterThan(800)
    for (const { seconds } of seen.attempts.slice(0, 2)) expect(seconds).toBeGreaterThan(0.4)
    // No attempt is started that can't end in time. Timers that end early leave time for one or two more.
    expect(outcomes().length).toBeLessThanOrEqual(6)
  })

  test('a slow endpoint answers patient calls, and not those that somebody waits for', async () => {
    const node = await startTestNode()
    node.behave = (_, __, answer) => setTimeout(answer, 600)
    const { rpc } = rpcOver([node], {
      cluster: { expectedHash: async () => node.genesisHash },
      limits: { attemptMs: 400, totalMs: 1_000 },
    })
    const failures = await Promise.all([rpc.fetchSlot(), rpc.fetchAccounts([address])].map(failureOf))
    expect(failures.map(({ kind }) => kind)).toEqual(['timeout', 'timeout'])
    expect(await rpc.patient.fetchSlot()).toBe(node.slot)
    const { accounts } = await rpc.patient.fetchAccounts([address])
    expect(accounts).toHaveLength(1)
    await rpc.patient.confirmCluster(performance.now() - 10_000)
  })

  test('a check of the cluster that is never answered costs a call one attempt', async () => {
    const node = await startTestNode()
    let checks = 0
    node.behave = ({ method }, _, answer) => {
      if (method === 'getGenesisHash') checks += 1
      if (checks !== 1) answer()
    }
    const { rpc } = rpcOver([node], {
      cluster: { expectedHash: async () => node.genesisHash },
      limits: { attemptMs: 1_000, totalMs: 3_750 },
    })
    const startMs = performance.now()
    expect(await rpc.fetchSlot()).toBe(node.slot)
    expect(checks).toBe(2)
    // The check itself may take four attempts.
    expect(performance.now() - startMs).toBeLessThan(3_000)
  })

  test('a hundred calls that fail together count as one fault', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = (_, response) => setTimeout(() => sendJson(response, 'no', 503), 50)
    // After a second fault it would rest for a minute.
    const { rpc } = rpcOver([first, second], { limits: { restMsMin: 1_000, restMsMax: 2 ** 30 } })
    await Promise.all(Array.from({ length: 100 }, () => rpc.fetchSlot()))
    first.behave = (_, __, answer) => answer()
    await expect.poll(() => rpc.states()[0]?.isUp, { timeout: 20_000 }).toBe(true)
  })

  test('no call waits for a hanging endpoint whose rest is over', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = () => {}
    const { rpc } = rpcOver([first, second], { limits: { ...briefly, attemptMs: 1_000 } })
    await rpc.fetchSlot()
    await expect.poll(() => first.calls.length, { timeout: 20_000, interval: 5 }).toBe(2)
    await Promise.all(Array.from({ length: 20 }, () => rpc.fetchSlot()))
    expect(first.calls).toHaveLength(2)
  })

  test('with one endpoint, a broken connection, a 429 and a 503 are retried', async () => {
    for (const [behave, reason] of [
      [(_, response) => void response.socket?.destroy(), 'reset'],
      [status(429, { 'retry-after': '0' }), 'limited'],
      [status(503), 'failed'],
    ] as [Behavior, string][]) {
      const node = await startTestNode()
      node.behave = (call, response, answer) => {
        node.behave = (_, __, answer) => answer()
        behave(call, response, answer)
      }
      const { rpc, seen } = rpcOver([node])
      expect(await rpc.fetchSlot()).toBe(100)
      expect(seen.retries).toEqual([{ method: 'getSlot', reason }])
    }
  })

  test('if the only endpoint asks to retry after a minute, the call fails at once', async () => {
    for (const patience of ['60', new Date(Date.now() + 60_000).toUTCString()]) {
      const node = await startTestNode()
      node.behave = status(429, { 'retry-after': patience })
      const { rpc } = rpcOver([node])
      expect((await failureOf(rpc.fetchSlot())).kind).toBe('limited')
      expect(node.calls).toHaveLength(1)
    }
  })

  test('an answer that arrived while the event loop was busy is not a timeout', async () => {
    const server = new Worker(
      `require('node:http').createServer((request, response) => {
        let text = ''
        request.on('data', chunk => { text += chunk })
        request.on('end', () => setTimeout(() => response.end('{"id":' + JSON.parse(text).id + ',"result":100}'), 30))
      }).listen(0, '127.0.0.1', function () { require('node:worker_threads').parentPort.postMessage(this.address().port) })`,
      { eval: true },
    )
    onTestFinished(() => void server.terminate())
    const port = await new Promise(resolve => server.once('message', resolve))
    const { rpc, outcomes } = rpcOver([`http://127.0.0.1:${port}`], { limits: { attemptMs: 500 } })
    await rpc.fetchSlot()
    await sleep(10)
    const answer = rpc.fetchSlot()
    await sleep(5)
    // Keeps the event loop busy until after the timeout, in a phase that timers follow.
    await new Promise(resolve => setImmediate(resolve))
    const startMs = performance.now()
    while (performance.now() - startMs < 700);
    expect(await answer).toBe(100)
    expect(outcomes()).toEqual(['ok', 'ok'])
  })

  test('connections are reused', async () => {
    const node = await startTestNode()
    let opened = 0
    const { rpc } = rpcOver([node])
    node.behave = (_, response, answer) => {
      opened = Math.max(opened, node.connections())
      expect(response.req.headers['content-type']).toBe('application/json')
      answer()
    }
    for (let times = 0; times < 10; times += 1) await rpc.fetchSlot()
    // Two take turns: undici does not reuse a connection in the same turn of the event loop as its answer.
    expect(opened).toBeLessThanOrEqual(2)
  })

  test('a connection that the node closed while idle does not fail a call', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node])
    await rpc.fetchSlot()
    node.behave = (_, response, answer) => {
      // The node closes the connection on every second request.
      if (node.calls.length % 2 === 0) response.socket?.destroy()
      else answer()
    }
    for (let times = 0; times < 5; times += 1) expect(await rpc.fetchSlot()).toBe(100)
  })
})

describe('a node that lags', () => {
  test.each([false, true])('is refused (ignores minContextSlot: %s)', async ignores => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.accounts.set(address, '1')
    second.accounts.set(address, '2')
    const { rpc, outcomes } = rpcOver([first, second])
    expect((await rpc.fetchAccounts([address])).slot).toBe(100)
    // A load balancer now sends us to a node that is three slots late.
    first.slot = 97
    first.ignoresMinContextSlot = ignores
    const read = await rpc.fetchAccounts([address])
    expect(read).toMatchObject({ slot: 100, accounts: [{ lamports: 2n }] })
    expect(first.calls[1]?.params[1]).toMatchObject({ minContextSlot: 100, commitment: 'confirmed' })
    expect(outcomes()).toEqual(['ok', 'lagging', 'ok'])
  })

  test('as the only endpoint is retried until it catches up', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node])
    await rpc.fetchSlot()
    node.slot = 99
    setTimeout(() => {
      node.slot = 101
    }, 150)
    expect((await rpc.fetchAccounts([address])).slot).toBe(101)
  })

  test('for too long as the only endpoint causes an error, and never returns an older state', async () => {
    const node = await startTestNode()
    const { rpc, seen } = rpcOver([node])
    await rpc.fetchSlot()
    node.slot = 90
    const reads = [rpc.fetchAccounts([address]), rpc.fetchSlot(), rpc.fetchLatestBlockhash()]
    for (const { kind } of await Promise.all(reads.map(failureOf))) expect(kind).toBe('lagging')
    expect(seen.behind).toEqual([100, 100, 100])
  })

  test('a read never returns an older slot than any read that ended before it began', async () => {
    const node = await startTestNode()
    node.ignoresMinContextSlot = true
    node.behave = (_, __, answer) => setTimeout(answer, Math.random() * 30)
    const { rpc } = rpcOver([node])
    const timer = setInterval(() => {
      node.slot += Math.floor(Math.random() * 5) - 1
    }, 3)
    let highest = 0
    const reader = async () => {
      for (let times = 0; times < 30; times += 1) {
        const before = highest
        const { slot } = await rpc.fetchAccounts([address])
        expect(slot).toBeGreaterThanOrEqual(before)
        highest = Math.max(highest, slot)
      }
    }
    await Promise.all(Array.from({ length: 8 }, reader))
    clearInterval(timer)
  })
})

test('a burst that a slow endpoint can answer in time is answered, and the only endpoint is not paused', async () => {
  const node = await startTestNode()
  // It answers one call after the other, each in 6 ms: 180 of them take 1.1 s, longer than one attempt.
  let isFreeAtMs = 0
  node.behave = (_, __, answer) => {
    isFreeAtMs = Math.max(isFreeAtMs, performance.now()) + 6
    setTimeout(answer, isFreeAtMs - performance.now())
  }
  const { rpc, seen } = rpcOver([node], { limits: { attemptMs: 800, totalMs: 1_900 } })
  const slots = Array.from({ length: 180 }, () => rpc.fetchSlot())
  const outcomes = await Promise.allSettled(slots)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(seen.endpoints).toEqual([])
  // Twice as much as it can do: what it answers in time is still half of it or so.
  const more = await Promise.allSettled(Array.from({ length: 600 }, () => rpc.fetchSlot()))
  expect(more.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(150)
  expect(seen.endpoints).toEqual([])
  await rpc.fetchSlot()
}, 30_000)

describe('calls', () => {
  test('amounts are exact to the last unit, however large', async () => {
    const node = await startTestNode()
    const amounts = ['0', '1', '9007199254740991', '9007199254740993', '18446744073709551615']
    amounts.forEach((lamports, at) => void node.accounts.set(testAddress(at), lamports))
    const { rpc, outcomes } = rpcOver([node])
    const { accounts } = await rpc.fetchAccounts(amounts.map((_, at) => testAddress(at)))
    expect(accounts.map(account => account.exists && account.lamports)).toEqual(amounts.map(BigInt))
    expect(accounts[0]).toEqual({
      exists: true,
      address: testAddress(0),
      owner: OWNER,
      lamports: 0n,
      data: new Uint8Array([1, 2, 3]),
    })
    expect(outcomes()).toEqual(['ok'])
  })

  test('program accounts owned by another program are a malformed answer', async () => {
    const node = await startTestNode()
    node.behave = result(
      `{"context":{"slot":100},"value":[{"pubkey":"${address}","account":${accountJson('1')}}]}`,
    )
    const { rpc } = rpcOver([node])
    const { accounts } = await rpc.fetchProgramAccounts(OWNER as typeof address, { filters: [] })
    expect(accounts).toMatchObject([{ address, owner: OWNER, lamports: 1n }])
    expect((await failureOf(rpc.fetchProgramAccounts(address, { filters: [] }))).kind).toBe('malformed')
  })

  test('a slot without a block has no time, which is not an error', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node])
    expect(await rpc.fetchBlockTime(5)).toBe(1_700_000_000)
    node.behave = result('null')
    expect(await rpc.fetchBlockTime(5)).toBeUndefined()
    node.behave = rpcFault(-32009, 'Slot 5 was skipped')
    expect(await rpc.fetchBlockTime(5)).toBeUndefined()
    node.behave = rpcFault(-32602)
    expect((await failureOf(rpc.fetchBlockTime(5))).code).toBe(-32602)
  })

  test('a result that the decoder rejects is requested from another endpoint', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    first.behave = result('"5"')
    second.behave = result('5')
    const { rpc, outcomes } = rpcOver([first, second])
    expect(await rpc.fetchSlot()).toBe(5)
    expect(outcomes()).toEqual(['malformed', 'ok'])
  })

  test('health checks within a second share one call', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node])
    const all = await Promise.all(Array.from({ length: 50 }, () => rpc.health()))
    expect(all[49]).toEqual({ slot: 100, ms: expect.any(Number) })
    expect(node.calls).toHaveLength(1)
    expect(rpc.states()).toEqual([{ endpoint: `127.0.0.1:${node.port}`, isUp: true, slot: 100 }])
  })
})

test('only the host of a URL is ever shown, even if a node repeats the rest', async () => {
  const nodes = [await startTestNode(), await startTestNode()] as const
  const withUser = nodes[1].url.replace('://', `://${SECRET}:${SECRET}%40@`)
  const shown: unknown[] = []
  for (const behave of [
    rpcFault(-32602, `no plan for ${nodes[0].url} with ${SECRET}`),
    rpcFault(-32603, `internal ${SECRET}`),
    status(403),
    html,
    (_, response) => void response.socket?.destroy(),
  ] as Behavior[]) {
    nodes[0].behave = behave
    nodes[1].behave = behave
    const { rpc, seen } = rpcOver([nodes[0], withUser])
    const error = await failureOf(rpc.fetchSlot())
    shown.push(seen, rpc.states(), error, error.message, error.stack, { ...error }, error.cause)
  }
  expect(JSON.stringify(shown)).toContain(`127.0.0.1:${nodes[0].port}`)
  expect(JSON.stringify(shown)).not.toContain(SECRET)
})

test('credentials in a URL are sent as a header', async () => {
  const node = await startTestNode()
  let sent: string | undefined
  node.behave = (_, response, answer) => {
    sent = response.req.headers.authorization
    answer()
  }
  for (const [written, meant] of [
    ['user:p%40ss', 'user:p@ss'],
    ['k%C3%A9y:', 'kéy:'],
    ['100%:50%zz', '100%:50%zz'],
  ]) {
    const { rpc } = rpcOver([node.url.replace('://', `://${written}@`)])
    await rpc.fetchSlot()
    expect(sent).toBe(`Basic ${Buffer.from(meant as string).toString('base64')}`)
  }
})

test('a call whose deadline passed while it waited for a connection is not sent', async () => {
  const node = await startTestNode()
  const waiting: ServerResponse[] = []
  node.behave = (_, response) => waiting.push(response)
  const { rpc } = rpcOver([node])
  const call = (dataSize: number, ms: number) =>
    failureOf(
      rpc.fetchProgramAccounts(OWNER as Address, {
        filters: [{ dataSize }],
        limits: { attemptMs: ms, totalMs: ms },
      }),
    )
  // All connections are in use until the node ends them.
  const hanging = Array.from({ length: 128 }, () => call(1, 60_000))
  await expect.poll(() => node.calls.length, { timeout: 20_000 }).toBe(128)
  expect((await call(2, 200)).kind).toBe('timeout')
  node.behave = status(404)
  for (const response of waiting) response.destroy()
  await Promise.all(hanging)
  await sleep(100)
  expect(node.calls.filter(({ params }) => JSON.stringify(params).includes('"dataSize":2'))).toEqual([])
})

test('two endpoints on the same host have different labels', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node, node])
  expect(rpc.states().map(({ endpoint }) => endpoint)).toEqual([
    `127.0.0.1:${node.port}`,
    `127.0.0.1:${node.port}#2`,
  ])
})

test('closing ends running calls and pauses, and refuses new calls', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node])
  node.behave = () => {}
  const hanging = failureOf(rpc.fetchSlot())
  await expect.poll(() => node.calls.length).toBe(1)
  node.behave = status(429, { 'retry-after': '2' })
  const pausing = failureOf(rpc.fetchAccounts([address]))
  await expect.poll(() => node.calls.length).toBe(2)
  await sleep(50)
  await rpc.close()
  expect((await hanging).kind).toBe('closed')
  expect((await pausing).kind).toBe('closed')
  expect((await failureOf(rpc.fetchAccounts([address]))).kind).toBe('closed')
})

test('an RPC without endpoints throws', () => {
  expect(() => createRpc({ urls: [], cluster: 'any' })).toThrow('needs an endpoint')
})
