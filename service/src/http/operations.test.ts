import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../endpoint/endpoint.ts'
import { DeadlineExceeded } from '../lib/deadline.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

/** A clock that moves only when a test moves it. */
function stopClock() {
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  return {
    advance(ms: number) {
      nowMs += ms
    },
  }
}

const asAgents = (error: string) => ({ success: false, error })
const asLaunches = (message: string) => ({ error: { message } })

test('any number of calls to /readyz within a second check each part once', async () => {
  stopClock()
  let checks = 0
  const check = async () => {
    checks += 1
    await sleep(20)
    return 'answered'
  }
  const { url } = await startProbeServer({ readiness: [{ name: 'store', check }] })
  const answers = await Promise.all(Array.from({ length: 50 }, () => rawRequest(url, '/readyz')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await rawRequest(url, '/readyz')).text).toBe('store: ok, answered\n')
  expect(checks).toBe(1)
})

test('any number of calls to /metrics within a second return the same text', async () => {
  const clock = stopClock()
  const { url } = await startProbeServer()
  const { text: first } = await rawRequest(url, '/metrics')
  await rawRequest(url, '/v1/launches')
  expect((await rawRequest(url, '/metrics')).text).toBe(first)
  clock.advance(1_001)
  expect((await rawRequest(url, '/metrics')).text).toContain('route="/v1/launches"')
})

test('/readyz?for=reads does not check any part, and no other value is accepted', async () => {
  const check = async () => {
    throw new Error('the database is away')
  }
  const { url } = await startProbeServer({
    readiness: [{ name: 'store', check }],
    limits: { reads: 1, writes: 1 },
  })
  expect((await rawRequest(url, '/readyz')).status).toBe(503)
  for (let call = 0; call < 3; call += 1)
    expect(await rawRequest(url, '/readyz?for=reads')).toMatchObject({
      status: 200,
      text: 'reads: ok, served from memory\n',
    })
  const wrong = await rawRequest(url, '/readyz?for=writes')
  expect([wrong.status, wrong.text]).toEqual([400, 'for must be "reads" or absent\n'])
})

test('with a listener of their own, metrics are not public and /readyz shows no details', async () => {
  const clock = stopClock()
  let isUp = true
  const check = async () => {
    if (!isUp) throw new Error('down')
    return 'answered'
  }
  const { url } = await startProbeServer({ hidesDetails: true, readiness: [{ name: 'store', check }] })
  expect((await rawRequest(url, '/metrics')).status).toBe(404)
  expect((await rawRequest(url, '/openapi.json')).json()).not.toHaveProperty(['paths', '/metrics'])
  expect(await rawRequest(url, '/readyz')).toMatchObject({ status: 200, text: 'ready\n' })
  isUp = false
  clock.advance(1_001)
  expect(await rawRequest(url, '/readyz')).toMatchObject({ status: 503, text: 'not ready\n' })
})

test('every method of the API has a label in the metrics, and unknown methods share one', async () => {
  const { url } = await startProbeServer()
  for (const method of ['PUT', 'DELETE', 'PROPFIND', 'PURGE'])
    await rawRequest(url, '/v1/launches', { method })
  const { text } = await rawRequest(url, '/metrics')
  const count = (method: string) =>
    `slipway_http_request_duration_seconds_count{method="${method}",route="none",status="405"}`
  for (const line of [`${count('PUT')} 1`, `${count('DELETE')} 1`, `${count('other')} 2`])
    expect(text).toContain(line)
  expect(text).not.toMatch(/PROPFIND|PURGE/)
})

test('while the service starts, the API is refused with 503 in the format of each family', async () => {
  const { url } = await startProbeServer({ isStarting: true, draining: AbortSignal.abort() })
  expect((await rawRequest(url, '/healthz')).status).toBe(200)
  const shapes: [string, string, object][] = [
    ['GET', '/v1/anything', asLaunches('Service unavailable')],
    ['POST', '/v1/agents/x', asAgents('Service unavailable')],
    ['POST', '/v1/launches/register', asAgents('Service unavailable')],
    ['GET', '/nowhere', asLaunches('Service unavailable')],
    ['GET', '/docs', asLaunches('Service unavailable')],
  ]
  for (const [method, path, body] of shapes) {
    const answer = await rawRequest(url, path, { method })
    expect([path, answer.status, answer.json()]).toEqual([path, 503, body])
    expect(answer.headers).toMatchObject({
      'retry-after': '5',
      connection: 'close',
      'slipway-error': 'SERVICE_UNAVAILABLE',
    })
  }
})

test('while the service drains, it answers everything on connections that it closes', async () => {
  const draining = new AbortController()
  const { url } = await startProbeServer({
    draining: draining.signal,
    readiness: [{ name: 'store', check: async () => 'answered' }],
  })
  const paths = ['/v1/launches', '/openapi.json', '/healthz']
  const keepAlive = { headers: { connection: 'keep-alive' } }
  for (const path of paths)
    expect((await rawRequest(url, path, keepAlive)).headers.connection).not.toBe('close')
  expect((await rawRequest(url, '/readyz')).status).toBe(200)
  draining.abort()
  for (const path of paths)
    expect(await rawRequest(url, path, keepAlive)).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
    })
  for (const path of ['/readyz', '/readyz?for=reads'])
    expect(await rawRequest(url, path)).toMatchObject({
      status: 503,
      text: 'stopping: open requests are being answered\n',
    })
})

/** An endpoint at `/v1/social/…` that never succeeds. */
const failing = (name: string, fail: () => never, unexpected?: ErrorCode) =>
  defineEndpoint({
    method: 'GET',
    path: `/v1/social/${name}`,
    id: name,
    tag: 'Operations',
    summary: 'Probe',
    description: 'Fails.',
    faults: {},
    success: { description: 'Never.', schema: z.object({}), example: {} },
    errors: [],
    ...(unexpected && { unexpected }),
    answer: async () => fail(),
  })

test('a refusal that was decided on is no error in the log, whatever its status, and an outage is', async () => {
  const refuse = (code: ErrorCode) => () => {
    throw new ServiceError(code)
  }
  const { url, logged } = await startProbeServer({
    endpoints: [
      failing('absent', refuse('NOT_IMPLEMENTED')),
      failing('full', refuse('SERVICE_UNAVAILABLE')),
      failing('unbuilt', refuse('SERVICE_UNAVAILABLE'), 'PREPARE_FAILED'),
      failing('outage', () => {
        throw new DeadlineExceeded()
      }),
    ],
  })
  const statuses = [
    ['absent', 501],
    ['full', 503],
    ['unbuilt', 500],
    ['outage', 503],
  ] as const
  for (const [name, status] of statuses)
    expect((await rawRequest(url, `/v1/social/${name}`)).status).toBe(status)
  await expect.poll(() => logged.filter(({ message }) => message === 'request').length).toBe(4)
  expect(logged.filter(({ level }) => level !== 'info')).toMatchObject([
    { level: 'error', message: 'request failed', fields: { err: expect.any(DeadlineExceeded) } },
  ])
})

test('failed requests are one line per second and cause, and a fault of the caller is only a warning', async () => {
  const broken = failing('broken', () => {
    throw new ServiceError('SOCIAL_USERNAME_MISSING', { cause: new Error('the social network sent none') })
  })
  const { url, logged } = await startProbeServer({ endpoints: [broken] })
  const explode = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"word":"explode"}',
  }
  const failures = () =>
    logged.flatMap(({ level, fields, message }) =>
      message === 'request failed' ? [{ level, ...fields }] : [],
    )
  for (let call = 0; call < 20; call += 1) {
    expect((await rawRequest(url, '/v1/social/broken')).status).toBe(502)
    await rawRequest(url, `/v1/creator-rewards/${addressOf('wallet')}/probe`, explode)
  }
  await expect.poll(() => failures().length, { timeout: 15_000 }).toBeGreaterThanOrEqual(4)
  expect(failures().length).toBeLessThan(40)
  for (const [code, level] of [
    ['SOCIAL_USERNAME_MISSING', 'warn'],
    ['INTERNAL', 'error'],
  ]) {
    const lines = failures().filter(failure => 'code' in failure && failure.code === code)
    expect(lines[0]).toMatchObject({ level, requestId: expect.any(String) })
    const counted = lines.map(line => 1 + ('leftOut' in line ? Number(line.leftOut) : 0))
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(20)
  }
})
