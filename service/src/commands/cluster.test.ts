import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestIndexer } from '../indexer/testing/indexer.ts'
import { findGenesisHash, recordGenesisHash } from '../store/clusters.ts'
import { useDemo } from '../testing/demo.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const other = addressOf('another cluster')

async function prepare() {
  const { connection, database } = await createTestDatabase()
  const { host, port, user, database: name } = connection
  const env = {
    DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
    RPC_URL_MAINNET: demo.chainOf().local.rpcUrl,
  }
  const slipway = (...args: string[]) => runSlipway(args, env).finished
  const count = async (table: string) =>
    (await runSql(connection, `SELECT count(*)::int AS count FROM ${table}`)).rows[0].count
  return { connection, database, slipway, count }
}

test('the first cluster that a store sees is remembered, and another one needs a command that names both', async () => {
  const { database, slipway, count } = await prepare()
  const ours = demo.chainOf().local.chain.genesisHash()
  expect((await slipway('cluster', 'show')).stdout).toContain('chain-mainnet  no cluster seen yet')
  await slipway('index-chain')
  expect(await findGenesisHash(database, network)).toBe(ours)
  expect((await slipway('cluster', 'show')).stdout).toContain(`chain-mainnet  ${ours}`)
  const buckets = await count('buckets')
  expect(buckets).toBeGreaterThan(0)

  const wrong = await slipway('cluster', 'accept', addressOf('not the one'), other)
  expect(wrong.stderr).toBe(
    `slipway: the store remembers another genesis hash for chain-mainnet: ${ours}; nothing was changed\n`,
  )
  expect(wrong.code).toBe(1)
  expect(await count('buckets')).toBe(buckets)

  const accepted = await slipway('cluster', 'accept', ours, other)
  expect(accepted.stdout).toContain(`chain-mainnet is now the cluster ${other}`)
  expect(accepted.stdout).toContain(`${buckets} buckets`)
  expect(await count('buckets')).toBe(0)

  // The configured endpoint is now the wrong one.
  const refused = await slipway('index-chain')
  expect(refused.stderr).toContain('foreign')
  expect(refused.stderr).toContain(`its genesis hash is ${ours}, not ${other}`)
  expect(refused.code).toBe(1)
  expect(await count('buckets')).toBe(0)
}, 60_000)

test('a cluster is not replaced while a service indexes it', async () => {
  const { connection, database, slipway } = await prepare()
  const { rpcUrl, wsUrl } = demo.chainOf().local
  await recordGenesisHash(database, network, addressOf('ours'))
  const node = startTestIndexer({ connection, rpcUrl, wsUrl })
  await expect.poll(() => node.said, { timeout: 10_000 }).toContain('leading')
  const { stderr, code } = await slipway('cluster', 'accept', addressOf('ours'), other)
  expect(stderr).toBe('slipway: another process indexes chain-mainnet: stop it first\n')
  expect(code).toBe(1)
  expect(await findGenesisHash(database, network)).toBe(addressOf('ours'))
})

test.each([
  [['cluster'], 'cluster needs one of: show; accept <remembered hash> <new hash>'],
  [['cluster', 'accept', other], 'the new genesis hash is missing'],
  [['cluster', 'accept', other, 'nonsense'], '"nonsense" is not an address'],
  [['cluster', 'accept', other, other], 'both hashes are the same: there is nothing to accept'],
])('%j is refused in one line', async (args, line) => {
  const { slipway } = await prepare()
  expect(await slipway(...args)).toMatchObject({ code: 1, stderr: `slipway: ${line}\n` })
})

test('a new embedded chain beside an old store stops the start with the commands that start over', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await freeChainPort() }
  const run = async () => {
    const service = runSlipway(['serve'], env)
    await service.said('Slipway is running')
    service.child.kill('SIGTERM')
    return service.finished
  }
  await run()
  await rm(join(dataDir, 'chain'), { recursive: true })
  const { stderr, code } = await runSlipway(['serve'], env).finished
  expect(code).toBe(1)
  expect(stderr).toContain(
    `the embedded chains in ${dataDir}/chain are new, but the store describes former ones.`,
  )
  const commands = [...stderr.matchAll(/npx slipway (cluster accept \w+ \w+ --network [\w-]+)/g)]
  expect(commands).toHaveLength(2)
  for (const [, command] of commands)
    expect((await runSlipway((command as string).split(' '), env).finished).code).toBe(0)
  const { stderr: welcome } = await run()
  expect(welcome).toMatch(/Launches +\d\d on chain-mainnet/)
}, 90_000)
