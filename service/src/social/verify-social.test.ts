import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../testing/raw-request.ts'
import { TEST_SOCIAL, useTestService } from '../testing/test-service.ts'
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
      '{"accessToken":["x"]}',
      '{"accessToken":""}',
      '{"accessToken":" \\n\\t\\u00a0 "}',
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
    upstream.reply = sendJson(401, { title: 'no' })
    const answer = await verify(url, 'x')
    expect([answer.status, answer.json()]).toEqual(REJECTED)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('502: the network responds without a username', async () => {
    const { url, upstream } = prepare()
    upstream.reply = sendJson(200, { data: {} })
    const answer = await verify(url, 'x')
    expect([answer.status, answer.json()]).toEqual(MISSING)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('surrounding blanks are trimmed, and a credential of 4,096 characters is sent on', async () => {
    const { url, upstream } = prepare()
    const longest = `${'~!'.repeat(2_047)} x`
    expect((await verify(url, `  ${longest}\n`)).status).toBe(200)
    expect(upstream.calls.map(({ authorization }) => authorization)).toEqual([`Bearer ${longest}`])
  })
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
