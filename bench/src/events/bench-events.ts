import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions, Database } from '@slipway/service/store/database'
import { sql } from 'drizzle-orm'
import { insertSampleLaunches, withStore } from '../lib/bench-store.ts'
import { type Child, startChild, type Usage } from '../lib/child.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { changeBuckets, LAUNCHES, measureWriteCost } from './write-cost.ts'

const IDLE_SECONDS = 30
const EVENTS = 10
const PER_ADDRESS = 20
const STUCK = 20
const STUCK_MS_MAX = 120_000
/** The system takes megabytes for a stream that isn't read. */
const EVENTS_PER_ROUND = 20_000

/** Measures what open event streams cost, and how soon an event reaches all of them. */
export async function benchEvents([streams = '10000']: string[]): Promise<void> {
  await withStore(async (database, connection) => {
    await insertSampleLaunches(database, LAUNCHES)
    await measureStreams(database, connection, Number(streams))
  })
}

/** Measures what events cost the writer. */
export async function benchEventWrites(): Promise<void> {
  await withStore(async database => {
    await insertSampleLaunches(database, LAUNCHES)
    await measureWriteCost(database)
  })
}

async function measureStreams(database: Database, connection: ConnectionOptions, streams: number) {
  const node = startChild(0)
  // Streams need a network that the node serves. Nothing answers at this URL.
  const chain = { rpcUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' }
  const port = await node.call<number>('serveNode', { ...connection, chain })
  const clients = startChild(1)
  await measureStuck(database, { node, clients, port })
  const before = await node.call<Usage>('usage', {})
  const openedMs = performance.now()
  const { refused } = await clients.call<{ refused: number }>('openStreams', {
    port,
    path: `/v1/events?address=${sampleLaunch(0).genesisAddress}`,
    count: streams,
    perAddress: PER_ADDRESS,
  })
  const opening = await node.call<Usage>('usage', {})
  const openSeconds = (performance.now() - openedMs) / 1_000
  await sleep(IDLE_SECONDS * 1_000)
  const idle = await node.call<Usage>('usage', {})
  await changeBuckets(database, { first: 0, count: 1 })
  const delays = await measureDelays(database, event => clients.call('findCompletion', { number: event }))
  const sent = await node.call<Usage>('usage', {})
  printTable(
    `${streams.toLocaleString('en')} streams`,
    [
      'refused',
      'opened per second',
      'memory per stream, KB',
      `idle CPU, % of a core`,
      'event to the last stream, ms (median)',
      'ms (longest)',
      'CPU per event and stream, µs',
    ],
    [
      [
        `${refused}`,
        (streams / openSeconds).toFixed(0),
        (((opening.megabytes - before.megabytes) * 1_024) / streams).toFixed(1),
        ((idle.cpuMicros - opening.cpuMicros) / IDLE_SECONDS / 10_000).toFixed(1),
        median(delays).toFixed(0),
        Math.max(...delays).toFixed(0),
        ((sent.cpuMicros - idle.cpuMicros) / EVENTS / streams).toFixed(1),
      ],
    ],
  )
  node.stop()
  clients.stop()
}

/** Returns the times from the commit of an event until the last stream has received it. */
async function measureDelays(
  database: Database,
  findCompletion: (event: number) => Promise<number | undefined>,
): Promise<number[]> {
  const delays: number[] = []
  for (let event = 1; event <= EVENTS; event += 1) {
    await changeBuckets(database, { first: 0, count: 1 })
    const committedMs = Date.now()
    let completedMs = await findCompletion(event)
    for (; completedMs === undefined; completedMs = await findCompletion(event)) await sleep(10)
    delays.push(completedMs - committedMs)
    await sleep(1_000)
  }
  return delays
}

/** Sends events to streams that are never read, until every one of them is closed. */
async function measureStuck(
  database: Database,
  { node, clients, port }: { node: Child; clients: Child; port: number },
): Promise<void> {
  const before = await node.call<Usage>('usage', {})
  await clients.call('openStuckStreams', { port, count: STUCK })
  const startMs = performance.now()
  while ((await countCut(port)) < STUCK) {
    await database.run('bench.events', db =>
      db.execute(sql`
        WITH written AS (
          INSERT INTO events (network, type, address, at)
          SELECT 'chain-mainnet', 'agent.changed', ${sampleLaunch(1).genesisAddress}, now()
          FROM generate_series(1, ${EVENTS_PER_ROUND})
        )
        SELECT pg_notify('slipway_events', '')`),
    )
    await sleep(1_000)
    if (performance.now() - startMs > STUCK_MS_MAX) throw new Error('stuck readers are not cut off')
  }
  const seconds = (performance.now() - startMs) / 1_000
  const after = await node.call<Usage>('usage', {})
  printTable(
    'Streams that are never read',
    ['streams', 'all cut off after, s', 'memory before, MB', 'at the peak, MB'],
    [[`${STUCK}`, seconds.toFixed(0), before.megabytes.toFixed(0), after.peakMegabytes.toFixed(0)]],
  )
}

async function countCut(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counts = [...text.matchAll(/^slipway_event_streams_cut_total\{.*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
