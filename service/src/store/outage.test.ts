import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startTestService } from '../testing/test-service.ts'
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { insertLaunches } from './launches.ts'
import { migrate } from './migrate.ts'

test('a database that dies and comes back: listings go on from memory, nothing acknowledged is lost, all recovers', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-outage-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  onTestFinished(server.stop)
  await migrate(server.connection)
  const service = await startTestService({ connection: server.connection, launches: [launchRows('before')] })
  const names = async () => {
    const answer = await rawRequest(service.url, '/v1/launches')
    expect(answer.status).toBe(200)
    return (answer.json() as { data: { baseToken: { name: string } }[] }).data.map(
      ({ baseToken }) => baseToken.name,
    )
  }

  // Acknowledged, and killed the moment after.
  await insertLaunches(service.database, [launchRows('acknowledged')])
  const postmaster = Number((await readFile(join(dataDir, 'db/postmaster.pid'), 'utf8')).split('\n', 1)[0])
  process.kill(postmaster, 'SIGKILL')

  expect(await names()).toContain('before')
  const start = performance.now()
  await insertLaunches(service.database, [launchRows('too early')]).catch(() => {})
  expect(performance.now() - start).toBeLessThan(4_000)

  await expect.poll(names, { timeout: 15_000 }).toContain('acknowledged')
  await expect
    .poll(
      () =>
        insertLaunches(service.database, [launchRows('after')]).then(
          () => true,
          () => false,
        ),
      { timeout: 15_000 },
    )
    .toBe(true)
  await expect
    .poll(names, { timeout: 10_000 })
    .toEqual(expect.arrayContaining(['before', 'acknowledged', 'after']))
  expect((await rawRequest(service.url, '/readyz')).status).toBe(200)
}, 40_000)
