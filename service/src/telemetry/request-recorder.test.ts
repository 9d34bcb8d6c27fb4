import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { createRequestRecorder } from './request-recorder.ts'

const finished = fc.record({
  id: fc.constantFrom('a-1', 'a-2'),
  method: fc.constantFrom('GET', 'POST'),
  url: fc.oneof(
    fc.constantFrom('/v1/launches', '/v1/tokens/x'),
    fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.replaceAll('?', '')),
  ),
  route: fc.constantFrom('/v1/launches', 'none'),
  status: fc.constantFrom(200, 304, 404),
  ms: fc.double({ min: 0, max: 60_000, noNaN: true }),
  client: fc.constantFrom('127.0.0.1', '::1'),
  isAborted: fc.boolean(),
})

test('each request has one line of JSON in the complete log, whatever its path', () => {
  fc.assert(
    fc.property(fc.array(finished), requests => {
      let written = ''
      const writeLines = (lines: string) => {
        written += lines
      }
      const recorder = createRequestRecorder(createMetrics().requests, { writeLines, logsEveryRead: true })
      for (const request of requests) recorder.add(request)
      recorder.flush()
      const lines = written.split('\n').slice(0, -1)
      expect(lines.map(line => JSON.parse(line))).toEqual(
        requests.map(({ id, method, url, status, ms, client, isAborted }) => ({
          level: 'info',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          requestId: id,
          method,
          path: url,
          status,
          us: Math.round(ms * 1_000),
          client,
          ...(isAborted && { aborted: true }),
          msg: 'request',
        })),
      )
    }),
    { numRuns: 30 },
  )
})

test('requests are recorded at the end of the turn, without their query and with at most 200 characters of the path', async () => {
  const metrics = createMetrics()
  const lines: string[] = []
  const recorder = createRequestRecorder(metrics.requests, {
    writeLines: line => lines.push(line),
    logsEveryRead: true,
  })
  const known = { id: 'a', method: 'GET', client: '::1', route: '/x', status: 200, ms: 3, isAborted: false }
  recorder.add({ ...known, url: '/x?token=secret' })
  recorder.add({ ...known, url: `/${'x'.repeat(300)}` })
  expect(lines).toEqual([])
  await new Promise(setImmediate)
  const paths = lines
    .join('')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).path)
  expect(paths).toEqual(['/x', `/${'x'.repeat(199)}`])
  expect(await metrics.registry.metrics()).toContain(
    'slipway_http_request_duration_seconds_bucket{le="0.005",method="GET",route="/x",status="200"} 2',
  )
})

test('refusals are one line per second with the number of those left out, and all of them are counted', async () => {
  const metrics = createMetrics()
  let written = ''
  const writeLines = (lines: string) => {
    written += lines
  }
  const recorder = createRequestRecorder(metrics.requests, { writeLines })
  const known = { id: 'a', url: '/x', client: '::1', route: '/x', ms: 3, isAborted: false }
  for (let at = 0; at < 100; at += 1) recorder.add({ ...known, method: 'GET', status: 429 })
  recorder.add({ ...known, method: 'GET', status: 200 })
  recorder.add({ ...known, method: 'BREW', status: 418 })
  recorder.flush()
  const lines = () =>
    written
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { status: number; leftOut?: number })
  expect(
    lines()
      .map(({ status }) => status)
      .sort(),
  ).toEqual([200, 418, 429])
  await expect.poll(() => lines().length, { timeout: 5_000 }).toBe(4)
  expect(lines().at(-1)).toMatchObject({ status: 429, leftOut: 98 })
  const text = await metrics.registry.metrics()
  expect(text).toContain('duration_seconds_count{method="GET",route="/x",status="429"} 100')
  expect(text).toContain('duration_seconds_count{method="other",route="/x",status="other"} 1')
})

test('without an access log, requests are still counted', async () => {
  const metrics = createMetrics()
  const recorder = createRequestRecorder(metrics.requests, {})
  recorder.add({
    id: 'a',
    method: 'GET',
    url: '/x',
    client: '::1',
    route: '/x',
    status: 200,
    ms: 3,
    isAborted: false,
  })
  recorder.flush()
  expect(await metrics.registry.metrics()).toContain(
    'slipway_http_request_duration_seconds_count{method="GET",route="/x",status="200"} 1',
  )
})

test('the log has one line per second and route for quick, successful reads, and a line for every other request', async () => {
  let written = ''
  const writeLines = (lines: string) => {
    written += lines
  }
  const metrics = createMetrics()
  const recorder = createRequestRecorder(metrics.requests, { writeLines })
  const read = {
    id: 'a',
    method: 'GET',
    url: '/x',
    client: '::1',
    route: '/x',
    status: 200,
    ms: 3,
    isAborted: false,
  }
  const kept = [
    { ...read, status: 404 },
    { ...read, status: 500 },
    { ...read, ms: 500 },
    { ...read, isAborted: true },
    { ...read, method: 'POST' },
    { ...read, method: 'DELETE' },
  ]
  const others = [read, { ...read, status: 304 }, { ...read, method: 'HEAD' }, { ...read, method: 'OPTIONS' }]
  for (const request of [...others, { ...read, url: '/y', route: '/y' }, ...kept, ...kept])
    recorder.add(request)
  recorder.flush()
  const lines = () =>
    written
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  expect(lines()).toHaveLength(2 + 2 * kept.length)
  expect(lines().filter(({ path }) => path === '/y')).toHaveLength(1)
  await expect.poll(() => lines().length, { timeout: 5_000 }).toBe(3 + 2 * kept.length)
  expect(lines().at(-1)).toMatchObject({ method: 'OPTIONS', leftOut: 2 })
})
