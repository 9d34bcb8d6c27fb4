import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { copyEmbeddedDatabase, createTestDatabase } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { insertLaunches } from './launches.ts'

test('while the database is down, listings are served from memory, and afterwards everything recovers without a lost write', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-outage-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  copyEmbeddedDatabase(dataDir)
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  onTestFinished(server.stop)
  const service = await startTestService({ connection: server.connection, launches: [launchRows('before')] })
  const names = async () => {
    const answer = await rawRequest(service.url, '/v1/launches')
    expect(answer.status).toBe(200)
    return (answer.json() as { data: { baseToken: { name: string } }[] }).data.map(
      ({ baseToken }) => baseToken.name,
    )
  }

  // Killed right after the write was acknowledged.
  await insertLaunches(service.database, [launchRows('acknowledged')])
  const postmaster = Number((await readFile(join(dataDir, 'db/postmaster.pid'), 'utf8')).split('\n', 1)[0])
  process.kill(postmaster, 'SIGKILL')

  expect(await names()).toContain('before')
  // It may fail or succeed, but must not wait forever.
  await insertLaunches(service.database, [launchRows('too early')]).catch(() => {})

  await expect.poll(names, { timeout: 30_000 }).toContain('acknowledged')
  await expect
    .poll(
      () =>
        insertLaunches(service.database, [launchRows('after')]).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)
  await expect
    .poll(names, { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['before', 'acknowledged', 'after']))
  expect((await rawRequest(service.url, '/readyz')).status).toBe(200)
})

test('if the database stops answering, requests that need it fail after their time limit, and listings are served from memory', async () => {
  const { connection } = await createTestDatabase()
  const proxy = await startPostgresProxy(connection)
  const { url, database } = await startTestService({
    connection: proxy.connection,
    launches: [launchRows('before')],
    config: { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } },
    limits: { requestMs: 1_000, connectMs: 5_000, statementMs: 1_000 },
  })
  proxy.isFrozen = true
  const agent = rawRequest(url, `/v1/agents/${addressOf('unknown')}`)
  expect((await rawRequest(url, '/readyz?for=reads')).status).toBe(200)
  const insertion = insertLaunches(database, [launchRows('lost')])
  expect((await rawRequest(url, '/v1/launches')).status).toBe(200)
  // Without the limits, these would wait forever.
  const lost = expect(insertion).rejects.toThrow()
  expect(await agent).toMatchObject({ status: 500 })
  expect((await agent).json()).toEqual({ success: false, error: 'Failed to fetch agent' })
  await lost

  proxy.isFrozen = false
  const insertAgain = () =>
    insertLaunches(database, [launchRows('after')]).then(
      () => true,
      () => false,
    )
  await expect.poll(insertAgain, { timeout: 30_000 }).toBe(true)
  const listing = async () => (await rawRequest(url, '/v1/launches')).text
  await expect.poll(listing, { timeout: 30_000 }).toContain('after')
  expect(await listing()).not.toContain('lost')
  // Ends the queries that were lost while it was frozen.
  proxy.stop()
})
