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
        if (launches > 0) await generateLaunches(database, launches)
        const child = startChild()
        const cost = await child.call<StartCost>('measureStart', connection)
        child.stop()
        empty ??= cost
        const kilobytesEach = (field: 'heapMegabytes' | 'bufferMegabytes') =>
          launches === 0 ? '' : (((cost[field] - (empty?.[field] ?? 0)) * 1_024) / launches).toFixed(2)
        rows.push([
          launches.toLocaleString('en'),
          cost.seconds.toFixed(1),
          cost.cpuSeconds.toFixed(1),
          cost.blockMs.toFixed(0),
          cost.peakMegabytes.toFixed(0),
          kilobytesEach('heapMegabytes'),
          kilobytesEach('bufferMegabytes'),
        ])
        if (launches === 0) return
        const { identity, gzip, br } = cost.listingBytes
        const objects = (cost.heapMegabytes - (empty?.heapMegabytes ?? 0)) * 2 ** 20
        held.push([
          launches.toLocaleString('en'),
          ...[objects, identity, gzip, br, objects + identity + gzip + br].map(bytes =>
            (bytes / launches).toFixed(0),
          ),
        ])
      },
      { statementMs: STATEMENT_MS },
    )
  printTable(
    'From the start of a node until it serves every launch',
    [
      'launches',
      'seconds',
      'CPU seconds',
      'event loop blocked, ms (longest)',
      'peak memory, MB',
      'objects and strings, kB per launch',
      'buffers, kB per launch',
    ],
    rows,
  )
  printTable(
    'Memory per launch, in bytes',
    ['launches', 'objects and look-ups', 'JSON, as the plain listing', 'gzip', 'Brotli', 'together'],
    held,
  )
}
