import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { type Config, parseConfig } from '../config.ts'
import { createShutdownList } from '../shutdown.ts'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { createReadiness } from '../telemetry/readiness.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort } from '../testing/run-slipway.ts'
import { openPort } from './open-port.ts'

/** A port, and a service that answers every request with its name. */
async function open(change: Partial<Config> = {}) {
  const config = {
    ...parseConfig({ PORT: await freePort(), LOG_LEVEL: 'silent', RATE_LIMIT_READS: '0' }),
    ...change,
  }
  const shutdown = createShutdownList((part, error) => {
    throw new Error(`${part} did not stop`, { cause: error })
  })
  onTestFinished(() => shutdown.run())
  const port = await openPort(config, { metrics: createMetrics(), log: createLog('silent'), shutdown })
  const app = Fastify({ forceCloseConnections: true })
  app.get('/v1/launches', async () => 'service')
  onTestFinished(() => void app.server.closeAllConnections())
  const service = { app, readiness: createReadiness([]) }
  return { ...port, config, service, shutdown, url: `http://127.0.0.1:${config.port}` }
}

test('no connection is refused or reset while the service takes over', async () => {
  const { url, service, handOver } = await open()
  const outcomes: string[] = []
  const seen = (text: string) => outcomes.includes(text)
  const clients = Array.from({ length: 4 }, async () => {
    while (!seen('200') || outcomes.length < 200)
      outcomes.push(
        await rawRequest(url, '/v1/launches').then(
          ({ status }) => `${status}`,
          error => String(error),
        ),
      )
  })
  await expect.poll(() => seen('503')).toBe(true)
  await handOver(service)
  await Promise.all(clients)
  expect(new Set(outcomes)).toEqual(new Set(['503', '200']))
  expect((await rawRequest(url, '/v1/launches')).status).toBe(200)
})

test('a connection that stays idle while the service takes over is closed', async () => {
  const { config, service, handOver } = await open()
  const socket = connect(config.port, '127.0.0.1')
  await new Promise(resolve => socket.once('connect', resolve))
  const closed = new Promise(resolve => socket.once('close', resolve))
  await handOver(service)
  socket.resume()
  await closed
})

test('HOST=localhost opens every address of that name, before and after the service takes over', async () => {
  const { config, service, handOver } = await open({ host: 'localhost' })
  const addresses = await lookup('localhost', { all: true })
  const statuses = () =>
    Promise.all(
      addresses.map(async ({ address, family }) => {
        const host = family === 6 ? `[${address}]` : address
        return (await fetch(`http://${host}:${config.port}/v1/launches`)).status
      }),
    )
  expect(await statuses()).toEqual(addresses.map(() => 503))
  await handOver(service)
  expect(await statuses()).toEqual(addresses.map(() => 200))
})

test('METRICS_PORT reports the progress of start-up and then the readiness of the service', async () => {
  const metricsPort = Number(await freePort())
  const { url, service, show, handOver } = await open({ metrics: { port: metricsPort, host: '127.0.0.1' } })
  const operations = `http://127.0.0.1:${metricsPort}`
  show('loading launches, 2000 so far')
  expect(await rawRequest(operations, '/readyz')).toMatchObject({
    status: 503,
    text: 'starting: loading launches, 2000 so far\n',
  })
  expect(await rawRequest(url, '/readyz')).toMatchObject({ status: 503, text: 'not ready\n' })
  await handOver(service)
  expect((await rawRequest(operations, '/readyz?for=reads')).status).toBe(200)
})

test('an address of another machine is refused with one line that names HOST', async () => {
  await expect(open({ host: '192.0.2.1' })).rejects.toThrow(
    'HOST 192.0.2.1 is not an address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.',
  )
})

test('while the service starts, people get a page that retries by itself, and programs get JSON', async () => {
  const { url } = await open({ site: true })
  const page = await rawRequest(url, '/agents/new', { headers: { accept: 'text/html' } })
  expect(page.status).toBe(503)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'retry-after': '2',
    'slipway-error': 'SERVICE_UNAVAILABLE',
  })
  expect(page.text).toContain('Slipway is starting')
  for (const [path, accept] of [
    ['/v1/launches', 'text/html'],
    ['/agents/new', 'application/json'],
  ] as const) {
    const answer = await rawRequest(url, path, { headers: { accept } })
    expect([answer.status, answer.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8'])
  }
  const withoutSite = await open({ site: false })
  const { headers } = await rawRequest(withoutSite.url, '/', { headers: { accept: 'text/html' } })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
})
