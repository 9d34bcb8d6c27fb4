import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions, Database } from '@slipway/service/store/database'
import { setHidden } from '@slipway/service/store/launches'
import { sql } from 'drizzle-orm'
import { insertSampleLaunches, withStore } from '../lib/bench-store.ts'
import { startChild, type Usage } from '../lib/child.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'
import { LAUNCHES, measureWriteCost } from './write-cost.ts'

const IDLE_SECONDS = 30
const EVENTS = 10
const PER_ADDRESS = 20
const STUCK = 50
const STUCK_MS_MAX = 120_000

/** Measures what open event streams cost, how soon an event reaches all of them, and what events cost the writer. */
export async function benchEvents([streams = '10000']: string[]): Promise<void> {
  await withStore(async (database, connection) => {
    await insertSampleLaunches(database, LAUNCHES)
    await measureStreams(database, connection, Number(streams))
    await measureWriteCost(database)
  })
}

async function measureStreams(database: Database, connection: ConnectionOptions, streams: number) {
  const node = startChild(0)
  // A chain that nobody follows: streams are of the networks that the node serves.
  const chain = { rpcUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' }
  const port = await node.call<number>('serveNode', { ...connection, chain })
  const clients = startChild(1)
  const before = await node.call<Usage>('usage', {})
  const openedMs = performance.now()
  const { refused } = await clients.call<{ refused: number }>('openStreams', {
    port,
    count: streams,
    perAddress: PER_ADDRESS,
  })
  const opening = await node.call<Usage>('usage', {})
  const openSeconds = (performance.now() - openedMs) / 1_000
  await sleep(IDLE_SECONDS * 1_000)
  const idle = await node.call<Usage>('usage', {})
  const delays = await measureDelays(database, event => clients.call('findCompletion', { number: event }))
  const sent = await node.call<Usage>('usage', {})
  await clients.call('stopReading', { count: STUCK })
  const cutSeconds = await measureStuck(database, port)
  node.stop()
  clients.stop()
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
      `${STUCK} stuck readers cut off after, s`,
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
        cutSeconds.toFixed(0),
      ],
    ],
  )
}

const toggle = (database: Database, count: number, hidden: boolean) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      setHidden(database, 'chain-mainnet', sampleLaunch(at).genesisAddress, hidden),
    ),
  )

/** Returns the times from the commit of an event until the last stream has received it. */
async function measureDelays(
  database: Database,
  findCompletion: (event: number) => Promise<number | undefined>,
): Promise<number[]> {
  const delays: number[] = []
  for (let event = 1; event <= EVENTS; event += 1) {
    await toggle(database, 1, event % 2 === 1)
    const committedMs = Date.now()
    let completedMs = await findCompletion(event)
    for (; completedMs === undefined; completedMs = await findCompletion(event)) await sleep(10)
    delays.push(completedMs - committedMs)
    await sleep(1_000)
  }
  return delays
}

/** Sends events until every stream that doesn't read is closed. Returns the seconds that took. */
async function measureStuck(database: Database, port: number): Promise<number> {
  const startMs = performance.now()
  for (let round = 1; (await countCut(port)) < STUCK; round += 1) {
    await database.run('bench.events', db => db.execute(sql`UPDATE launches SET hidden = ${round % 2 === 0}`))
    await sleep(100)
    if (performance.now() - startMs > STUCK_MS_MAX) throw new Error('stuck readers are not cut off')
  }
  return (performance.now() - startMs) / 1_000
}

async function countCut(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counts = [...text.matchAll(/^slipway_event_streams_cut_total\{.*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
