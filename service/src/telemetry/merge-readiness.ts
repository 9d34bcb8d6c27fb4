import type { ReadinessReport } from './readiness.ts'

/** One report for all workers. A line of which a worker says that it fails is shown as failing. */
export function mergeReadiness(
  reports: readonly ReadinessReport[],
  { count }: { count: number },
): ReadinessReport {
  const lines = new Map<string, string>()
  for (const { text } of reports)
    for (const line of text.split('\n').filter(Boolean)) {
      const name = line.split(':', 1)[0] as string
      const known = lines.get(name)
      if (known === undefined || rankOf(line) > rankOf(known)) lines.set(name, line)
    }
  const served = `${reports.length} of ${count} serving`
  lines.set('workers', reports.length > 0 ? `workers: ok, ${served}` : `workers: failing, ${served}`)
  return {
    ready: reports.length > 0 && reports.every(({ ready }) => ready),
    text: [...lines.values()].map(line => `${line}\n`).join(''),
  }
}

/** What fails matters most, and then what the worker says that does the work. */
function rankOf(line: string): number {
  if (/^[^:]*: failing/.test(line)) return 2
  return / not (?:indexed|rendered) by /.test(line) ? 0 : 1
}
