// @module-tag timing
// A test ends streams that are silent for a few seconds, and a busy machine can be silent for as long.
import type { ServerResponse } from 'node:http'
import { createSlipway, SlipwayError, type SlipwayEvent } from '@slipway/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSseParser } from './parse-sse.ts'
import { sendJson, startTestServer } from './testing/test-server.ts'

const ADDRESS = '11111111111111111111111111111111'
const DATA = { network: 'chain-mainnet', address: ADDRESS, at: '2026-11-16T12:00:00.000Z' }

const openStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const write = (type: string, id: number) => `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(DATA)}\n\n`

async function take(feed: AsyncIterable<SlipwayEvent>, count: number): Promise<SlipwayEvent[]> {
  const taken: SlipwayEvent[] = []
  for await (const event of feed) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

test('the feed yields typed events, and resumes after the last one when the connection is lost', async () => {
  const { url, requests } = await startTestServer((_, response, count) => {
    openStream(response)
    if (count === 1)
      response.end(`retry: 10\n\n: hello\n\n${write('launch.started', 7)}${write('agent.changed', 8)}`)
    else if (count === 2) response.end('id: 9\n\n')
    else response.write(`event: reset\nid: 20\ndata: {}\n\n${write('launch.graduated', 21)}`)
  })
  const statuses: string[] = []
  const feed = createSlipway({ url }).events(
    { types: ['launch.started', 'agent.changed'], address: ADDRESS, network: 'chain-devnet' },
    { lastEventId: '6', onStatus: status => statuses.push(status) },
  )
  expect(await take(feed, 4)).toStrictEqual([
    { type: 'launch.started', id: '7', ...DATA },
    { type: 'agent.changed', id: '8', ...DATA },
    { type: 'reset', id: '20' },
    { type: 'launch.graduated', id: '21', ...DATA },
  ])
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['6', '8', '9'])
  expect(requests[0]?.url).toBe(
    `/v1/events?network=chain-devnet&types=launch.started%2Cagent.changed&address=${ADDRESS}`,
  )
  expect(statuses).toEqual(['open', 'reconnecting', 'open', 'reconnecting', 'open'])
})

test('the feed reconnects when nothing arrives, but not while its consumer is slow', async () => {
  const { url, requests } = await startTestServer((_, response, count) => {
    openStream(response).write(
      `retry: 10\n\n${count === 1 ? '' : write('agent.changed', 1) + write('agent.changed', 2)}`,
    )
  })
  const reasons: unknown[] = []
  const feed = createSlipway({ url }).events(
    {},
    { silenceMs: 1_000, onStatus: (_, error) => error && reasons.push(error) },
  )
  expect((await feed.next()).value).toMatchObject({ id: '1' })
  expect(requests).toHaveLength(2)
  expect(reasons).toEqual([expect.any(SlipwayError)])
  expect(reasons).toMatchObject([{ code: 'TIMEOUT', message: `Nothing arrived from ${url} for 1000 ms` }])
  await new Promise(resolve => setTimeout(resolve, 1_200))
  expect((await feed.next()).value).toMatchObject({ id: '2' })
  expect(requests).toHaveLength(2)
  await feed.return()
})

test('the feed waits while the service is down, and throws if the service refuses the request', async () => {
  const { url, requests } = await startTestServer((_, response, count) => {
    if (count === 1) response.writeHead(502).end('<html>')
    else {
      const body = { error: { message: '✖ Invalid network' } }
      sendJson(response, 400, body, { 'slipway-error': 'INVALID_NETWORK' })
    }
  })
  const error = await take(createSlipway({ url }).events(), 1).catch(reason => reason)
  expect(error).toBeInstanceOf(SlipwayError)
  expect(error).toMatchObject({ status: 400, code: 'INVALID_NETWORK' })
  expect(requests).toHaveLength(2)
})

test('the feed comes back within a second, and says with a SlipwayError why it was away', async () => {
  const { url, requests } = await startTestServer((_, response, count) => {
    openStream(response).write(`retry: 60000\n\n${write('agent.changed', count)}`)
    if (count === 1) response.end()
    if (count === 2) setTimeout(() => response.destroy(), 10)
  })
  const reasons: (SlipwayError | undefined)[] = []
  const feed = createSlipway({ url }).events(
    {},
    { onStatus: (status, error) => status === 'reconnecting' && reasons.push(error) },
  )
  const startMs = performance.now()
  expect(await take(feed, 3)).toHaveLength(3)
  // The server asks for a minute. A busy machine may need longer than a second, twice.
  expect(performance.now() - startMs).toBeLessThan(40_000)
  expect(requests).toHaveLength(3)
  expect(reasons).toEqual([expect.any(SlipwayError), expect.any(SlipwayError)])
  expect(reasons).toMatchObject([
    { code: 'NETWORK_ERROR', status: 0, message: `${url} ended the stream` },
    { code: 'NETWORK_ERROR', status: 0, message: expect.stringContaining(`Lost the connection to ${url}: `) },
  ])
})

test('a signal ends the feed without an error, and closes its connection', async () => {
  let isClosed = false
  const { url } = await startTestServer((_, response) => {
    openStream(response).write(write('agent.changed', 1))
    response.on('close', () => {
      isClosed = true
    })
  })
  const controller = new AbortController()
  const events: SlipwayEvent[] = []
  for await (const event of createSlipway({ url }).events({}, { signal: controller.signal })) {
    events.push(event)
    setTimeout(() => controller.abort(), 50)
  }
  expect(events).toHaveLength(1)
  await expect.poll(() => isClosed, { timeout: 30_000 }).toBe(true)
})

test('events are parsed the same however the bytes are cut', () => {
  const text = `\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\nevent: x\rdata: é€😀\r\r: comment\ndata\n\nid: 2\n\nid: a\0b\ndata: c\n\n`
  const whole = createSseParser({}).push(text)
  expect(whole).toEqual([
    { event: 'message', data: 'a\nb', id: '1' },
    { event: 'x', data: 'é€😀', id: '1' },
    { event: 'message', data: '', id: '1' },
    { event: 'message', data: 'c', id: '2' },
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), cuts => {
      const parser = createSseParser({})
      const places = [0, ...cuts.sort((a, b) => a - b), text.length]
      const parts = places.slice(1).map((end, at) => text.slice(places[at], end))
      expect(parts.flatMap(part => parser.push(part))).toEqual(whole)
    }),
  )
})

test('a line without an end does not fill the memory', () => {
  const parser = createSseParser({})
  expect(() => {
    for (let count = 0; count < 20; count += 1) parser.push('x'.repeat(100_000))
  }).toThrow('too long')
})
