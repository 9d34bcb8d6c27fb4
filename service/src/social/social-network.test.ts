import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@slipway/schema/errors'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSocialNetwork } from './social-network.ts'
import { type Reply, sendJson, sendText, sendUser, startUpstream } from './test-upstream.ts'

type Options = Omit<Parameters<typeof createSocialNetwork>[0], 'apiUrl' | 'observer'>

function openNetwork(apiUrl: string, options: Options = {}) {
  const observed: string[] = []
  const network = createSocialNetwork({
    apiUrl,
    observer: {
      onAnswer: outcome => observed.push(outcome),
      onNotAsked: reason => observed.push(`not asked: ${reason}`),
    },
    ...options,
  })
  onTestFinished(network.close)
  /** The username, or the code of the error. */
  const verify = (token = 'a-token') => network.fetchUsername(token).catch(codeOf)
  return { network, verify, observed }
}

function codeOf(error: unknown): string {
  if (!(error instanceof ServiceError)) throw error
  return error.code
}

/**
 * Timers fire in the order of their times, however busy the machine is: work that ends with an earlier timer comes
 * first.
 */
const beforeMs = <T>(ms: number, work: Promise<T>) => Promise.race([work, sleep(ms, 'late')])

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

test('requests GET /2/users/me below the base URL with the token as a bearer, and reuses its connection', async () => {
  const upstream = await startUpstream(sendUser('harbourmaster'))
  const { verify, observed } = openNetwork(`${upstream.url}/base`, { connections: 1 })
  expect(await verify('token one')).toBe('harbourmaster')
  upstream.reply = sendJson(401, {})
  expect(await verify('token-two')).toBe('SOCIAL_REJECTED')
  upstream.reply = sendJson(503, { detail: 'x'.repeat(10_000) })
  await verify('token-three')
  upstream.reply = sendUser('harbourmaster')
  expect(await verify('token-four')).toBe('harbourmaster')
  expect(upstream.calls.map(({ authorization }) => authorization)).toEqual([
    'Bearer token one',
    'Bearer token-two',
    'Bearer token-three',
    'Bearer token-four',
  ])
  expect(upstream.calls[0]).toMatchObject({
    method: 'GET',
    url: '/base/2/users/me',
    accept: 'application/json',
  })
  expect(upstream.opened()).toBe(1)
  expect(observed).toEqual(['ok', 'rejected', 'no_username', 'ok'])
})

describe('outcomes', () => {
  const rejected = 'SOCIAL_REJECTED'
  const missing = 'SOCIAL_USERNAME_MISSING'
  const redirect = { location: '/2/users/me?again' }

  test.each<[string, Reply, string, string]>([
    ['a user', sendUser('Harbour_Master1'), 'Harbour_Master1', 'ok'],
    ['a name of 64 characters', sendUser('a'.repeat(64)), 'a'.repeat(64), 'ok'],
    ['a user with other fields', sendJson(200, { data: { username: 'x', more: {} }, errors: [] }), 'x', 'ok'],
    ['401', sendJson(401, { title: 'Unauthorized' }), rejected, 'rejected'],
    ['403', sendJson(403, { title: 'Forbidden' }), rejected, 'rejected'],
    ['401 with a user', sendJson(401, { data: { username: 'x' } }), rejected, 'rejected'],
    ['400', sendJson(400, {}), missing, 'no_username'],
    ['404', sendText(404, 'not found'), missing, 'no_username'],
    ['429', sendJson(429, {}), missing, 'rate_limited'],
    ['500', sendText(500, ''), missing, 'no_username'],
    ['503 with a user', sendJson(503, { data: { username: 'x' } }), missing, 'no_username'],
    ['201 with a user', sendJson(201, { data: { username: 'x' } }), missing, 'no_username'],
    ['204', sendText(204, ''), missing, 'no_username'],
    ['301', sendJson(301, { data: { username: 'x' } }, redirect), missing, 'no_username'],
    ['307', sendJson(307, {}, redirect), missing, 'no_username'],
    ['an empty 200', sendText(200, ''), missing, 'no_username'],
    ['HTML', sendText(200, '<html>'), missing, 'no_username'],
    ['truncated JSON', sendText(200, '{"data":{"username":"x"'), missing, 'no_username'],
    ['no data', sendJson(200, { errors: [{}] }), missing, 'no_username'],
    ['null', sendJson(200, null), missing, 'no_username'],
    ['an array', sendJson(200, [{ data: { username: 'x' } }]), missing, 'no_username'],
    ['no username', sendJson(200, { data: { id: '1' } }), missing, 'no_username'],
    ['a username that is a number', sendUser(7), missing, 'no_username'],
    ['an empty username', sendUser(''), missing, 'no_username'],
    ['a username with a space', sendUser('two words'), missing, 'no_username'],
    ['a username with a line break', sendUser('name\n'), missing, 'no_username'],
    ['a username in other letters', sendUser('наме'), missing, 'no_username'],
    ['a username of 65 characters', sendUser('a'.repeat(65)), missing, 'no_username'],
    [
      'a response over 64 KiB',
      sendJson(200, { data: { username: 'x' }, more: 'x'.repeat(70_000) }),
      missing,
      'broken',
    ],
    ['a connection that breaks', response => response.socket?.destroy(), missing, 'broken'],
    [
      'a connection that breaks in the body',
      response => {
        response.writeHead(200, { 'content-length': '100' }).write('{"data":')
        setTimeout(() => response.socket?.destroy(), 20)
      },
      missing,
      'broken',
    ],
    ['something other than HTTP', response => response.socket?.end('hello\r\n\r\n'), missing, 'broken'],
  ])('%s', async (_, reply, expected, outcome) => {
    const upstream = await startUpstream(reply)
    const { verify, observed } = openNetwork(upstream.url)
    expect(await verify()).toBe(expected)
    expect(observed).toEqual([outcome])
    expect(upstream.calls.length).toBe(1)
  })

  test('a port that refuses connections', async () => {
    const server = createServer()
    const port = await listen(server)
    server.close()
    const { verify, observed } = openNetwork(`http://127.0.0.1:${port}`)
    expect(await verify()).toBe(missing)
    expect(observed).toEqual(['broken'])
  })

  test('a name that does not resolve', async () => {
    const { verify, observed } = openNetwork('http://nowhere.invalid')
    expect(await verify()).toBe(missing)
    expect(observed).toEqual(['broken'])
  })
})

describe('the timeout', () => {
  const drip: Reply = response => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  }

  test.each<[string, Reply]>([
    ['never answers', () => {}],
    ['sends headers and no body', response => response.writeHead(200).flushHeaders()],
    ['sends its body a byte at a time', drip],
  ])('applies to a network that %s', async (_, reply) => {
    const upstream = await startUpstream(reply)
    const { verify, observed } = openNetwork(upstream.url, { timeoutMs: 200 })
    const startMs = performance.now()
    expect(await beforeMs(30_000, verify())).toBe('SOCIAL_USERNAME_MISSING')
    expect(performance.now() - startMs).toBeGreaterThan(100)
    expect(observed).toEqual(['timeout'])
    // The next request does not get the abandoned connection.
    upstream.reply = sendUser('next')
    await expect.poll(() => verify(), { timeout: 30_000 }).toBe('next')
  })

  test('includes opening the connection', async () => {
    const silent = createServer(socket => void socket.on('error', () => {}))
    const port = await listen(silent)
    onTestFinished(() => void silent.close())
    const { verify, observed } = openNetwork(`https://127.0.0.1:${port}`, { timeoutMs: 500 })
    expect(await beforeMs(30_000, verify())).toBe('SOCIAL_USERNAME_MISSING')
    expect(observed).toEqual(['timeout'])
  })

  test('is five seconds by default', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const upstream = await startUpstream(sendUser('harbourmaster'))
    await openNetwork(upstream.url).verify()
    expect(timeout.mock.calls).toEqual([[5_000]])
  })

  test('does not delay a refusal whose body is slow', async () => {
    const upstream = await startUpstream(response => response.writeHead(401).write('{'))
    // The body would take longer than the test.
    const { verify } = openNetwork(upstream.url, { timeoutMs: 600_000 })
    expect(await verify()).toBe('SOCIAL_REJECTED')
  })

  test('frees the connection of a refusal whose body never ends', async () => {
    const upstream = await startUpstream(response => response.writeHead(401).write('{'))
    const { verify } = openNetwork(upstream.url, { timeoutMs: 1_000, connections: 1 })
    expect(await verify('one')).toBe('SOCIAL_REJECTED')
    expect(upstream.opened()).toBe(1)
    upstream.reply = sendUser('two')
    await expect.poll(() => verify('two'), { timeout: 30_000 }).toBe('two')
    expect(upstream.opened()).toBeGreaterThan(1)
  })
})

describe('under load', () => {
  /** Holds each response, which has the last word of the token as the username. */
  function holdReplies() {
    const held: (() => void)[] = []
    const reply: Reply = (response, { headers }) => {
      const username = headers.authorization?.split('-').at(-1)
      held.push(() => sendUser(username)(response, undefined as never))
    }
    return { held, reply }
  }

  test('concurrent calls with the same token share one request, and a later call makes a new one', async () => {
    const { held, reply } = holdReplies()
    const upstream = await startUpstream(reply)
    const { network } = openNetwork(upstream.url)
    const calls = Array.from({ length: 200 }, (_, at) => network.fetchUsername(`token-user${at % 2}`))
    await expect.poll(() => held.length).toBe(2)
    await sleep(50)
    for (const send of held.splice(0)) send()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['user0', 'user1']))
    expect(upstream.calls.length).toBe(2)

    upstream.reply = sendJson(401, {})
    await expect(network.fetchUsername('token-user0')).rejects.toThrow(ServiceError)
    expect(upstream.calls.length).toBe(3)
  })

  test('calls that share a request share its failure', async () => {
    const upstream = await startUpstream(response => response.socket?.destroy())
    const { verify, observed } = openNetwork(upstream.url)
    const codes = await Promise.all(Array.from({ length: 20 }, () => verify()))
    expect(codes).toEqual(Array(20).fill('SOCIAL_USERNAME_MISSING'))
    expect([upstream.calls.length, observed]).toEqual([1, ['broken']])
  })

  test('calls beyond the connections wait, and calls beyond the waiting limit fail at once', async () => {
    const { held, reply } = holdReplies()
    const upstream = await startUpstream(reply)
    const { verify, observed } = openNetwork(upstream.url, {
      connections: 3,
      waitingMax: 4,
      timeoutMs: 600_000,
    })
    const answers = Array.from({ length: 10 }, (_, at) => verify(`token-user${at}`))
    await expect.poll(() => held.length).toBe(3)
    expect(await Promise.all(answers.slice(7))).toEqual(Array(3).fill('SOCIAL_USERNAME_MISSING'))
    expect(observed).toEqual(Array(3).fill('not asked: busy'))
    await sleep(50)
    expect(upstream.opened()).toBe(3)
    for (let served = 0; served < 7; served += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      held.shift()?.()
    }
    expect(await Promise.all(answers.slice(0, 7))).toEqual([0, 1, 2, 3, 4, 5, 6].map(at => `user${at}`))
    expect([upstream.opened(), upstream.calls.length]).toEqual([3, 7])
  })

  test('waiting counts toward the timeout, and a call that times out gives up its place', async () => {
    const upstream = await startUpstream(() => {})
    const { verify } = openNetwork(upstream.url, { connections: 1, waitingMax: 5, timeoutMs: 1_000 })
    const calls = Promise.all(['a', 'b', 'c'].map(verify))
    // The second one would otherwise take twice as long.
    expect(await beforeMs(1_800, calls)).toEqual(Array(3).fill('SOCIAL_USERNAME_MISSING'))
    upstream.reply = sendUser('later')
    // On a busy machine, the first gives up its place a moment before the time of the others is up, and one of them
    // gets it.
    await expect.poll(() => verify('first'), { timeout: 30_000 }).toBe('later')
    const asked = upstream.calls.length
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(verify))).toEqual(Array(6).fill('later'))
    expect(upstream.calls.length).toBe(asked + 6)
  })
})

describe('a rate-limited token', () => {
  const spent = (resetSeconds: number | string) =>
    sendJson(429, {}, { 'x-rate-limit-reset': `${resetSeconds}` })

  test('is not sent again until its reset; other tokens are', async () => {
    let nowMs = 1_800_000_000_000
    const upstream = await startUpstream(spent(nowMs / 1_000 + 60))
    const { verify, observed } = openNetwork(upstream.url, { now: () => nowMs })
    expect(await verify('spent')).toBe('SOCIAL_USERNAME_MISSING')
    upstream.reply = sendUser('again')
    nowMs += 59_000
    expect(await verify('spent')).toBe('SOCIAL_USERNAME_MISSING')
    expect(await verify('other')).toBe('again')
    nowMs += 1_000
    expect(await verify('spent')).toBe('again')
    expect(upstream.calls.length).toBe(3)
    expect(observed).toEqual(['rate_limited', 'not asked: backing_off', 'ok', 'ok'])
  })

  test('waits at most one window, and not at all without a valid reset in the future', async () => {
    let nowMs = 1_800_000_000_000
    const upstream = await startUpstream(spent(999_999_999_999))
    const { verify } = openNetwork(upstream.url, { now: () => nowMs })
    await verify('far')
    for (const [token, reset] of [
      ['none', undefined],
      ['past', 1],
      ['wrong', 'soon'],
    ] as const) {
      upstream.reply = reset === undefined ? sendJson(429, {}) : spent(reset)
      await verify(token)
    }
    upstream.reply = sendUser('again')
    for (const token of ['none', 'past', 'wrong']) expect(await verify(token)).toBe('again')
    nowMs += 15 * 60_000 - 1
    expect(await verify('far')).toBe('SOCIAL_USERNAME_MISSING')
    nowMs += 1
    expect(await verify('far')).toBe('again')
  })
})

test('an error quotes nothing that was sent or received', async () => {
  const upstream = await startUpstream((response, { headers }) =>
    response.end(`no JSON, but ${headers.authorization}`),
  )
  const { network } = openNetwork(upstream.url)
  const error = await network.fetchUsername('s3cret').catch(error => error as ServiceError)
  const { cause } = error as ServiceError
  expect((cause as Error).message).toBe('social network: no JSON')
  expect(`${(cause as Error).stack}${(error as ServiceError).stack}`).not.toContain('s3cret')
})

test('close ends running requests', async () => {
  const upstream = await startUpstream(() => {})
  const { network, verify } = openNetwork(upstream.url, { timeoutMs: 600_000 })
  const call = verify()
  await expect.poll(() => upstream.calls.length).toBe(1)
  await network.close()
  expect(await call).toBe('SOCIAL_USERNAME_MISSING')
})
