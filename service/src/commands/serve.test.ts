import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { insertLaunches } from '../store/launches.ts'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'
import { copyEmbeddedDatabase, createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

const SOCIAL_TOKEN_SECRET = 'a secret that only the tests know'

async function makeEnv() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-serve-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const env = { DATA_DIR: dataDir, PORT: port, LOCAL_CHAIN_PORT: await freeChainPort() }
  return { url: `http://127.0.0.1:${port}`, env }
}

test('a signal during start-up stops everything', async () => {
  const { url, env } = await makeEnv()
  copyEmbeddedDatabase(env.DATA_DIR)
  const service = runSlipway(['serve'], env)
  const readiness = () =>
    rawRequest(url, '/readyz').then(
      ({ text }) => text,
      () => '',
    )
  await expect.poll(readiness, { timeout: 100_000, interval: 20 }).toContain('opening the database')
  service.child.kill('SIGTERM')
  const { code, stderr } = await service.finished
  expect([code, stderr]).toEqual([0, ''])
  expect(existsSync(join(env.DATA_DIR, 'db/postmaster.pid'))).toBe(false)
})

describe('the embedded chains', () => {
  test('do not start, and there is no demo, when an RPC is set', async () => {
    const { url, env } = await makeEnv()
    copyEmbeddedDatabase(env.DATA_DIR)
    const service = runSlipway(['serve'], {
      ...env,
      RPC_URL_DEVNET: 'https://rpc.example',
      SOCIAL_TOKEN_SECRET,
    })
    const report = await service.serving()
    expect(report).not.toHaveProperty('commands')
    expect(JSON.stringify(report)).not.toContain(env.LOCAL_CHAIN_PORT)
    expect((await rawRequest(url, '/v1/launches')).json()).toEqual({ data: [] })
    expect(readdirSync(env.DATA_DIR)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/chain|demo/)]),
    )
    // Without workers, there is nothing that it could replace.
    service.child.kill('SIGHUP')
    expect((await service.finished).code).toBe(0)
  })

  test('run with a configured database if LOCAL_CHAIN is on, and add nothing to launches that it already has', async () => {
    const { url, env } = await makeEnv()
    const { connection, database } = await createTestDatabase()
    const old = launchRows('old')
    await insertLaunches(database, [old])
    const service = runSlipway(['serve'], {
      ...env,
      DATABASE_URL: toDatabaseUrl(connection),
      LOCAL_CHAIN: 'on',
      LOCAL_CHAIN_PORT: await copyDemoWorld(env.DATA_DIR),
    })
    await service.serving()
    const { data } = (await rawRequest(url, '/v1/launches')).json() as {
      data: { launch: { genesisAddress: string } }[]
    }
    expect(data.map(({ launch }) => launch.genesisAddress)).toEqual([old.launch.genesisAddress])
    service.child.kill('SIGTERM')
    const { code, stdout } = await service.finished
    expect(code).toBe(0)
    expect(stdout).toContain('launches from outside the embedded chains')
  })
})
