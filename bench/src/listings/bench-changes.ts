import { startChild } from '../lib/child.ts'
import { printTable } from '../lib/report.ts'
import type { ChangeCost } from './change-cost.ts'

/** Compares the cost of one changed launch with a full rebuild, and measures how long each blocks the event loop. */
export async function benchChanges(sizes: string[]): Promise<void> {
  const rows: string[][] = []
  for (const launches of sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000]) {
    const child = startChild()
    const cost = await child.call<ChangeCost>('measureChangeCost', launches)
    child.stop()
    rows.push([
      launches.toLocaleString('en'),
      cost.rebuildMs.toFixed(0),
      cost.changeMs.toFixed(1),
      (cost.changeMs / cost.rebuildMs).toFixed(4),
      cost.changeBlockMsMax.toFixed(1),
      cost.rebuildBlockMsMax.toFixed(1),
      cost.peakMegabytes.toFixed(0),
    ])
  }
  printTable(
    'One change compared with a full rebuild: all listings of a network, gzip included',
    [
      'launches',
      'rebuild, ms',
      'change, ms (median)',
      'change / rebuild',
      'event loop blocked by a change, ms (longest)',
      'by a rebuild, ms (longest)',
      'peak memory, MB',
    ],
    rows,
  )
}
