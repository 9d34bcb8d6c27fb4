import { measureInTurns } from '../lib/child.ts'
import { median, printTable } from '../lib/report.ts'
import type { BuildCost, BuildScenario } from './build-cost.ts'

const SCENARIOS: BuildScenario[] = [
  'withdrawal',
  'withdrawal, in a collection',
  'claim, curve',
  'claim, pool',
  'claim, pool and its fees',
  'quote',
  'swap, curve',
  'swap, pool',
  'swap, curve, agent',
  'launch pool, whole',
  'bonding curve, whole',
]

/**
 * Compares the CPU time to build a transaction with that of stock Umi, which builds the same bytes in the same
 * process. With an argument, only the scenarios whose names contain it.
 */
export async function benchBuild([part = '']: string[]): Promise<void> {
  const rows: string[][] = []
  for (const scenario of SCENARIOS.filter(name => name.includes(part))) {
    const costs = await measureInTurns<BuildCost>('measureBuildCost', scenario)
    const of = (value: (cost: BuildCost) => number) => median(costs.map(value))
    rows.push([
      scenario,
      of(cost => cost.umiUs).toFixed(0),
      of(cost => cost.newUs).toFixed(1),
      of(cost => cost.knownUs).toFixed(1),
      of(cost => cost.umiUs / cost.newUs).toFixed(0),
      of(cost => cost.umiUs / cost.knownUs).toFixed(0),
    ])
  }
  printTable(
    'Building a transaction, compared with stock Umi (CPU time)',
    ['', 'Umi, µs', 'ours, new keys, µs', 'ours, known keys, µs', 'times faster, new', 'times faster, known'],
    rows,
  )
}
