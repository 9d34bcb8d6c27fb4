import { expect, test } from 'vitest'
import { startTestIndexer } from '../indexer/testing/indexer.ts'
import { findGenesisHash, recordGenesisHash } from '../store/clusters.ts'
import { useDemo } from '../testing/demo.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { runCommand } from '../testing/run-command.ts'
import { createTestDatabase, runSql, toDatabaseUrl } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const other = addressOf('another cluster')

async function prepare() {
  const { connection, database } = await createTestDatabase()
  const env = { DATABASE_URL: toDatabaseUrl(connection), RPC_URL_MAINNET: demo.chainOf().local.rpcUrl }
  const slipway = (...args: string[]) => runCommand(args, env)
  const count = async (table: string) =>
    (await runSql(connection, `SELECT count(*)::int AS count FROM ${table}`)).rows[0].count
  return { connection, database, slipway, count }
}

test('a network belongs to the first cluster that the store sees, until a command names both', async () => {
  const { database, slipway, count } = await prepare()
  const ours = demo.chainOf().local.chain.genesisHash()
  expect((await slipway('cluster', 'show')).stdout).toContain('chain-mainnet  no cluster yet')
  await slipway('index-chain')
  expect(await findGenesisHash(database, network)).toBe(ours)
  expect((await slipway('cluster', 'show')).stdout).toContain(`chain-mainnet  ${ours}`)
  const buckets = await count('buckets')
  expect(buckets).toBeGreaterThan(0)

  const wrong = await slipway('cluster', 'accept', addressOf('not the one'), other)
  expect(wrong.stderr).toContain(
    `\nslipway: chain-mainnet belongs to the cluster ${ours}, not ${addressOf('not the one')}. Nothing was changed. Give that hash as the old one.\n`,
  )
  expect(wrong.code).toBe(1)
  expect(await count('buckets')).toBe(buckets)

  const accepted = await slipway('cluster', 'accept', ours, other)
  expect(accepted.stdout).toContain(`chain-mainnet now belongs to the cluster ${other}`)
  expect(accepted.stdout).toContain(`${buckets} buckets`)
  expect(await count('buckets')).toBe(0)

  // The configured endpoint is now the wrong one.
  const refused = await slipway('index-chain')
  expect(refused.stderr).toContain(`serves another cluster (genesis hash ${ours}, expected ${other})`)
  expect(refused.stderr).toContain('Check RPC_URL_MAINNET')
  expect(refused.code).toBe(1)
  expect(await count('buckets')).toBe(0)

  // A hash that was recorded by mistake is corrected without losing data.
  await slipway('cluster', 'accept', other, ours)
  await slipway('index-chain')
  await slipway('cluster', 'accept', ours, other, '--keep-data')
  expect(await findGenesisHash(database, network)).toBe(other)
  expect(await count('buckets')).toBe(buckets)
})

test('a cluster is not replaced while a service indexes it', async () => {
  const { connection, database, slipway } = await prepare()
  const { rpcUrl, wsUrl } = demo.chainOf().local
  await recordGenesisHash(database, network, addressOf('ours'))
  const node = startTestIndexer({ connection, rpcUrl, wsUrl })
  await expect.poll(() => node.events, { timeout: 30_000 }).toContain('leading')
  const { stderr, code } = await slipway('cluster', 'accept', addressOf('ours'), other)
  expect(stderr).toContain('\nslipway: Another process is indexing chain-mainnet. Stop it and try again.\n')
  expect(code).toBe(1)
  expect(await findGenesisHash(database, network)).toBe(addressOf('ours'))
})

test('a cluster is not replaced while a service uses the database, even if it does not index', async () => {
  const { connection, database, slipway } = await prepare()
  await recordGenesisHash(database, network, addressOf('ours'))
  await startTestService({ connection, config: { indexer: false } })
  const { stderr, code } = await slipway('cluster', 'accept', addressOf('ours'), other)
  expect(stderr).toContain('\nslipway: 1 running service(s) use this database. Stop them and try again.\n')
  expect(code).toBe(1)
})
