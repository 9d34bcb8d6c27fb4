import type { ReadinessReport } from './readiness.ts'

/** One report for all workers. A line is failing if any worker reports it as failing. */
export function mergeReadiness(
  reports: readonly ReadinessReport[],
  { count, serving }: { count: number; serving: number },
): ReadinessReport {
  const lines = new Map<string, string>()
  for (const { text } of reports)
    for (const line of text.split('\n').filter(Boolean)) {
      const name = line.split(':', 1)[0] as string
      const known = lines.get(name)
      if (known === undefined || rankOf(line) > rankOf(known)) lines.set(name, line)
    }
  // A worker that serves but doesn't answer hangs, and its clients wait.
  const isAnswering = serving > 0 && reports.length === serving
  const state = `${reports.length} of ${count} answering`
  lines.set('workers', `workers: ${isAnswering ? 'ok' : 'failing'}, ${state}`)
  return {
    ready: isAnswering && reports.every(({ ready }) => ready),
    text: [...lines.values()].map(line => `${line}\n`).join(''),
  }
}

/** A failing line comes first, then the line of the worker that does the work. */
function rankOf(line: string): number {
  if (/^[^:]*: failing/.test(line)) return 2
  return / not (?:indexed|rendered) by /.test(line) ? 0 : 1
}
