import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf, launchRecord } from '../testing/launch-rows.ts'
import { startProbeServer, useProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

const AGENTS_PROBE = `/v1/agents/${addressOf('agent')}/probe`
const REWARDS_PROBE = `/v1/creator-rewards/${addressOf('wallet')}/probe`
/** For tests of what depends on the request alone. */
const plain = useProbeServer()
const asAgents = (error: string) => ({ success: false, error })
const asLaunches = (message: string) => ({ error: { message } })
const postJson = (body: string | Buffer, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
})

describe('operations', () => {
  test('/readyz has one line per part, and is 503 without details if one of them fails', async () => {
    const { url } = await startProbeServer({
      readiness: [
        { name: 'store', check: async () => 'answered' },
        {
          name: 'chain-mainnet',
          check: async () => {
            throw new Error('https://rpc.example/?key=secret refused')
          },
        },
      ],
    })
    const answer = await rawRequest(url, '/readyz')
    expect(answer.status).toBe(503)
    expect(answer.text).toBe('store: ok, answered\nchain-mainnet: failing, unreachable\n')
  })

  test('/metrics has request durations by route and status, and the lag of the event loop', async () => {
    const { url } = await startProbeServer()
    await rawRequest(url, '/v1/launches')
    await rawRequest(url, `/v1/launches/${addressOf('none')}`)
    await rawRequest(url, '/nowhere/at/all')
    const { text } = await rawRequest(url, '/metrics')
    const count = (method: string, route: string, status: number) =>
      `slipway_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"} 1`
    expect(text).toContain(count('GET', '/v1/launches', 200))
    expect(text).toContain(count('GET', '/v1/launches/:genesisAddress', 404))
    expect(text).toContain(count('GET', 'none', 404))
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).not.toContain('/nowhere')
  })
})

describe('cross-origin callers', () => {
  test('any origin may read, with the headers that clients need exposed', async () => {
    const { url } = plain()
    for (const path of ['/v1/launches', '/v1/agents/x', '/openapi.json']) {
      const { headers } = await rawRequest(url, path, { headers: { origin: 'https://page.example' } })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toMatch(
        /ETag.*Retry-After.*RateLimit-Limit.*Slipway-Error/,
      )
    }
  })

  test('a 304 has CORS headers if and only if the request names an origin', async () => {
    const { url } = await startProbeServer({ limits: { reads: 9, writes: 9 } })
    const { headers: first } = await rawRequest(url, '/v1/launches')
    expect(first['access-control-allow-origin']).toBe('*')
    const ask = { 'if-none-match': String(first.etag) }
    const named = await rawRequest(url, '/v1/launches', {
      headers: { ...ask, origin: 'https://page.example' },
    })
    expect(named.status).toBe(304)
    expect(named.headers['access-control-allow-origin']).toBe('*')
    expect(named.headers['access-control-expose-headers']).toContain('ETag')
    const unnamed = await rawRequest(url, '/v1/launches', { headers: ask })
    expect(unnamed.status).toBe(304)
    expect(unnamed.headers).toMatchObject({ etag: first.etag, 'x-request-id': expect.any(String) })
    expect(unnamed.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('a preflight allows every method that a path can have', async () => {
    const { url } = plain()
    const { status, headers } = await rawRequest(url, REWARDS_PROBE, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(status).toBe(204)
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS')
    expect(headers['access-control-allow-headers']).toContain('Content-Type')
    expect(headers.allow).toBe('POST, OPTIONS')
    expect(headers['access-control-allow-origin']).toBe('*')
    for (const path of ['/nowhere', '/v1/launches/', '/v1/launches%2f', '*']) {
      const unknown = await rawRequest(url, path, { method: 'OPTIONS' })
      expect([path, unknown.status, unknown.json()]).toEqual([path, 404, asLaunches('Not found')])
    }
    const agents = await rawRequest(url, '/v1/agents/a/b/c', { method: 'OPTIONS' })
    expect([agents.status, agents.json()]).toEqual([404, asAgents('Not found')])
  })
})

describe('methods and paths', () => {
  test('HEAD has the same status and headers as GET, and no body', async () => {
    const launch = launchRecord('head')
    const { url } = await startProbeServer({ launches: [launch] })
    const paths = [
      '/v1/launches',
      '/v1/launches?status=wrong',
      `/v1/launches/${launch.genesisAddress}`,
      `/v1/tokens/${launch.mint}`,
      '/v1/launches/none',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
      '/nowhere',
    ]
    for (const path of paths) {
      const get = await rawRequest(url, path)
      const head = await rawRequest(url, path, { method: 'HEAD' })
      expect([path, head.status, head.body.length]).toEqual([path, get.status, 0])
      const comparable = ({ 'x-request-id': _id, date: _date, ...headers }: Record<string, unknown>) =>
        headers
      expect(comparable(head.headers)).toEqual(comparable(get.headers))
    }
    expect((await rawRequest(url, '/metrics', { method: 'HEAD' })).status).toBe(200)
  })

  test('a path that begins with two slashes is served as if it began with one', async () => {
    const { url } = await startProbeServer({
      launches: [launchRecord('one')],
      limits: { reads: 4, writes: 1, checks: 1 },
    })
    const plain = await rawRequest(url, '/v1/launches')
    // From memory, routed, an error, and through a proxy.
    expect((await rawRequest(url, '//v1/launches')).text).toBe(plain.text)
    expect((await rawRequest(url, '//v1/agents/x')).json()).toEqual(asAgents('Agent not found'))
    expect((await rawRequest(url, 'http://anything.example//v1/launches')).text).toBe(plain.text)
    const refused = await rawRequest(url, '//v1/agents/x')
    expect([refused.status, refused.json()]).toEqual([429, asAgents('Too many requests')])

    const posted = await rawRequest(url, `/${AGENTS_PROBE}`, postJson('{"word":"a"}'))
    expect(posted.json()).toEqual({ word: 'a' })
    expect((await rawRequest(url, `/${AGENTS_PROBE}`, { method: 'OPTIONS' })).status).toBe(204)
    expect([(await rawRequest(url, '//healthz')).status, (await rawRequest(url, '/healthz')).status]).toEqual(
      [200, 429],
    )
  })

  test('a path means the same however its characters are encoded, in answers, ETags, preflights, metrics and log', async () => {
    const launch = launchRecord('coded')
    const { url, logged } = await startProbeServer({ launches: [launch] })
    const plain = `/v1/launches/${launch.genesisAddress}`
    const encode = (text: string) =>
      text.replace(/[^/]/g, character => `%${character.charCodeAt(0).toString(16)}`)
    const expected = await rawRequest(url, plain)
    expect(expected.status).toBe(200)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: plain.length, maxLength: plain.length }),
        async how => {
          const path = [...plain].map((character, at) => (how[at] ? encode(character) : character)).join('')
          const answer = await rawRequest(url, path)
          expect([answer.status, answer.text, answer.headers.etag]).toEqual([
            200,
            expected.text,
            expected.headers.etag,
          ])
          const { status } = await rawRequest(url, path, {
            headers: { 'if-none-match': answer.headers.etag ?? '' },
          })
          expect(status).toBe(304)
        },
      ),
      { numRuns: 20 },
    )
    await expect
      .poll(() => new Set(logged.map(({ fields }) => (fields as { path?: string }).path)))
      .toEqual(new Set([plain]))
    expect((await rawRequest(url, encode(plain), { method: 'OPTIONS' })).headers.allow).toBe(
      'GET, HEAD, OPTIONS',
    )
    // A handler gets the decoded path too, and it is decoded once.
    const agent = await rawRequest(url, '/v1/agents/%78')
    expect([agent.status, agent.json()]).toEqual([404, asAgents('Agent not found')])
    const posted = await rawRequest(url, encode(AGENTS_PROBE), postJson('{"word":"a"}'))
    expect(posted.json()).toEqual({ word: 'a' })
    for (const path of [`/v1/launches/%25${encode(launch.genesisAddress).slice(1)}`, '/health%257a'])
      expect([path, (await rawRequest(url, path)).status]).toEqual([path, 404])
  })
})

describe('bodies', () => {
  test('JSON of 64 KiB is accepted, one byte more is 413', async () => {
    const { url } = plain()
    const ofSize = (bytes: number) => JSON.stringify({ word: 'a'.repeat(bytes - '{"word":""}'.length) })
    expect((await rawRequest(url, REWARDS_PROBE, postJson(ofSize(65_536)))).status).toBe(200)
    for (const [path, body] of [
      [REWARDS_PROBE, asLaunches('Request body too large')],
      [AGENTS_PROBE, asAgents('Request body too large')],
    ] as const) {
      const answer = await rawRequest(url, path, postJson(ofSize(65_537)))
      expect([answer.status, answer.json()]).toEqual([413, body])
    }
  })

  test('a body of unknown length that exceeds the limit is 413 too', async () => {
    const { url } = plain()
    const answer = await rawRequest(url, REWARDS_PROBE, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: JSON.stringify({ word: 'a'.repeat(70_000) }),
    })
    expect(answer.status).toBe(413)
  })

  test('another media type is 415', async () => {
    const { url } = plain()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
      'nonsense',
    ]) {
      const answer = await rawRequest(url, AGENTS_PROBE, postJson('{"word":"a"}', type))
      expect([type, answer.status]).toEqual([type, 415])
      expect(answer.json()).toEqual(asAgents('Unsupported media type, send application/json'))
    }
    expect(
      (await rawRequest(url, AGENTS_PROBE, postJson('{"word":"a"}', 'application/json; charset=utf-8')))
        .status,
    ).toBe(200)
  })

  test("a body that is missing, not JSON or not an object is 400 with the family's message", async () => {
    const { url } = plain()
    for (const body of [undefined, '', '{', 'word', '\u0000', '[1,]', 'null', '[]', '"word"', 'true']) {
      const agents = await rawRequest(
        url,
        AGENTS_PROBE,
        body === undefined ? { method: 'POST' } : postJson(body),
      )
      expect([body, agents.status, agents.json()]).toEqual([body, 400, asAgents('Invalid input data')])
    }
    const rewards = await rawRequest(url, REWARDS_PROBE, postJson('{'))
    expect([rewards.status, rewards.json()]).toEqual([400, asLaunches('✖ Invalid JSON body')])
  })

  test('unknown fields are ignored, including those that could pollute a prototype', async () => {
    const { url } = plain()
    const body = '{"word":"a","more":1,"__proto__":{"admin":true},"constructor":{"prototype":{}}}'
    const answer = await rawRequest(url, REWARDS_PROBE, postJson(body))
    expect([answer.status, answer.json()]).toEqual([200, { word: 'a' }])
  })
})

describe('query parameters', () => {
  test('unknown parameters are ignored, empty ones count as absent', async () => {
    const { url } = await startProbeServer({ launches: [launchRecord('query')] })
    const plain = await rawRequest(url, '/v1/launches')
    for (const query of [
      '?',
      '?x=1&x=2',
      '?x[]=1',
      '?network=&status=&spotlight=',
      '?status',
      '?__proto__=1',
    ]) {
      const answer = await rawRequest(url, `/v1/launches${query}`)
      expect([query, answer.status, answer.text]).toEqual([query, 200, plain.text])
    }
  })

  test('a known parameter that is repeated or bracketed is 400', async () => {
    const { url } = plain()
    const cases = [
      ['network=chain-mainnet&network=chain-mainnet', '✖ Invalid network'],
      ['network[]=chain-mainnet', '✖ Invalid network'],
      ['status=live&status=live', '✖ Invalid status'],
      ['status=&status=live', '✖ Invalid status'],
      ['status[a]=live', '✖ Invalid status'],
      ['spotlight=true&spotlight=false', '✖ Invalid spotlight'],
      ['spotlight%5B%5D=true', '✖ Invalid spotlight'],
    ]
    for (const [query, message] of cases) {
      const answer = await rawRequest(url, `/v1/launches?${query}`)
      expect([query, answer.status, answer.json()]).toEqual([query, 400, asLaunches(message as string)])
    }
  })
})

describe('rate limits', () => {
  test("reads and writes have separate budgets, and a request beyond one is 429 in the family's format", async () => {
    const { url } = await startProbeServer({ limits: { reads: 3, writes: 1 } })
    const first = await rawRequest(url, '/v1/launches/none')
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' })
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0)
    // The fast path counts against the same budget as routed requests.
    expect((await rawRequest(url, '/v1/launches')).status).toBe(200)
    expect((await rawRequest(url, '/v1/agents/none')).headers['ratelimit-remaining']).toBe('0')
    const refused = await rawRequest(url, '/v1/launches')
    expect([refused.status, refused.json()]).toEqual([429, asLaunches('Too many requests')])
    expect(refused.headers['slipway-error']).toBe('TOO_MANY_REQUESTS')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['access-control-allow-origin']).toBe('*')
    const agents = await rawRequest(url, '/v1/agents/none')
    expect([agents.status, agents.json()]).toEqual([429, asAgents('Too many requests')])

    const write = await rawRequest(url, AGENTS_PROBE, postJson('{"word":"a"}'))
    expect([write.status, write.headers['ratelimit-limit']]).toEqual([200, '1'])
    expect((await rawRequest(url, AGENTS_PROBE, postJson('{"word":"a"}'))).status).toBe(429)
    expect((await rawRequest(url, '/healthz')).status).toBe(200)
  })

  test('every spelling of a path is counted', async () => {
    const { url } = await startProbeServer({ limits: { reads: 1, writes: 1 } })
    expect((await rawRequest(url, '/v1/launches')).status).toBe(200)
    for (const path of [
      'http://x/v1/launches',
      'HTTP://x:1/v1/launches?a',
      '/%76%31/launches',
      '/v1/%6caunches',
      '/nowhere',
    ])
      expect([path, (await rawRequest(url, path)).status]).toEqual([path, 429])
  })

  test('responses that shared caches may store say nothing about one client', async () => {
    const launch = launchRecord('cached')
    const { url } = await startProbeServer({ launches: [launch], limits: { reads: 99, writes: 99 } })
    const names = (headers: object) => Object.keys(headers).filter(name => name.startsWith('ratelimit'))
    for (const path of [
      '/v1/launches',
      `/v1/launches/${launch.genesisAddress}`,
      `/v1/tokens/${launch.mint}`,
    ]) {
      const { headers } = await rawRequest(url, path)
      expect([path, headers['cache-control'], names(headers)]).toEqual([
        path,
        expect.stringContaining('public'),
        [],
      ])
      const again = await rawRequest(url, path, { headers: { 'if-none-match': String(headers.etag) } })
      expect([path, again.status, names(again.headers)]).toEqual([path, 304, []])
    }
    expect(names((await rawRequest(url, '/v1/launches/none')).headers)).toHaveLength(3)
    expect(names((await rawRequest(url, AGENTS_PROBE, postJson('{"word":"a"}'))).headers)).toHaveLength(3)
  })

  test('a forwarded address is used only if it comes from a trusted proxy', async () => {
    const behindProxy = await startProbeServer({
      limits: { reads: 1, writes: 1 },
      trustedProxies: ['loopback'],
    })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    expect((await rawRequest(behindProxy.url, '/v1/launches', from('192.0.2.1'))).status).toBe(200)
    expect((await rawRequest(behindProxy.url, '/v1/launches', from('192.0.2.1'))).status).toBe(429)
    expect((await rawRequest(behindProxy.url, '/v1/launches', from('192.0.2.2'))).status).toBe(200)

    const alone = await startProbeServer({ limits: { reads: 1, writes: 1 } })
    expect((await rawRequest(alone.url, '/v1/launches', from('192.0.2.1'))).status).toBe(200)
    expect((await rawRequest(alone.url, '/v1/launches', from('192.0.2.2'))).status).toBe(429)
    const warnings = alone.logged.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.message).toContain('TRUST_PROXY')
  })
})

describe('every response', () => {
  test('carries an id: the one in the request if it is valid, otherwise a new one', async () => {
    const { url } = plain()
    const ids = new Set<string>()
    for (const path of ['/v1/launches', '/v1/launches/none', '/nowhere', '/healthz']) {
      const sane = await rawRequest(url, path, { headers: { 'x-request-id': 'trace-1.a:b_c' } })
      expect(sane.headers['x-request-id']).toBe('trace-1.a:b_c')
      for (const odd of ['a'.repeat(129), 'a b', 'a"b', '<script>']) {
        const made = await rawRequest(url, path, { headers: { 'x-request-id': odd } })
        expect(made.headers['x-request-id']).toMatch(/^[\w-]{14,40}$/)
        expect(made.headers['x-request-id']).not.toBe(odd)
        ids.add(made.headers['x-request-id'] as string)
      }
    }
    expect(ids.size).toBe(16)
  })

  test('with a body carries security headers', async () => {
    const { url } = plain()
    for (const path of ['/v1/launches', '/v1/launches/none', '/nowhere', '/healthz']) {
      const { headers } = await rawRequest(url, path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  test('hides the details of an unexpected error, which the log has', async () => {
    const { url, logged } = await startProbeServer()
    const answer = await rawRequest(url, REWARDS_PROBE, {
      ...postJson('{"word":"explode"}'),
      headers: { 'content-type': 'application/json', 'x-request-id': 'explosion' },
    })
    expect([answer.status, answer.json()]).toEqual([500, asLaunches('Internal server error')])
    const failure = logged.find(({ level }) => level === 'error')
    expect(failure?.fields).toMatchObject({ requestId: 'explosion', err: expect.any(Error) })
  })

  test('has a line in the access log, without query, body or credentials', async () => {
    const { url, logged } = await startProbeServer()
    await rawRequest(url, '/v1/launches?accessToken=s3cret')
    await rawRequest(url, 'http://user:s3cret@x/v1/launches')
    await rawRequest(url, `${AGENTS_PROBE}?key=s3cret`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer s3cret', cookie: 'id=s3cret' },
      body: '{"word":"s3cret"}',
    })
    const lines = () => logged.filter(({ message }) => message === 'request').map(({ fields }) => fields)
    await expect.poll(lines).toMatchObject([
      { method: 'GET', path: '/v1/launches', status: 200, client: '127.0.0.1' },
      { method: 'GET', path: '/v1/launches' },
      { method: 'POST', path: AGENTS_PROBE, status: 200 },
    ])
    for (const line of lines()) expect(line).not.toHaveProperty('aborted')
    expect(JSON.stringify(logged)).not.toContain('s3cret')
  })

  test('has an escaped path in its log line', async () => {
    const { url, logged } = await startProbeServer()
    await rawRequest(url, '/v1/"\\u0022%22')
    await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ path: '/v1/"\\u0022%22', status: 404 })
  })

  test('is logged under the peer address if the forwarded one is invalid', async () => {
    const { url, logged } = await startProbeServer({ trustedProxies: ['loopback'] })
    const lie = '9.9.9.9","msg":"forged","x":"'
    await rawRequest(url, '/v1/launches', { headers: { 'x-forwarded-for': lie } })
    await expect.poll(() => logged.at(-1)?.fields).toMatchObject({ client: '127.0.0.1', msg: 'request' })
  })
})

describe('a malformed request', () => {
  const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  /** Returns all that is received until the connection is closed. */
  function sendBytes(url: string, bytes: string): Promise<string> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      let received = ''
      socket.on('data', chunk => {
        received += chunk
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
  }

  test('is answered with 400 or 431, and the connection is closed', async () => {
    const { url } = plain()
    const nonsense = await sendBytes(url, 'HELLO\r\n\r\n')
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 /)
    expect(nonsense).toContain('{"error":{"message":"Bad request"}}')
    expect(nonsense).toMatch(/^slipway-error: BAD_REQUEST\r$/im)
    expect(nonsense).toMatch(/^access-control-expose-headers: .*slipway-error/im)
    const headers = await sendBytes(url, `GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`)
    expect(headers).toMatch(/^HTTP\/1\.1 431 /)
    expect(headers).toMatch(/^slipway-error: HEADERS_TOO_LARGE\r$/im)
  })

  test.each([
    ['without a Host', 'Connection: close'],
    ['with two Hosts', 'Host: a\r\nHost: a'],
    ['with a transfer coding other than chunked', 'Host: a\r\nTransfer-Encoding: gzip, chunked'],
    ['with a malformed chunk in its body', 'Host: a\r\nTransfer-Encoding: chunked'],
  ])('%s is refused once in the error format, with an id, and the connection is closed', async (_, lines) => {
    const { url } = plain()
    const head = `POST ${AGENTS_PROBE} HTTP/1.1\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`
    const answer = await sendBytes(url, `${head}2\r\n{}\r\nnonsense\r\n\r\n${HEALTH}`)
    expect(statusesOf(answer)).toEqual(['400'])
    expect(answer).toMatch(/\{"success":false,"error":"(?:Bad request|Invalid input data)"\}/)
    expect(answer).toMatch(/^connection: close/im)
    expect(answer).toMatch(/x-request-id: /i)
  })

  test('in HTTP/2 is answered with 400, in HTTP/1.1', async () => {
    const { url } = plain()
    expect(statusesOf(await sendBytes(url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toEqual(['400'])
    const settings = '\0\0\0\x04\0\0\0\0\0'
    expect(statusesOf(await sendBytes(url, `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${settings}`))).toEqual(['400'])
  })

  test('with an unknown expectation is answered, and a tunnel is refused', async () => {
    const { url } = plain()
    const expecting = await sendBytes(
      url,
      'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: foo\r\nConnection: close\r\n\r\n',
    )
    expect(expecting).toMatch(/^HTTP\/1\.1 200 /)
    const tunnel = await sendBytes(url, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')
    expect(tunnel).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('closing', () => {
  test('answers requests in progress, accepts no new ones, and leaves no connection open', async () => {
    const { url, app } = await startProbeServer()
    const idle = await fetch(`${url}/healthz`)
    await idle.text()
    const arrived = once(app.server, 'request')
    const answer = rawRequest(url, REWARDS_PROBE, postJson('{"word":"wait"}'))
    await arrived
    const start = performance.now()
    await app.close()
    // An idle connection ends by itself after a minute.
    expect(performance.now() - start).toBeLessThan(20_000)
    expect((await answer).json()).toEqual({ word: 'wait' })
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
})
