import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mintBody } from '../agents/test-mints.ts'
import { startTestNode } from '../chain/rpc/test-node.ts'
import type { Config } from '../config.ts'
import { QUICK_LEASE, QUICK_LIMITS } from '../indexer/testing/indexer.ts'
import { startLyingNode } from '../indexer/testing/lying-node.ts'
import { registerWorld } from '../indexer/testing/naive.ts'
import { useDemo } from '../testing/demo.ts'
import { isEndurance } from '../testing/endurance.ts'
import { startPostgresProxy } from '../testing/freezing-proxy.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { hasPrometheus, startPrometheus } from '../testing/prometheus.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

const RULES = readFileSync(new URL('../../../deploy/alerts.yaml', import.meta.url), 'utf8')
const WAIT = { timeout: 60_000 }
/** The same rules with seconds instead of minutes. */
const quickRules = RULES.replace(/for: \d+m/g, 'for: 1s')
  .replace(/\[\d+m\]/g, '[10s]')
  .replace('lag_seconds) > 60', 'lag_seconds) > 2')
const demo = useDemo()

type Service = Awaited<ReturnType<typeof startTestService>>

/** Each starts a node, causes the fault and returns the node's URL. */
interface Fault {
  alerts: string[]
  cause(): Promise<string>
}

const onMainnet = (rpcUrls: string[], wsUrl?: string): Partial<Config> => ({
  rpcUrls: { 'chain-mainnet': rpcUrls, 'chain-devnet': [] },
  rpcWsUrls: { 'chain-mainnet': wsUrl, 'chain-devnet': undefined },
})

const indexing = { indexer: QUICK_LIMITS, lease: QUICK_LEASE }

/** Sends batches of this many requests, one after another, until the test ends. */
function keepSending(
  service: Service,
  path: string,
  count: number,
  options?: Parameters<typeof rawRequest>[2],
): void {
  let isOver = false
  const send = () => rawRequest(service.url, path, options).catch(() => {})
  const sending = Promise.resolve().then(async () => {
    while (!isOver) await Promise.all(Array.from({ length: count }, send))
  })
  onTestFinished(() => {
    isOver = true
    return sending
  })
}

const FAULTS: Record<string, Fault> = {
  'the node is stopped': {
    alerts: ['SlipwayNodeDown'],
    async cause() {
      const { url, stop } = await startTestService()
      await stop()
      return url
    },
  },
  'the database hangs': {
    alerts: ['SlipwayErrors', 'SlipwaySlow', 'SlipwayStoreFails', 'SlipwayOverloaded'],
    async cause() {
      const postgres = await startPostgresProxy((await createTestDatabase()).connection)
      const service = await startTestService({ connection: postgres.connection, config: demo.config() })
      onTestFinished(postgres.stop)
      postgres.isFrozen = true
      keepSending(service, `/v1/documents/${'0'.repeat(64)}.json`, 200)
      return service.url
    },
  },
  'the database is gone': {
    alerts: ['SlipwayStoreFails', 'SlipwayListingsStale'],
    async cause() {
      const postgres = await startPostgresProxy((await createTestDatabase()).connection)
      const service = await startTestService({ connection: postgres.connection })
      postgres.stop()
      keepSending(service, `/v1/documents/${'0'.repeat(64)}.json`, 2)
      return service.url
    },
  },
  'the database is read-only': {
    alerts: ['SlipwayStoreNotWritable'],
    async cause() {
      const { connection } = await createTestDatabase()
      const { url } = await startTestService({ connection, limits: { storeProbeMs: 200 } })
      await runSql(
        connection,
        `ALTER DATABASE ${connection.database} SET default_transaction_read_only = on;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'slipway'`,
      )
      return url
    },
  },
  'the clock is two minutes ahead': {
    alerts: ['SlipwayClockDiffers'],
    async cause() {
      const { url } = await startTestService({ limits: { storeProbeMs: 200 } })
      const { now } = Date
      vi.spyOn(Date, 'now').mockImplementation(() => now() + 120_000)
      return url
    },
  },
  'all RPC endpoints are down': {
    alerts: ['SlipwayRpcDown', 'SlipwayRpcEndpointDown'],
    async cause() {
      const service = await startTestService({ config: onMainnet(['http://127.0.0.1:9']) })
      keepSending(service, `/v1/agents/${addressOf('unknown')}`, 1)
      return service.url
    },
  },
  'an RPC endpoint belongs to another cluster': {
    alerts: ['SlipwayRpcForeign'],
    async cause() {
      const [own, other] = [demo.chainOf().local, demo.chainOf('chain-devnet').local]
      const { connection } = await createTestDatabase()
      await runSql(
        connection,
        `INSERT INTO clusters (network, genesis_hash) VALUES ('chain-mainnet', '${own.chain.genesisHash()}')`,
      )
      const service = await startTestService({ connection, config: onMainnet([other.rpcUrl, own.rpcUrl]) })
      keepSending(service, `/v1/agents/${addressOf('unknown')}`, 1)
      return service.url
    },
  },
  'an RPC endpoint falls behind': {
    alerts: ['SlipwayRpcBehind'],
    async cause() {
      const node = await startTestNode()
      node.slot = 5_000
      const service = await startTestService({ config: onMainnet([node.url]) })
      await rawRequest(service.url, `/v1/agents/${addressOf('unknown')}`)
      node.slot = 4_000
      keepSending(service, `/v1/agents/${addressOf('unknown')}/wallet`, 10)
      return service.url
    },
  },
  'no node has INDEXER=on': {
    alerts: ['SlipwayNotIndexed'],
    cause: async () => (await startTestService({ config: { ...demo.config(), indexer: false } })).url,
  },
  'the RPC endpoint refuses WebSockets': {
    alerts: ['SlipwayIndexPolling'],
    async cause() {
      const config = { ...onMainnet([demo.chainOf().local.rpcUrl], 'ws://127.0.0.1:9'), indexer: true }
      return (await startTestService({ config, limits: indexing })).url
    },
  },
  'the RPC endpoint no longer lists accounts': {
    alerts: ['SlipwayIndexBehind'],
    async cause() {
      const rpc = await startRpcProxy(demo.chainOf().local.rpcUrl)
      const config = { ...onMainnet([rpc.url], 'ws://127.0.0.1:9'), indexer: true }
      const { url, metrics } = await startTestService({ config, limits: indexing })
      await expect.poll(() => metrics.registry.metrics(), WAIT).toMatch(/^slipway_index_slot\{.*\} \d/m)
      rpc.behave = method =>
        method === 'getProgramAccounts'
          ? { status: 200, body: { error: { code: -32_000, message: 'busy' } } }
          : undefined
      return url
    },
  },
  'the RPC endpoint loses all accounts': {
    alerts: ['SlipwayAccountsMissing'],
    async cause() {
      const node = await startLyingNode(demo.chainOf().local, demo.chainOf('chain-devnet').local)
      const config = { ...onMainnet([node.rpcUrl], node.wsUrl), indexer: true }
      const { url, connection } = await startTestService({ config, limits: indexing })
      const isComplete = async () =>
        (await runSql(connection, 'SELECT is_complete FROM chain_progress')).rows[0]?.is_complete
      await expect.poll(isComplete, WAIT).toBe(true)
      node.lie('an empty chain')
      return url
    },
  },
  'the RPC endpoint returns no transactions': {
    alerts: ['SlipwayTradesBehind'],
    async cause() {
      const rpc = await startRpcProxy(demo.chainOf().local.rpcUrl)
      rpc.behave = method =>
        method === 'getTransaction'
          ? { status: 200, body: { error: { code: -32_601, message: 'Method not found' } } }
          : undefined
      const config = {
        ...onMainnet([rpc.url], demo.chainOf().local.wsUrl),
        indexer: true,
        tradesPerSecond: 50,
      }
      const { url, database } = await startTestService({ config, limits: indexing })
      await registerWorld(database, 'chain-mainnet', demo.chainOf().world.launches, new Date())
      return url
    },
  },
  'too many documents are pending': {
    alerts: ['SlipwayDocumentsFull'],
    async cause() {
      const hostsDocuments = { 'chain-mainnet': true, 'chain-devnet': true }
      const service = await startTestService({ config: { ...demo.config(), hostsDocuments } })
      await runSql(
        service.connection,
        `INSERT INTO documents (sha256, network, asset, body, size, client, prepared_at)
         SELECT lpad(n::text, 64, '0'), 'chain-mainnet', 'asset ' || n, '', 0, '203.0.113.7', now()
         FROM generate_series(1, 20000) AS n`,
      )
      const body = JSON.stringify(mintBody(demo.chainOf().world.visitor.address))
      const headers = { 'Content-Type': 'application/json' }
      keepSending(service, '/v1/agents/mint', 1, { method: 'POST', headers, body })
      return service.url
    },
  },
  'a worker is missing': {
    alerts: ['SlipwayWorkersMissing'],
    async cause() {
      const { url, metrics } = await startTestService()
      metrics.workersExpected.set(2)
      metrics.workerInfo.set({ worker: 1, pid: process.pid }, 1)
      return url
    },
  },
  'a worker hangs': {
    alerts: ['SlipwayWorkerHangs'],
    async cause() {
      const { url, metrics } = await startTestService()
      metrics.workersHung.set(1)
      return url
    },
  },
  'the page thread ends again and again': {
    alerts: ['SlipwayPagesFail'],
    async cause() {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-worker-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const worker = join(folder, 'worker.js')
      writeFileSync(worker, 'process.exit(1)')
      const service = await startTestService({ site: true, changeBuild: build => ({ ...build, worker }) })
      keepSending(service, '/', 2)
      return service.url
    },
  },
}

// Skipped otherwise, so that the demo is not started for this test.
test.skipIf(!isEndurance)('every alert has a fault, and the documentation names both', () => {
  const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(new Set(Object.values(FAULTS).flatMap(fault => fault.alerts))).toEqual(new Set(alerts))
  const docs = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  for (const [fault, { alerts: expected }] of Object.entries(FAULTS))
    expect(docs).toContain(`| ${fault} | ${expected.map(name => `\`${name}\``).join(', ')} |`)
})

for (const [fault, { alerts, cause }] of Object.entries(FAULTS))
  test.skipIf(!hasPrometheus || !isEndurance)(
    `when ${fault}, Prometheus raises ${alerts.join(', ')}`,
    async () => {
      const query = await startPrometheus(await cause(), quickRules)
      const listFiring = async () => {
        const firing = await query('ALERTS{alertstate="firing"}').catch(() => [])
        return firing.map(({ metric }) => metric.alertname)
      }
      await expect.poll(listFiring, WAIT).toEqual(expect.arrayContaining(alerts))
    },
  )
