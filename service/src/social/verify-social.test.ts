import { startDemoServer } from '@slipway/local-chain/world/demo-server'
import { ErrorBody } from '@slipway/schema/errors'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../testing/raw-request.ts'
import { startTestService, TEST_SOCIAL, useTestService } from '../testing/test-service.ts'
import { createSocial } from './social.ts'
import { sendJson, sendUser, startUpstream } from './test-upstream.ts'

const tokens = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} }).tokens

const REQUIRED = [400, { success: false, error: 'accessToken is required' }] as const
const REJECTED = [401, { success: false, error: 'Could not verify social account' }] as const
const MISSING = [502, { success: false, error: 'Could not retrieve social username' }] as const

const post = (url: string, body: string | Buffer | undefined, type = 'application/json') =>
  rawRequest(url, '/v1/social/verify', {
    method: 'POST',
    headers: body === undefined ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  })

const verify = (url: string, accessToken: unknown) => post(url, JSON.stringify({ accessToken }))

let upstream: Awaited<ReturnType<typeof startUpstream>>
let closeUpstream = () => {}
beforeAll(async () => {
  upstream = await startUpstream(sendUser('harbourmaster'), close => {
    closeUpstream = close
  })
})
const service = useTestService(() => ({ social: { apiUrl: upstream.url } }))
afterAll(() => closeUpstream())

/** The service of this file, whose upstream has not been called and knows one user. */
function prepare() {
  upstream.calls.length = 0
  upstream.reply = sendUser('harbourmaster')
  return { ...service(), upstream }
}

describe('the contract', () => {
  test('200: the username and a token that proves it', async () => {
    const { url } = prepare()
    const answer = await verify(url, 'their-access-token')
    const { token } = answer.json() as { token: string }
    expect([answer.status, answer.json()]).toEqual([
      200,
      { success: true, username: 'harbourmaster', token: expect.any(String) },
    ])
    expect(await tokens.verify(token)).toMatchObject({ username: 'harbourmaster' })
    expect(decodeJwt(token)).toMatchObject({ sub: 'harbourmaster', aud: 'slipway' })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.etag).toBeUndefined()
  })

  test('/v1/twitter/verify is the same, with error texts that say Twitter', async () => {
    const { url, upstream } = prepare()
    const verifyTwitter = (accessToken: unknown) =>
      rawRequest(url, '/v1/twitter/verify', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accessToken }),
      })
    const verified = (await verifyTwitter('a-token')).json() as { token: string }
    expect(verified).toEqual({ success: true, username: 'harbourmaster', token: expect.any(String) })
    expect(await tokens.verify(verified.token)).toMatchObject({ username: 'harbourmaster' })
    const answers = async (token: unknown) => {
      const answer = await verifyTwitter(token)
      return [answer.status, (answer.json() as { error: string }).error]
    }
    expect(await answers('')).toEqual([400, 'accessToken is required'])
    upstream.reply = sendJson(401, {})
    expect(await answers('another-token')).toEqual([401, 'Could not verify Twitter account'])
    upstream.reply = sendJson(200, {})
    expect(await answers('a-third-token')).toEqual([502, 'Could not retrieve Twitter username'])
  })

  test('400 without an accessToken that has visible characters; no request is sent', async () => {
    const { url, upstream } = prepare()
    for (const body of [
      undefined,
      '',
      '{"accessToken":',
      '{}',
      '{"access_token":"x"}',
      '{"accessToken":null}',
      '{"accessToken":7}',
      '{"accessToken":["x"]}',
      '{"accessToken":{"x":1}}',
      '{"accessToken":""}',
      '{"accessToken":" \\n\\t\\u00a0 "}',
      '[{"accessToken":"x"}]',
      '"x"',
      'null',
      '7',
      '{"__proto__":{"accessToken":"x"}}',
    ]) {
      const answer = await post(url, body)
      expect([body, answer.status, answer.json()]).toEqual([body, ...REQUIRED])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(upstream.calls).toEqual([])
  })

  test('401 for text that cannot be a credential; no request is sent', async () => {
    const { url, upstream } = prepare()
    const long = 'x'.repeat(4_097)
    const split = ['one\ntwo: three', 'one\u0000', 'one\u007ftwo', 'one\ttwo']
    for (const accessToken of [long, ...split, 'tökén', '🔑', '\ud83d']) {
      const answer = await verify(url, accessToken)
      expect([accessToken, answer.status, answer.json()]).toEqual([accessToken, ...REJECTED])
    }
    expect(upstream.calls).toEqual([])
  })

  test('401: the network rejects the token', async () => {
    const { url, upstream } = prepare()
    for (const status of [401, 403]) {
      upstream.reply = sendJson(status, { title: 'no' })
      const answer = await verify(url, 'x')
      expect([answer.status, answer.json()]).toEqual(REJECTED)
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(upstream.calls.length).toBe(2)
  })

  test('502: the network responds without a username, with an error, or not at all', async () => {
    const { url, upstream } = prepare()
    for (const reply of [
      sendJson(200, { data: {} }),
      sendJson(429, {}),
      sendJson(503, {}),
      (response: { socket: { destroy(): void } | null }) => response.socket?.destroy(),
    ]) {
      upstream.reply = reply
      const answer = await verify(url, 'x')
      expect([answer.status, answer.json()]).toEqual(MISSING)
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  test('surrounding blanks are trimmed, and a credential of 4,096 characters is sent on', async () => {
    const { url, upstream } = prepare()
    const longest = `${'~!'.repeat(2_047)} x`
    expect((await verify(url, `  ${longest}\n`)).status).toBe(200)
    expect(upstream.calls.map(({ authorization }) => authorization)).toEqual([`Bearer ${longest}`])
  })

  test('other content types, oversized bodies and other methods get the usual errors', async () => {
    const { url, upstream } = prepare()
    const refusals = [
      await post(url, 'accessToken=x', 'application/x-www-form-urlencoded'),
      await verify(url, 'x'.repeat(70_000)),
      await rawRequest(url, '/v1/social/verify'),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([415, 413, 405])
    for (const refusal of refusals)
      expect(() => ErrorBody.agents.strict().parse(refusal.json())).not.toThrow()
    expect(upstream.calls).toEqual([])
  })
})

test('the stand-in network of the embedded chains verifies demo tokens, rejects others and limits each token', async () => {
  const demo = await startDemoServer({ port: 0 })
  onTestFinished(demo.close)
  const { url } = await startTestService({ social: { apiUrl: demo.url } })
  const answer = await verify(url, 'demo-token-Harbour_Master')
  expect([answer.status, answer.json()]).toEqual([
    200,
    { success: true, username: 'Harbour_Master', token: expect.any(String) },
  ])
  for (const unknown of ['demo-token-', 'demo-token-two words', 'another-token']) {
    const refused = await verify(url, unknown)
    expect([unknown, refused.status, refused.json()]).toEqual([unknown, ...REJECTED])
  }

  const statuses: number[] = []
  for (let call = 0; call < 80; call += 1) statuses.push((await verify(url, 'demo-token-busy')).status)
  expect(statuses).toEqual([...Array(75).fill(200), ...Array(5).fill(502)])
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toContain('slipway_social_request_duration_seconds_count{outcome="ok"} 76')
  expect(text).toContain('slipway_social_request_duration_seconds_count{outcome="rate_limited"} 1')
  expect(text).toContain('slipway_social_not_asked_total{reason="backing_off"} 4')
})

test('concurrent requests with the same access token cost one call, and each gets its own verification token', async () => {
  const { url, app, upstream } = prepare()
  const held: (() => void)[] = []
  let arrived = 0
  const count = () => {
    arrived += 1
  }
  app.server.on('request', count)
  onTestFinished(() => void app.server.off('request', count))
  upstream.reply = response => held.push(() => sendUser('shared')(response, undefined as never))
  const answers = Array.from({ length: 50 }, () => verify(url, 'one-token'))
  await expect.poll(() => [arrived, held.length], { timeout: 15_000 }).toEqual([50, 1])
  // By now every body has been read too.
  await new Promise(resolve => setTimeout(resolve, 300))
  for (const send of held) send()
  const given = (await Promise.all(answers)).map(answer => answer.json() as { token: string })
  expect(new Set(given.map(({ token }) => decodeJwt(token).jti)).size).toBe(50)
  expect(upstream.calls.length).toBe(1)
})

test('a client over its write limit is refused before a request is sent', async () => {
  const upstream = await startUpstream(sendUser('harbourmaster'))
  const { url } = await startTestService({
    social: { apiUrl: upstream.url },
    config: { rateLimits: { reads: 0, writes: 2, chainReads: 0, checks: 0 } },
  })
  const statuses = [await verify(url, 'a'), await verify(url, 'b'), await verify(url, 'c')]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(statuses[2]?.json()).toEqual({ success: false, error: 'Too many requests' })
  expect(Number(statuses[2]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(upstream.calls.length).toBe(2)
})

test('every body gets one of the documented statuses, and every error has the shape of its family', async () => {
  const { url, upstream } = prepare()
  const replies = [200, 200, 401, 403, 404, 429, 500].map(status =>
    sendJson(status, { data: { username: 'fuzzed' } }),
  )
  let turn = 0
  upstream.reply = (response, request) => {
    turn += 1
    replies[turn % replies.length]?.(response, request)
  }
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('\r', '\n', ' ', 'a', ':', '\u0000', 'é') }),
  )
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ accessToken: fc.oneof(text, fc.jsonValue()) }).map(value => JSON.stringify(value)),
    fc.dictionary(fc.string(), fc.jsonValue()).map(value => JSON.stringify(value)),
  )
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain', 'x')
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(body, type, async (body, type) => {
      const answer = await post(url, body, type)
      seen.add(answer.status)
      expect([200, 400, 401, 415, 502]).toContain(answer.status)
      if (answer.status !== 200) expect(() => ErrorBody.agents.strict().parse(answer.json())).not.toThrow()
    }),
    { numRuns: 400 },
  )
  expect([...seen].sort()).toEqual([200, 400, 401, 415, 502])
})
