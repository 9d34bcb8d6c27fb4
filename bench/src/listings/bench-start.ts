import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LAUNCHES_MIN } from '@slipway/service/launches/kept-listings'
import { generateLaunches } from '../launches/sample-pages.ts'
import { withStore } from '../lib/bench-store.ts'
import { startChild } from '../lib/child.ts'
import { printTable } from '../lib/report.ts'
import type { StartCost } from './measure-start.ts'

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
            cost.blockCpuMs.toFixed(0),
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
    [
      'launches',
      'start',
      'seconds',
      'CPU seconds',
      'event loop blocked, ms (longest)',
      'CPU in one turn, ms (longest)',
      'peak memory, MB',
    ],
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
