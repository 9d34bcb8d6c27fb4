import { expect, test } from 'vitest'
import { readStore } from '../indexer/testing/agreement.ts'
import { startTestIndexer } from '../indexer/testing/indexer.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { runCommand } from '../testing/run-command.ts'
import { runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

const demo = useDemo()
const network = 'chain-mainnet'

async function prepare() {
  const { connection, database } = await createTestDatabase()
  const env = { DATABASE_URL: toDatabaseUrl(connection), RPC_URL_MAINNET: demo.chainOf().local.rpcUrl }
  return { connection, database, env }
}

test('reads a chain into the store, any number of times', async () => {
  const { database, env } = await prepare()
  const first = await runCommand(['index-chain', '--network', network], env)
  expect(first.stderr).toMatch(/^Reading chain-mainnet \(\d+ %, \d+ s\)$/m)
  expect(first.stdout).toMatch(/^chain-mainnet: read \d+ accounts; the store is up to date with slot \d+\n$/)
  expect(first.code).toBe(0)
  expect(await findProgress(database, network)).toMatchObject({ isComplete: true, scanShare: null })
  const stored = await readStore(database, network)
  const { agents, launches } = demo.chainOf().world
  const registered = agents.filter(({ entry }) => entry.identity !== 'none' && !entry.burnt)
  expect(Object.keys(stored.agents)).toEqual(registered.map(({ address }) => address).toSorted())
  expect(Object.keys(stored.buckets).length).toBeGreaterThan(launches.length)

  const again = await runCommand(['index-chain', '--from-scratch', '--json'], env)
  expect(JSON.parse(again.stdout)).toMatchObject({
    network,
    slot: expect.any(Number),
    indexedElsewhere: false,
  })
  expect(again.code).toBe(0)
  expect(await readStore(database, network)).toEqual(stored)
})

test('while another process indexes, --from-scratch makes that one read everything again and shows its progress', async () => {
  const { connection, env } = await prepare()
  const { rpcUrl, wsUrl } = demo.chainOf().local
  const node = startTestIndexer({ connection, rpcUrl, wsUrl })
  await expect.poll(() => node.events, { timeout: 30_000 }).toContain('complete')
  const { stdout, code } = await runCommand(['index-chain', '--from-scratch'], env)
  expect(stdout).toContain('chain-mainnet: another process is indexing; it reached slot')
  expect(code).toBe(0)
  expect(node.events.filter(event => event === 'complete')).toHaveLength(2)
})

test('when the process that it watches stops, it reads the chain itself', async () => {
  const { connection, database, env } = await prepare()
  const { rpcUrl, wsUrl } = demo.chainOf().local
  const broken = await startRpcProxy(rpcUrl)
  broken.behave = method => (method === 'getMultipleAccounts' ? { status: 503, body: 'busy' } : undefined)
  const node = startTestIndexer({ connection, rpcUrl: broken.url, wsUrl })
  await expect
    .poll(async () => (await findProgress(database, network))?.scanShare, { timeout: 30_000 })
    .toBeTruthy()
  const command = runSlipway(['index-chain'], env)
  await command.printed('Another process is reading chain-mainnet')
  await node.stop()
  const { stdout, code } = await command.finished
  expect(stdout).toContain('the store is up to date with slot')
  expect(code).toBe(0)
  expect(await findProgress(database, network)).toMatchObject({ isComplete: true })
})

test('SIGINT stops it cleanly, and the next run continues from there', async () => {
  const { database, env } = await prepare()
  const slow = await startRpcProxy(env.RPC_URL_MAINNET)
  slow.behave = method => (method === 'getMultipleAccounts' ? 'hang' : undefined)
  const command = runSlipway(['index-chain'], { ...env, RPC_URL_MAINNET: slow.url })
  await expect.poll(() => slow.count('getMultipleAccounts'), { timeout: 60_000 }).toBeGreaterThan(0)
  command.child.kill('SIGINT')
  const stopped = await command.finished
  expect(stopped.stderr).toContain('chain-mainnet: stopped. What was read is stored')
  expect(stopped.code).toBe(130)
  const startSlot = (await findProgress(database, network))?.scanSlot
  expect(startSlot).toBeGreaterThan(0)
  const { stdout, code } = await runCommand(['index-chain'], env)
  expect(stdout).toContain(`the store is up to date with slot ${startSlot}\n`)
  expect(code).toBe(0)
})

test('a chain that cannot be read is reported with one line', async () => {
  const { env } = await prepare()
  const gone = await startRpcProxy(env.RPC_URL_MAINNET)
  gone.behave = () => ({ status: 403, body: 'no' })
  const { stderr, code } = await runCommand(['index-chain'], { ...env, RPC_URL_MAINNET: gone.url })
  expect(stderr).toMatch(
    /\nslipway: The chain could not be read: .*\. Run the command again to continue\.\n$/,
  )
  expect(code).toBe(1)
})

test('without an RPC for the network, it says what to set', async () => {
  const { env } = await prepare()
  const { stderr, code } = await runCommand(['index-chain', '--network', 'chain-devnet'], env)
  expect(stderr).toContain(
    '\nslipway: No RPC is configured for chain-devnet. Set RPC_URL_DEVNET. (Embedded chains are indexed by the running service.)\n',
  )
  expect(code).toBe(1)
})
