import { generateLaunches } from '../launches/sample-pages.ts'
import { withStore } from '../lib/bench-store.ts'
import { startChild } from '../lib/child.ts'
import { printTable } from '../lib/report.ts'
import type { StartCost } from './measure-start.ts'

const STATEMENT_MS = 3_600_000

/** Starts a node on stores of different sizes, and measures what it takes until every launch is served. */
export async function benchStart(sizes: string[]): Promise<void> {
  const rows: string[][] = []
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
}
