import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { copyEmbeddedDatabase } from '../testing/test-database.ts'
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
