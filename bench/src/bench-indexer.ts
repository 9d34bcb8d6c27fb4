import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { digestOf } from '@slipway/service/indexer/accounts/index-launches'
import { saveBuckets } from '@slipway/service/store/buckets'
import { findProgress } from '@slipway/service/store/chain-progress'
import { type Database, openDatabase } from '@slipway/service/store/database'
import { insertLaunches } from '@slipway/service/store/launches'
import { migrate } from '@slipway/service/store/migrate'
import { sql } from 'drizzle-orm'
import { startChild } from './child.ts'
import type { BackfillCost } from './measure-backfill.ts'
import { median, printTable } from './report.ts'
import { sampleBucket } from './sample-accounts.ts'
import { sampleLaunch } from './sample-launches.ts'

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 100_000)
const LAUNCHES = Number(process.env.BENCH_LAUNCHES ?? 100_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const A_SECOND = 50
const BURST = 2_000
const SAMPLED = 5
const LOOK_MS = 20
const NETWORK = 'chain-mainnet'
/** Nothing here takes this long, so a longer wait means that something went wrong. */
const PATIENCE_MS = 120_000
/** Block times are whole seconds, and a slot has the time when it began. */
const CLOCK_MS = 3_000

interface Node {
  rpcUrl: string
  wsUrl: string
}

/**
 * Measures reading a whole chain and following it. The node answers from memory, so that the time is our own.
 * A quarter of the accounts are identities, a quarter their assets, half are buckets.
 */
export async function benchIndexer(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  const database = openDatabase(server.connection, { onQuery: () => {}, onConnectionLost: () => {} })
  try {
    await migrate(server.connection)
    if (ACCOUNTS > 0) await benchBackfill(server.connection)
    await database.run('bench.empty', db =>
      db.execute(sql`TRUNCATE launches, tokens, agents, buckets, chain_progress`),
    )
    await benchFollowing(database, server.connection)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function benchBackfill(connection: object): Promise<void> {
  const chain = startChild()
  const node = await chain.call<Node>('serveIndexNode', { launches: ACCOUNTS / 2, agents: ACCOUNTS / 4 })
  const rows: string[][] = []
  for (const name of ['first time', 'again']) {
    const child = startChild()
    const cost = await child.call<BackfillCost>('measureBackfill', { connection, rpcUrl: node.rpcUrl })
    child.stop()
    rows.push([
      name,
      cost.seconds.toFixed(1),
      (ACCOUNTS / cost.seconds).toFixed(0),
      cost.rpcSeconds.toFixed(1),
      cost.storeSeconds.toFixed(1),
      cost.cpuSeconds.toFixed(1),
      cost.peakMegabytes.toFixed(0),
    ])
  }
  chain.stop()
  printTable(
    `Reading ${ACCOUNTS.toLocaleString('en')} accounts into the store`,
    [
      '',
      'seconds',
      'accounts per second',
      'waiting for the RPC, s',
      'for the store, s',
      'our CPU, s',
      'peak memory, MB',
    ],
    rows,
  )
}

async function benchFollowing(database: Database, connection: object): Promise<void> {
  await fill(database)
  const chain = startChild()
  const { rpcUrl, wsUrl } = await chain.call<Node>('serveIndexNode', { launches: LAUNCHES, agents: 0 })
  const node = startChild()
  const port = await node.call<number>('serveNode', { ...connection, bench: { rpcUrl, wsUrl } })
  await until('the first full read', async () => (await findProgress(database, NETWORK))?.isComplete === true)
  await sleep(3_000)
  let next = 0
  const take = (count: number) => Array.from({ length: count }, () => (next++ * 7_919) % LAUNCHES)
  const { peakMegabytes: before } = await node.call<{ peakMegabytes: number }>('usage', {})

  // All at once, until the last of them is shown.
  const burst = take(Math.min(BURST, LAUNCHES / 4))
  const startMs = performance.now()
  const burstAt = Date.now()
  await touch(rpcUrl, burst)
  await Promise.all(burst.slice(-SAMPLED).map(index => untilShown(port, index, burstAt)))
  await until('an empty backlog', async () => (await readMetric(port, 'slipway_index_backlog')) === 0)
  const burstSeconds = (performance.now() - startMs) / 1_000

  const delays: number[] = []
  const lags: number[] = []
  const waiting: Promise<unknown>[] = []
  for (let second = 0; second < SECONDS; second += 1) {
    const due = performance.now() + 1_000
    for (let part = 0; part < 10; part += 1) {
      const changed = take(A_SECOND / 10)
      const toldMs = performance.now()
      const toldAt = Date.now()
      await touch(rpcUrl, changed)
      if (part % 5 === 0)
        waiting.push(untilShown(port, changed[0] as number, toldAt).then(at => delays.push(at - toldMs)))
      await sleep(Math.max(0, due - 1_000 + (part + 1) * 100 - performance.now()))
    }
    lags.push(await readMetric(port, 'slipway_index_lag_seconds'))
  }
  await Promise.all(waiting)
  const usage = await node.call<{ peakMegabytes: number }>('usage', {})
  node.stop()
  chain.stop()
  printTable(
    `Following ${LAUNCHES.toLocaleString('en')} launches`,
    [
      'burst of changes, shown per second',
      `reported to shown, at ${A_SECOND} per second for ${SECONDS} s, ms (median)`,
      'ms (longest)',
      'lag, s (median)',
      's (longest)',
      'peak memory before, MB',
      'after, MB',
    ],
    [
      [
        (burst.length / burstSeconds).toFixed(0),
        median(delays).toFixed(0),
        Math.max(...delays).toFixed(0),
        median(lags).toFixed(1),
        Math.max(...lags).toFixed(1),
        before.toFixed(0),
        usage.peakMegabytes.toFixed(0),
      ],
    ],
  )
}

async function fill(database: Database): Promise<void> {
  for (let start = 0; start < LAUNCHES; start += 5_000) {
    const indexes = Array.from({ length: Math.min(5_000, LAUNCHES - start) }, (_, at) => start + at)
    await insertLaunches(
      database,
      indexes.map(sampleLaunch).map(({ token: { address: mint, ...about }, id: _, ...launch }) => ({
        launch,
        token: { network: launch.network, mint, ...about },
      })),
    )
    const rows = indexes.map(index => {
      const { address, genesisAddress, data } = sampleBucket(index)
      const changedAt = sampleLaunch(index).lastActivityAt
      return {
        network: sampleLaunch(index).network,
        address,
        genesisAddress,
        kind: 'launchpoolV2' as const,
        creatorFeeWallet: null,
        slot: 1,
        digest: digestOf(data),
        changedAt,
      }
    })
    await database.run('bench.fill', db => saveBuckets(db, rows))
  }
}

async function touch(rpcUrl: string, indexes: number[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'touch', params: [indexes] })
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** When the launch's page shows what happened to it at `toldAt`. */
async function untilShown(port: number, index: number, toldAt: number): Promise<number> {
  const { genesisAddress } = sampleLaunch(index)
  let shown = ''
  while (Date.now() < toldAt + PATIENCE_MS) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/launches/${genesisAddress}`)
    const { data } = (await response.json()) as { data: { launch: { lastActivityAt: string } } }
    shown = data.launch.lastActivityAt
    if (Date.parse(shown) >= toldAt - CLOCK_MS) return performance.now()
    await sleep(LOOK_MS)
  }
  throw new Error(`${genesisAddress} changed at ${new Date(toldAt).toISOString()} and still shows ${shown}`)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 5 * PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`timed out waiting for ${what}`)
    await sleep(100)
  }
}

async function readMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const line = text.split('\n').find(start => start.startsWith(`${name}{network="${NETWORK}"}`))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}
