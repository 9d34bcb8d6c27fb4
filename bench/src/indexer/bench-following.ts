import { setTimeout as sleep } from 'node:timers/promises'
import { digestOf } from '@slipway/service/indexer/accounts/index-launches'
import { saveBuckets } from '@slipway/service/store/buckets'
import { findProgress } from '@slipway/service/store/chain-progress'
import type { ConnectionOptions, Database } from '@slipway/service/store/database'
import { insertSampleLaunches } from '../lib/bench-store.ts'
import { startChild, type Usage } from '../lib/child.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { sampleBucket } from './sample-accounts.ts'
import type { IndexNodeUrls } from './serve-index-node.ts'

const LAUNCHES = Number(process.env.BENCH_LAUNCHES ?? 100_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const CHANGES_PER_SECOND = 50
const BURST = 2_000
/** How many launches of the burst are watched until they show the change. */
const BURST_WATCHED = 5
const POLL_MS = 20
const NETWORK = 'chain-mainnet'
/** Nothing here takes this long, so a longer wait means that something went wrong. */
const WAIT_MS_MAX = 120_000
/** Block times are whole seconds, and a slot has the time when it began. */
const CLOCK_MS = 3_000

/** Follows a chain with many launches: first a burst of changes, then a steady rate. */
export async function benchFollowing(database: Database, connection: ConnectionOptions): Promise<void> {
  await insertSampleLaunches(database, LAUNCHES, indexes => insertBuckets(database, indexes))
  const chain = startChild()
  const { rpcUrl, wsUrl } = await chain.call<IndexNodeUrls>('serveIndexNode', {
    launches: LAUNCHES,
    agents: 0,
  })
  const node = startChild()
  const port = await node.call<number>('serveNode', { ...connection, chain: { rpcUrl, wsUrl } })
  await until('the first full read', async () => (await findProgress(database, NETWORK))?.isComplete === true)
  await sleep(3_000)
  const { peakMegabytes: before } = await node.call<Usage>('usage', {})
  const shownPerSecond = await measureBurst(rpcUrl, port)
  const { delays, lags } = await measureSteadyRate(rpcUrl, port)
  const { peakMegabytes: after } = await node.call<Usage>('usage', {})
  node.stop()
  chain.stop()
  printTable(
    `Following ${LAUNCHES.toLocaleString('en')} launches`,
    [
      'burst of changes, shown per second',
      `reported to shown, at ${CHANGES_PER_SECOND} per second for ${SECONDS} s, ms (median)`,
      'ms (longest)',
      'lag, s (median)',
      's (longest)',
      'peak memory before, MB',
      'after, MB',
    ],
    [
      [
        shownPerSecond.toFixed(0),
        median(delays).toFixed(0),
        Math.max(...delays).toFixed(0),
        median(lags).toFixed(1),
        Math.max(...lags).toFixed(1),
        before.toFixed(0),
        after.toFixed(0),
      ],
    ],
  )
}

/** Changes many launches at once and waits until the last of them is shown. Returns changes per second. */
async function measureBurst(rpcUrl: string, port: number): Promise<number> {
  const burst = takeLaunches(Math.min(BURST, LAUNCHES / 4))
  const startMs = performance.now()
  const changedAt = Date.now()
  await touch(rpcUrl, burst)
  await Promise.all(burst.slice(-BURST_WATCHED).map(index => untilShown(port, index, changedAt)))
  await until('an empty backlog', async () => (await readMetric(port, 'slipway_index_backlog')) === 0)
  return burst.length / ((performance.now() - startMs) / 1_000)
}

/** Changes launches at a steady rate. Returns the times from report to shown in ms, and the lag in seconds. */
async function measureSteadyRate(
  rpcUrl: string,
  port: number,
): Promise<{ delays: number[]; lags: number[] }> {
  const delays: number[] = []
  const lags: number[] = []
  const waiting: Promise<unknown>[] = []
  for (let second = 0; second < SECONDS; second += 1) {
    const endMs = performance.now() + 1_000
    for (let part = 0; part < 10; part += 1) {
      const changed = takeLaunches(CHANGES_PER_SECOND / 10)
      const changedMs = performance.now()
      const changedAt = Date.now()
      await touch(rpcUrl, changed)
      if (part % 5 === 0) {
        const shown = untilShown(port, changed[0] as number, changedAt)
        waiting.push(shown.then(shownMs => delays.push(shownMs - changedMs)))
      }
      await sleep(Math.max(0, endMs - 1_000 + (part + 1) * 100 - performance.now()))
    }
    lags.push(await readMetric(port, 'slipway_index_lag_seconds'))
  }
  await Promise.all(waiting)
  return { delays, lags }
}

let taken = 0
/** The next launches to change, spread over all of them. */
const takeLaunches = (count: number) => Array.from({ length: count }, () => (taken++ * 7_919) % LAUNCHES)

async function insertBuckets(database: Database, indexes: number[]): Promise<void> {
  const rows = indexes.map(index => {
    const { address, genesisAddress, data } = sampleBucket(index)
    const { network, lastActivityAt } = sampleLaunch(index)
    return {
      network,
      address,
      genesisAddress,
      kind: 'launchpoolV2' as const,
      creatorFeeWallet: null,
      slot: 1,
      digest: digestOf(data),
      changedAt: lastActivityAt,
    }
  })
  await database.run('bench.fill', db => saveBuckets(db, rows))
}

async function touch(rpcUrl: string, indexes: number[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'touch', params: [indexes] })
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** Waits until the launch shows its change at `changedAt`, and returns when that was. */
async function untilShown(port: number, index: number, changedAt: number): Promise<number> {
  const { genesisAddress } = sampleLaunch(index)
  let shown = ''
  while (Date.now() < changedAt + WAIT_MS_MAX) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/launches/${genesisAddress}`)
    const { data } = (await response.json()) as { data: { launch: { lastActivityAt: string } } }
    shown = data.launch.lastActivityAt
    if (Date.parse(shown) >= changedAt - CLOCK_MS) return performance.now()
    await sleep(POLL_MS)
  }
  throw new Error(
    `${genesisAddress} changed at ${new Date(changedAt).toISOString()} and still shows ${shown}`,
  )
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 5 * WAIT_MS_MAX
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
