import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { WORKERS_PREFIX } from './metrics.ts'
import { NOTE, type ReadinessReport } from './readiness.ts'

type Values = MetricObjectWithValues<MetricValue<string>>[]

/**
 * Merges the metrics of several processes with each metric's aggregator; most are added up. The counters of a process
 * that has ended are kept, because a falling sum would look like a restart.
 */
export function createMetricsMerger<Owner extends object>(own: Registry) {
  const latest = new Map<Owner, Values>()
  let ended: Values = []

  return {
    /** Undefined if the process did not answer: its last metrics stay. */
    set(owner: Owner, values: unknown) {
      if (values !== undefined) latest.set(owner, (values as Values).map(withoutAverage))
    },
    async end(owner: Owner) {
      const values = latest.get(owner)
      latest.delete(owner)
      if (!values) return
      ended = (await AggregatorRegistry.aggregate([
        ended,
        values.filter(isCounted),
      ]).getMetricsAsJSON()) as Values
    },
    async merge(): Promise<string> {
      const mine = ((await own.getMetricsAsJSON()) as Values).filter(
        metric =>
          isCounted(metric) || metric.name.startsWith('process_') || metric.name.startsWith(WORKERS_PREFIX),
      )
      return AggregatorRegistry.aggregate([...latest.values(), mine, ended]).metrics()
    },
  }
}

/** One busy worker must be visible, however idle the others are. */
const withoutAverage = <Metric extends { aggregator?: unknown }>(metric: Metric): Metric =>
  metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric

const isCounted = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram'

/** One report for all workers. A line is failing if any worker reports it as failing, and has the notes of all. */
export function mergeReadiness(
  reports: readonly ReadinessReport[],
  /** How many workers there should be. */
  count: number,
): ReadinessReport {
  const lines = new Map<string, { line: string; notes: string[] }>()
  for (const { text } of reports)
    for (const whole of text.split('\n').filter(Boolean)) {
      const [line = '', ...notes] = whole.split(NOTE)
      const name = line.split(':', 1)[0] as string
      const known = lines.get(name) ?? { line, notes: [] }
      lines.set(name, {
        line: rankOf(line) > rankOf(known.line) ? line : known.line,
        notes: [...known.notes, ...notes],
      })
    }
  // New connections go to those that answer.
  const isAnswering = reports.length > 0
  const state = `${reports.length} of ${count} answering`
  lines.set('workers', { line: `workers: ${isAnswering ? 'ok' : 'failing'}, ${state}`, notes: [] })
  return {
    ready: isAnswering && reports.every(({ ready }) => ready),
    text: [...lines.values()].map(({ line, notes }) => `${[line, ...once(notes)].join(NOTE)}\n`).join(''),
  }
}

/** Workers note the same thing at different times. The first of them counts. */
function once(notes: readonly string[]): string[] {
  const byText = new Map(
    notes
      .toSorted()
      .reverse()
      .map(note => [note.replace(/ \(first seen [^)]*\)$/, ''), note]),
  )
  return [...byText.values()]
}

/** A failing line comes first, then the line of the worker that does the work. */
function rankOf(line: string): number {
  if (/^[^:]*: failing/.test(line)) return 2
  return / not (?:indexed|rendered) by /.test(line) ? 0 : 1
}
