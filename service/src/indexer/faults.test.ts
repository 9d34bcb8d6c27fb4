import { setTimeout as sleep } from 'node:timers/promises'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import { worldKey } from '@slipway/local-chain/world/keys'
import { startMarket } from '@slipway/local-chain/world/market'
import { marketMoves } from '@slipway/local-chain/world/market-moves'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { createRpc } from '../chain/rpc/create-rpc.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { readChain, readStore } from './test-agreement.ts'
import { NO_FAULTS, startFaultyNode } from './test-faulty-node.ts'
import { registerWorld } from './test-naive.ts'
import { seededRandom } from './test-random.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const registeredAt = new Date('2026-01-01T00:00:00.000Z')
const quiet = { onAttempt() {}, onRetry() {}, onEndpoint() {}, onSlot() {}, onReads() {} }
const FAULT_MS = Number(process.env.FAULT_MS ?? 15_000)

/** The program itself, as an operator runs it, between a database and a node that both fail. */
async function startWorld() {
  const { seed, random } = seededRandom()
  const { local, world } = demo.chainOf()
  const { connection, database } = await createTestDatabase()
  const node = await startFaultyNode({ ...local, random })
  const { host, port, user, database: name } = connection
  const start = async () =>
    runSlipway(['serve'], {
      PORT: await freePort(),
      DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
      RPC_URL_MAINNET: node.rpcUrl,
      RPC_WS_URL_MAINNET: node.wsUrl,
      METADATA_ALLOW_HOSTS: demo.demo.documentsHost,
      SOCIAL_TOKEN_SECRET: 'a secret that only the tests know of',
    })
  const rpc = createRpc({ urls: [local.rpcUrl], observer: quiet })
  onTestFinished(() => rpc.close())
  await registerWorld(database, network, world.launches, registeredAt)
  const graduations = new Map<Address, number>()
  const registered = world.launches.map(({ genesisAddress }) => genesisAddress)
  const agree = async (timeoutMs: number) => {
    const expected = await readChain(rpc, registered, registeredAt, graduations)
    await expect
      .poll(() => readStore(database, network), {
        timeout: timeoutMs,
        interval: 100,
        message: `SEED=${seed}`,
      })
      .toEqual(expected)
  }
  const isComplete = async () => (await findProgress(database, network))?.isComplete
  return { seed, random, local, world, connection, database, node, start, agree, isComplete }
}

test('after dropped, doubled, late and reordered notifications, RPC errors, kills of the indexer and of its database connections, store and chain agree to the last field', async () => {
  const { seed, random, local, world, connection, node, start, agree, isComplete } = await startWorld()
  console.info(`SEED=${seed} replays this run`)
  let child = await start()
  await expect.poll(isComplete, { timeout: 20_000, interval: 100 }).toBe(true)
  await agree(5_000)

  const { chain } = local
  const market = startMarket({ chain, world, moveMs: 60, random, onError: error => console.error(error) })
  const moves = marketMoves(chain, world.environment)
  const [seller, buyer] = ['seller', 'buyer'].map(name => worldKey(chain, name))
  if (!seller || !buyer) throw new Error('no keys')
  for (const { address } of [seller, buyer]) local.airdrop(address, 100_000_000_000n)
  node.suffer({ calls: 0.15, dropped: 0.05, doubled: 0.2, delayed: 0.3, socketMs: 1_500 })
  const untilMs = Date.now() + FAULT_MS
  let kills = 0
  let cuts = 0
  for (let made = 0; Date.now() < untilMs; made += 1) {
    await sleep(100 + random() * 700)
    const asset = worldKey(chain, `asset ${seed} ${made}`)
    await agentMaker(chain, seller, seller).create(asset, {
      name: `Agent ${made}`,
      uri: '',
      collection: undefined,
    })
    await agentMaker(chain, seller, seller).register(asset.address, 'https://nowhere.invalid/agent.json')
    if (random() < 0.7) {
      await sleep(random() * 300)
      await agentMaker(chain, seller, seller).transfer(asset.address, buyer.address)
      if (random() < 0.5) await agentMaker(chain, buyer, buyer).burn(asset.address)
    }
    const curve = world.launches.find(
      launch => launch.plan.mechanic === 'bondingCurveV2' && !moves.isGraduated(launch),
    )
    if (curve && random() < 0.1) moves.graduate(curve)
    if (random() < 0.15) {
      child.child.kill('SIGKILL')
      kills += 1
      child = await start()
    }
    if (random() < 0.15) {
      cuts += 1
      await runSql(
        connection,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'slipway%'`,
      ).catch(() => {})
    }
  }
  market.stop()
  node.suffer(NO_FAULTS)
  console.info(`${kills} kills, ${cuts} cuts of all database connections`)
  await agree(20_000)
}, 120_000)
