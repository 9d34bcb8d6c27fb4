import { median, printTable } from '../lib/report.ts'
import { measureInTurns } from '../lib/turns.ts'
import type { ClaimsCost } from './claims-cost.ts'

/** Compares claims for wallets with many buckets to stock Umi, which builds the same bytes. */
export async function benchClaims(sizes: string[]): Promise<void> {
  const rows: string[][] = []
  for (const buckets of sizes.length > 0 ? sizes.map(Number) : [100, 1_000]) {
    const costs = await measureInTurns<ClaimsCost>('measureClaimsCost', buckets)
    const of = (value: (cost: ClaimsCost) => number) => median(costs.map(value))
    rows.push([
      buckets.toLocaleString('en'),
      of(cost => cost.transactions).toFixed(0),
      of(cost => cost.reads).toFixed(0),
      of(cost => cost.umiMs).toFixed(1),
      of(cost => cost.firstMs).toFixed(1),
      of(cost => cost.againMs).toFixed(1),
      of(cost => cost.umiMs / cost.firstMs).toFixed(0),
      of(cost => cost.umiMs / cost.againMs).toFixed(0),
      of(cost => cost.heapMegabytes).toFixed(1),
    ])
  }
  printTable(
    'A claim, compared with stock Umi: CPU time to decide what can be claimed and to build it',
    [
      'buckets',
      'transactions',
      'RPC calls',
      'Umi, ms',
      'ours, first time, ms',
      'ours, again, ms',
      'times faster, first',
      'times faster, again',
      'heap growth, MB',
    ],
    rows,
  )
}
