import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { WORKERS_PREFIX } from './metrics.ts'

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
