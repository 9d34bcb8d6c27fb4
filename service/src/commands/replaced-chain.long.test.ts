import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { NETWORKS } from '@slipway/schema/network'
import { expect, onTestFinished, test } from 'vitest'
import { recordGenesisHash } from '../store/clusters.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { runCommand } from '../testing/run-command.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { copyEmbeddedDatabase } from '../testing/test-database.ts'

test('a new embedded chain with an old store stops start-up with the commands to start over', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir) }
  copyEmbeddedDatabase(dataDir)
  await withEmbedded(dataDir, async database => {
    for (const each of NETWORKS) await recordGenesisHash(database, each, addressOf(`old ${each}`))
  })
  const { stdout, code } = await runSlipway(['serve'], env).finished
  expect(code).toBe(1)
  const { msg } = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as { msg: string }
  expect(msg).toContain(
    `The embedded chains in ${dataDir}/chain are new, but the database still describes the previous ones.`,
  )
  // The commands name the data folder, because it is not the default one.
  const commands = [
    ...msg.matchAll(/DATA_DIR=\S+ npx slipway (cluster accept \w+ \w+ --network [\w-]+ --embedded)/g),
  ]
  expect(commands).toHaveLength(2)
  for (const [, command] of commands)
    expect((await runCommand((command as string).split(' '), env)).code).toBe(0)
  const service = runSlipway(['serve'], env)
  expect((await service.serving()).launches['chain-mainnet']).toBeGreaterThan(9)
  service.child.kill('SIGTERM')
  expect((await service.finished).code).toBe(0)
})

/** Opens the embedded store, as a service that ran earlier did. */
async function withEmbedded(dataDir: string, work: (database: Database) => Promise<void>) {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log })
  const database = openDatabase(server.connection, { onQuery: () => {}, onConnectionLost: () => {} })
  await work(database)
  await database.close()
  await server.stop()
}
