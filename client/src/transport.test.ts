import { createSlipway, SlipwayError } from '@slipway/client'
import { expect, test } from 'vitest'
import { sendJson, startTestServer } from './testing/test-server.ts'
import { retryDelayMs } from './transport.ts'

const ADDRESS = '11111111111111111111111111111111'
const PAGE = { success: true, data: { agents: [], total: 0, page: 1, pageSize: 24, totalPages: 0 } }
const BUILT = { success: true, tx: 'AA==', blockhash: { blockhash: 'b', lastValidBlockHeight: 1 } }
const SIGNED = { owner: ADDRESS, issuedAt: '', nonce: '', signature: '' }

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: SlipwayError) => error,
  )

test('a read is repeated after 429, 502, 503 and 504', async () => {
  for (const status of [429, 502, 503, 504]) {
    const { url, requests } = await startTestServer((_, response, count) =>
      count === 1 ? response.writeHead(status).end('<html>') : sendJson(response, 200, PAGE),
    )
    expect(await createSlipway({ url }).agents.list()).toEqual(PAGE.data)
    expect(requests).toHaveLength(2)
  }
})

test('a read is repeated after a broken connection, and no more often than asked', async () => {
  const { url, requests } = await startTestServer((request, response, count) => {
    if (count === 1) request.socket.destroy()
    // The headers arrive, the body does not.
    else if (count === 2)
      response.writeHead(200, { 'content-length': '1000' }).write('{', () => request.socket.destroy())
    else sendJson(response, 200, PAGE)
  })
  expect(await createSlipway({ url }).agents.list()).toEqual(PAGE.data)
  expect(requests).toHaveLength(3)

  const broken = await startTestServer(request => request.socket.destroy())
  const error = await failureOf(createSlipway({ url: broken.url, retries: 1 }).agents.list())
  expect(error).toBeInstanceOf(SlipwayError)
  expect(error).toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
  expect(error.message).toContain(broken.url)
  expect(broken.requests).toHaveLength(2)
})

test('other errors are not repeated', async () => {
  for (const [status, error, code] of [
    [400, 'Invalid input data', 'INVALID_INPUT'],
    [404, 'Agent not found', 'AGENT_NOT_FOUND'],
    [500, 'Failed to fetch agent', 'FETCH_AGENT_FAILED'],
    [503, 'PUBLIC_URL is not configured', 'PUBLIC_URL_MISSING'],
  ] as const) {
    const { url, requests } = await startTestServer((_, response) =>
      sendJson(response, status, { error }, { 'slipway-error': code }),
    )
    expect(await failureOf(createSlipway({ url }).agents.get(ADDRESS))).toMatchObject({
      status,
      message: error,
    })
    expect(requests).toHaveLength(1)
  }
})

test('an endpoint that failed because of an outage or too much load is asked again, as `Retry-After` says', async () => {
  const { url, requests } = await startTestServer((_, response, count) =>
    count === 1
      ? sendJson(
          response,
          500,
          { success: false, error: 'Failed to prepare withdraw transaction' },
          { 'slipway-error': 'WITHDRAW_FAILED', 'retry-after': '0' },
        )
      : sendJson(response, 200, BUILT),
  )
  const { success: _, ...built } = BUILT
  expect(await createSlipway({ url }).agents.withdraw(ADDRESS, { sender: ADDRESS, amount: 1 })).toEqual(built)
  expect(requests).toHaveLength(2)
})

test('a retry waits as long as the service asks, but gives up if that is more than half a minute', async () => {
  const { url, requests } = await startTestServer((_, response, count) =>
    count === 1
      ? sendJson(response, 429, { error: 'Too many requests' }, { 'retry-after': '1' })
      : sendJson(response, 200, PAGE),
  )
  const startMs = performance.now()
  await createSlipway({ url }).agents.list()
  expect(performance.now() - startMs).toBeGreaterThan(900)
  expect(requests).toHaveLength(2)

  const later = await startTestServer((_, response) =>
    sendJson(response, 429, { error: 'Too many requests' }, { 'retry-after': '60' }),
  )
  expect(await failureOf(createSlipway({ url: later.url }).agents.list())).toMatchObject({ retryAfter: 60 })
  expect(later.requests).toHaveLength(1)
})

test('the delays between retries grow, differ and have a limit', () => {
  const error = new SlipwayError('', { status: 503, code: 'SERVICE_UNAVAILABLE' })
  const delays = Array.from({ length: 20 }, (_, retries) => retryDelayMs(error, retries) as number)
  for (const [retries, delay] of delays.entries()) {
    const full = Math.min(5_000, 300 * 2 ** retries)
    expect(delay).toBeGreaterThanOrEqual(full / 2)
    expect(delay).toBeLessThanOrEqual(full)
  }
  expect(new Set(delays).size).toBe(delays.length)
})

test('a request to build a transaction is repeated; a signed change never is', async () => {
  const building = await startTestServer((request, response, count) =>
    count % 2 === 1 ? request.socket.destroy() : sendJson(response, 200, BUILT),
  )
  const slipway = createSlipway({ url: building.url })
  const { success: _, ...built } = BUILT
  expect(await slipway.agents.withdraw(ADDRESS, { sender: ADDRESS, amount: 1 })).toEqual(built)
  const [first, second] = building.requests
  expect(second).toMatchObject({ method: 'POST', body: first?.body })

  const broken = await startTestServer(request => request.socket.destroy())
  const { agents, launches } = createSlipway({ url: broken.url })
  const card = {
    name: '',
    description: '',
    version: '',
    capabilities: {},
    skills: [],
    defaultInputModes: [],
    defaultOutputModes: [],
  }
  await failureOf(agents.replaceCard(ADDRESS, { card, ...SIGNED }))
  await failureOf(agents.removeCard(ADDRESS, SIGNED))
  await failureOf(launches.changeLinks(ADDRESS, { externalLinks: {}, ...SIGNED }))
  expect(broken.requests.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'PUT'])
})

test('a read sends the ETag of the last answer, and a 304 returns that answer again', async () => {
  const { url, requests } = await startTestServer((request, response) =>
    request.headers['if-none-match'] === '"a"'
      ? response.writeHead(304).end()
      : sendJson(response, 200, { data: [{ website: 'x' }] }, { etag: '"a"' }),
  )
  const slipway = createSlipway({ url })
  const first = await slipway.launches.list()
  // A caller may change its answer.
  first.pop()
  expect(await slipway.launches.list()).toEqual([{ website: 'x' }])
  await slipway.launches.list({ status: 'live' })
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', undefined])
  await createSlipway({ url }).launches.list()
  expect(requests[3]?.headers['if-none-match']).toBeUndefined()
})

test('the most recently used answers are kept, up to the size', async () => {
  const { url, requests } = await startTestServer((request, response) =>
    request.headers['if-none-match']
      ? response.writeHead(304).end()
      : sendJson(response, 200, PAGE, { etag: '"a"' }),
  )
  const { agents } = createSlipway({ url, cacheSize: 2 })
  for (const page of [1, 2, 1, 3, 1, 2]) await agents.list({ page })
  const conditional = requests.map(({ headers }) => headers['if-none-match'] !== undefined)
  expect(conditional).toEqual([false, false, true, false, true, false])
})

test('a call ends in time, and says that it did', async () => {
  const { url, requests } = await startTestServer((request, response) => {
    // This answer starts, but never ends.
    if (request.url?.includes('page=2')) response.writeHead(200).write('{')
  })
  const slipway = createSlipway({ url, timeoutMs: 2_000, retries: 0 })
  const failures = await Promise.all([
    failureOf(slipway.agents.list({ page: 1 })),
    failureOf(slipway.agents.list({ page: 2 }, { timeoutMs: 1_000 })),
  ])
  const timedOut = (ms: number) => ({
    status: 0,
    code: 'TIMEOUT',
    message: expect.stringContaining(`${ms} ms`),
  })
  expect(failures).toMatchObject([timedOut(2_000), timedOut(1_000)])
  expect(requests).toHaveLength(2)
  const patient = await startTestServer((_, response) => sendJson(response, 200, PAGE))
  const { agents } = createSlipway({ url: patient.url, timeoutMs: Number.POSITIVE_INFINITY })
  expect(await agents.list()).toEqual(PAGE.data)
})

test('a signal cancels a call that waits for an answer or for a retry', async () => {
  const { url } = await startTestServer((request, response) => {
    if (!request.url?.includes('page=2'))
      sendJson(response, 503, { error: 'Service unavailable' }, { 'retry-after': '20' })
  })
  const { agents } = createSlipway({ url })
  for (const page of [1, 2]) {
    const reason = new Error(`enough of ${page}`)
    const controller = new AbortController()
    const call = agents.list({ page }, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 100)
    await expect(call).rejects.toBe(reason)
  }
  await expect(agents.list({}, { signal: AbortSignal.abort('before') })).rejects.toBe('before')
})

test('an answer that is not from Slipway is an error with its status', async () => {
  for (const [status, text] of [
    [502, '<html><h1>502 Bad Gateway</h1>'],
    [500, ''],
    [403, '{"message": "forbidden"}'],
    [400, '[null]'],
    [404, 'null'],
    [200, '<html>Sign in to the network</html>'],
    [418, '{"error": "A text that this version does not know"}'],
  ] as const) {
    const { url } = await startTestServer((_, response) => response.writeHead(status).end(text))
    const error = await failureOf(createSlipway({ url, retries: 0 }).agents.get(ADDRESS))
    expect(error).toBeInstanceOf(SlipwayError)
    expect(error).toMatchObject({ status, code: 'UNKNOWN_RESPONSE' })
    expect(error.message).not.toBe('')
  }
})

test('the url may end in a slash or in /v1, and parts of a path are encoded', async () => {
  const { url, requests } = await startTestServer((_, response) => sendJson(response, 200, { data: {} }))
  for (const end of ['', '/', '/v1', '/v1/'])
    await createSlipway({ url: `${url}/below${end}` }).tokens.get('a')
  await createSlipway({ url, network: 'chain-devnet' }).tokens.get('../../admin?x#y')
  await createSlipway({ url }).tokens.get('..')
  await createSlipway({ url, network: 'chain-devnet' }).tokens.get('a', { network: 'chain-mainnet' })
  expect(requests.map(request => request.url)).toEqual([
    ...Array(4).fill('/below/v1/tokens/a'),
    '/v1/tokens/..%2F..%2Fadmin%3Fx%23y?network=chain-devnet',
    '/v1/tokens/%252E%252E',
    '/v1/tokens/a?network=chain-mainnet',
  ])
})
