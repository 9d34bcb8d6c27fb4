import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createService } from '@slipway/service/app/create-service'
import { parseConfig } from '@slipway/service/config'
import { LAUNCHES_MIN } from '@slipway/service/launches/kept-listings'
import { createShutdownList } from '@slipway/service/shutdown'
import type { ConnectionOptions } from '@slipway/service/store/database'
import { createLog } from '@slipway/service/telemetry/log'
import { printTable, startChild, usage } from './lib.ts'
import { generateLaunches, withStore } from './sample-store.ts'
import { RATE_LIMITS, SOCIAL_SETTINGS } from './samples.ts'

const STATEMENT_MS = 3_600_000

/** Starts a node on stores of different sizes, and measures what it takes until every launch is served. */
export async function benchStart(sizes: string[]): Promise<void> {
  const rows: string[][] = []
  const held: string[][] = []
  let empty: StartCost | undefined
  for (const launches of [0, ...(sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000])])
    await withStore(
      async (database, connection) => {
        if (launches > 0) {
          const startMs = performance.now()
          await generateLaunches(database, launches, { search: false })
          const seconds = (performance.now() - startMs) / 1_000
          process.stdout.write(`generated ${launches} launches in ${seconds.toFixed(0)} s\n`)
        }
        const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
        for (const start of launches < LAUNCHES_MIN ? ['first'] : ['first', 'again']) {
          const child = startChild()
          const cost = await child.call<StartCost>('measureStart', { ...connection, dataDir })
          if (start === 'first' && launches >= LAUNCHES_MIN) await untilKept(dataDir)
          child.stop()
          empty ??= cost
          const row = [
            launches.toLocaleString('en'),
            start === 'first' ? 'first' : 'again, with kept listings',
            cost.seconds.toFixed(1),
            cost.cpuSeconds.toFixed(1),
            cost.blockMs.toFixed(0),
            cost.peakMegabytes.toFixed(0),
          ]
          rows.push(row)
          // The tables are printed at the end, which a long run may never reach.
          process.stdout.write(`${row.join(' | ')}\n`)
          if (launches === 0 || start === 'again') continue
          const { gzip, br } = cost.listingBytes
          const objects = (cost.heapMegabytes - empty.heapMegabytes) * 2 ** 20
          const plain = (cost.bufferMegabytes - empty.bufferMegabytes) * 2 ** 20 - gzip
          held.push([
            launches.toLocaleString('en'),
            ...[objects, plain, gzip, br, objects + plain + gzip + br].map(bytes =>
              (bytes / launches).toFixed(0),
            ),
          ])
        }
        await rm(dataDir, { recursive: true })
      },
      { statementMs: STATEMENT_MS },
    )
  printTable(
    'From the start of a node until it serves every launch',
    ['launches', 'start', 'seconds', 'CPU seconds', 'event loop blocked, ms (longest)', 'peak memory, MB'],
    rows,
  )
  printTable(
    'Memory per launch, in bytes',
    ['launches', 'objects and look-ups', 'plain listing and other buffers', 'gzip', 'Brotli', 'together'],
    held,
  )
}

async function untilKept(dataDir: string): Promise<void> {
  const isKept = () =>
    access(join(dataDir, 'listings.cache')).then(
      () => true,
      () => false,
    )
  while (!(await isKept())) await pause(200)
}

export interface StartCost {
  seconds: number
  cpuSeconds: number
  /** The longest time for which nothing else could run. */
  blockMs: number
  peakMegabytes: number
  /** What it keeps: objects and strings, and buffers. */
  heapMegabytes: number
  bufferMegabytes: number
  /** Of the listing of all launches, by its encoding. */
  listingBytes: Record<'gzip' | 'br', number>
}

/** Starts a node in this process, which must be fresh, and measures until it serves every launch. */
export async function measureStart(connection: ConnectionOptions & { dataDir: string }): Promise<StartCost> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const port = await serveNode(connection)
  const url = `http://127.0.0.1:${port}/v1/launches`
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  if (response.status !== 200) throw new Error(`the launches were answered with ${response.status}`)
  const seconds = (performance.now() - start) / 1_000
  delay.disable()
  await response.body?.cancel()
  const { cpuMicros, peakMegabytes } = await usage()
  // Buffers that nothing uses are given back a moment after a collection.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await pause(200)
  }
  const { heapUsed, external } = process.memoryUsage()
  return {
    seconds,
    cpuSeconds: cpuMicros / 1e6,
    blockMs: delay.max / 1e6,
    peakMegabytes,
    heapMegabytes: heapUsed / 2 ** 20,
    bufferMegabytes: external / 2 ** 20,
    listingBytes: {
      gzip: await readLength(url, 'gzip'),
      br: await readLength(url, 'br'),
    },
  }
}

/** A whole node on a real database, without a chain to follow. */
async function serveNode({
  dataDir,
  ...connection
}: ConnectionOptions & { dataDir: string }): Promise<number> {
  const config = {
    ...parseConfig({}),
    dataDir,
    rateLimits: RATE_LIMITS,
    rpcUrls: { 'chain-mainnet': [], 'chain-devnet': [] },
    rpcWsUrls: { 'chain-mainnet': undefined, 'chain-devnet': undefined },
  }
  const { app, load } = createService(config, connection, {
    log: createLog('info'),
    shutdown: createShutdownList(() => {}),
    social: SOCIAL_SETTINGS,
  })
  await load()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}

/** How long the listing is in this encoding. Brotli is ready a while after the others. */
async function readLength(url: string, encoding: 'gzip' | 'br'): Promise<number> {
  for (;;) {
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': encoding } })
    if (headers.get('Content-Encoding') === encoding) return Number(headers.get('Content-Length'))
    await pause(500)
  }
}
