import { EVENT_TYPES } from '@slipway/schema/event'
import { expect, test } from 'vitest'
import { readNewestEvents } from '../store/events.ts'
import { insertLaunches, setHidden } from '../store/launches.ts'
import { followEvents, NUMBER_EVENTS } from '../testing/event-client.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { createTestConnection, createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'

const NETWORK = 'chain-mainnet'
/** Nothing listens at this URL. */
const RPC = { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } }
/** For tests that don't depend on the events of others. */
const shared = useTestService(() => ({ config: RPC }))
const start = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({ ...options, config: { ...RPC, ...options.config } })

type Service = Awaited<ReturnType<typeof start>>

const register = ({ database }: Service, ...names: string[]) =>
  insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )

test('a stream sends events as they happen, and the listings show the change by then', async () => {
  const service = await start()
  const { url } = service
  const seen: Promise<number>[] = []
  const client = await followEvents(url, {
    onEvent: ({ data }) =>
      seen.push(rawRequest(url, `/v1/launches/${data.address}`).then(({ status }) => status)),
  })
  expect(client).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      connection: 'close',
    },
  })
  await register(service, 'one')
  await expect.poll(() => client.events.length).toBe(2)
  const address = addressOf('launch one')
  const [first, second] = client.events.map(({ id }) => id)
  expect(Number(second)).toBeGreaterThan(Number(first))
  const launch = { name: 'one', symbol: 'ONE', image: '', website: '', socials: {} }
  const data = { network: NETWORK, address, at: expect.any(String), launch }
  expect(client.events).toEqual([
    { id: first, type: 'launch.registered', data },
    { id: second, type: 'launch.started', data },
  ])
  expect(await Promise.all(seen)).toEqual([200, 200])
  expect(client.text()).toMatch(/^retry: \d+\nid: 0\n\nid: \d+\nevent: launch.registered\ndata: \{/)
})

test('filters combine, and a stream whose filter never matches still resumes at the newest event', async () => {
  const service = await start()
  const { url } = service
  const address = addressOf('launch two')
  const follow = (query: string) => followEvents(url, { query })
  const clients = await Promise.all([
    follow('?types=launch.registered,launch.hidden'),
    follow(`?address=${address}&network=solana-mainnet`),
    follow(`?address=${address}&types=launch.started`),
    follow('?types=agent.changed'),
  ])
  await register(service, 'one', 'two')
  await setHidden(service.database, NETWORK, address, true)
  const last = await follow('')
  expect(last.lastEventId()).toBe('')
  const all = (await readNewestEvents(service.database, 10)).map(({ id }) => `${id}`)
  const places = () => clients.map(({ events }) => events.map(({ id }) => all.indexOf(id) + 1))
  await expect.poll(places).toEqual([[1, 2, 5], [2, 4, 5], [4], []])
})

test('input is validated, and each error has the shape of launches', async () => {
  const { url } = shared()
  const get = async (path: string, method = 'GET') => {
    const { status, text } = await rawRequest(url, path, { method })
    return [status, text]
  }
  const error = (message: string) => JSON.stringify({ error: { message } })
  for (const types of [
    'launch',
    'launch.moved,',
    'launch.moved%20',
    'reset',
    'launch.moved&types=launch.moved',
  ])
    expect(await get(`/v1/events?types=${types}`)).toEqual([400, error('✖ Invalid types')])
  expect(await get('/v1/events?network=other')).toEqual([400, error('✖ Invalid network')])
  expect(await get('/v1/events?address=x')).toEqual([400, error('✖ Invalid address')])
  expect(await get('/v1/events?network=chain-devnet')).toEqual([
    400,
    error('✖ Network does not match this server'),
  ])
  expect(await get('/v1/events', 'POST')).toEqual([405, error('Method not allowed')])
  const head = await rawRequest(url, `/v1/events?types=${EVENT_TYPES}`, { method: 'HEAD' })
  expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/event-stream'])
})

test('a client resumes after any kept id, from memory or from the store, and gets a reset otherwise', async () => {
  const { connection, database } = await createTestDatabase()
  const names = Array.from({ length: 20 }, (_, at) => `${at}`)
  await insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )
  await runSql(connection, NUMBER_EVENTS)
  await runSql(connection, `UPDATE events SET written_at = now() - interval '3 hours' WHERE id <= 10`)
  await runSql(connection, 'DELETE FROM events WHERE id < 10')
  const service = await start({ connection })
  const resume = async (lastEventId: string) => {
    const client = await followEvents(service.url, { lastEventId })
    await expect.poll(() => client.text()).toMatch(/id: 40\n/)
    client.close()
    return client.events.map(({ id, type }) => (type === 'reset' ? `reset ${id}` : Number(id)))
  }
  expect(await resume('37')).toEqual([38, 39, 40])
  expect(await resume('40')).toEqual([])
  expect(await resume('10')).toEqual(Array.from({ length: 30 }, (_, at) => at + 11))
  for (const id of ['9', '0', '41', '999999999999999', '-1', '1.5', 'x', '1, 2'])
    expect(await resume(id)).toEqual(['reset 40'])
  await runSql(connection, 'UPDATE events SET id = id + 1000 WHERE id = 40')
  const ahead = await followEvents(service.url, { lastEventId: '1040' })
  expect(ahead.events).toEqual([])
})

test('after a restore, a client that has seen later events gets a reset, on every node and however many events come first', async () => {
  const { connection } = await createTestDatabase()
  const before = await start({ connection })
  await register(before, 'kept')
  await before.stop()
  const backup = await createTestConnection(undefined, connection.database)
  const lost = await start({ connection })
  const client = await followEvents(lost.url)
  await register(lost, 'lost')
  await expect.poll(() => client.events.length).toBe(2)
  await lost.stop()

  const nodes = [await start({ connection: backup }), await start({ connection: backup })]
  // As many as were lost: their ids must not be reused.
  await register(nodes[0] as Service, 'new', 'other', 'third')
  for (const { url } of nodes) {
    const resumed = await followEvents(url, { lastEventId: client.lastEventId() })
    await expect.poll(() => resumed.events.map(({ type }) => type)).toEqual(['reset'])
    const again = await followEvents(url, { lastEventId: resumed.lastEventId() })
    await expect.poll(() => again.text()).toContain('retry:')
    expect(again.events).toEqual([])
  }
})

test('a node that sees its database restored resets its streams, even if a new event reaches it first', async () => {
  const service = await start()
  const client = await followEvents(service.url)
  await register(service, 'kept', 'lost')
  await expect.poll(() => client.events.length).toBe(4)
  // In one transaction, as a node that was disconnected in the meantime would see it.
  await runSql(
    service.connection,
    `BEGIN; DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id DESC LIMIT 2);
     SELECT setval('events_id_seq', max(id)) FROM events; UPDATE launches SET hidden = true; COMMIT`,
  )
  await expect.poll(() => client.events.slice(4).map(({ type }) => type)).toEqual(['reset'])
  await register(service, 'new')
  await expect.poll(() => client.events.length).toBe(7)
})

test('limits per client and in total hold, and places are given back', async () => {
  const service = await start({ config: { eventStreamsMax: 25 } })
  const follow = (localAddress: string) => followEvents(service.url, { localAddress })
  const open = await Promise.all(Array.from({ length: 20 }, () => follow('127.0.0.2')))
  expect(open.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const refused = await follow('127.0.0.2')
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
  await refused.ended
  expect(JSON.parse(refused.text())).toEqual({ error: { message: 'Too many requests' } })
  open.push(...(await Promise.all(Array.from({ length: 5 }, () => follow('127.0.0.3')))))
  expect(await follow('127.0.0.4')).toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
  open[0]?.close()
  await expect.poll(async () => (await follow('127.0.0.2')).status).toBe(200)
  expect(await service.metrics.registry.metrics()).toContain('slipway_event_streams 25\n')
})

test('an event reaches hundreds of streams from many addresses', async () => {
  const service = shared()
  const clients = await Promise.all(
    Array.from({ length: 300 }, (_, at) =>
      followEvents(service.url, { localAddress: `127.0.1.${1 + Math.floor(at / 20)}` }),
    ),
  )
  await register(service, 'one')
  await expect
    .poll(() => clients.every(({ events }) => events.length === 2), { interval: 10, timeout: 30_000 })
    .toBe(true)
  for (const client of clients) client.close()
})

test('a draining node ends its streams at once, and new ones after their first line', async () => {
  const service = await start()
  const clients = await Promise.all(Array.from({ length: 10 }, () => followEvents(service.url)))
  service.drain()
  // These streams would not end by themselves.
  await Promise.all(clients.map(({ ended }) => ended))
  const late = await followEvents(service.url, { lastEventId: '5' })
  await late.ended
  expect(late).toMatchObject({ status: 200, events: [] })
  expect(late.text()).toMatch(/^retry: \d+\n\n$/)
  await service.stop()
})

test('a request after a stream on the same connection is not read', async () => {
  const { url } = shared()
  const { port } = new URL(url)
  const { connect } = await import('node:net')
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  socket.write('GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => received).toContain('retry:')
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
  socket.destroy()
})
