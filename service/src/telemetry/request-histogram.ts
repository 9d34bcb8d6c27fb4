import type { MetricObject, Registry } from 'prom-client'

const NAME = 'slipway_http_request_duration_seconds'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  method: string
  route: string
  status: number
  /** One for each bound and one for the rest; not yet summed up. */
  counts: number[]
  sum: number
}

export interface RequestHistogram {
  observe(method: string, route: string, status: number, seconds: number): void
}

/**
 * Request durations by method, route and status. Kept by hand because it is on the path of every request:
 * an observation is a look-up and an addition, and the text is made when somebody asks for it.
 */
export function createRequestHistogram(registry: Registry): RequestHistogram {
  const series = new Map<string, Series>()
  /** Where the last observation went: most often the next one goes there too. */
  let last: Series | undefined

  function seriesOf(method: string, route: string, status: number): Series {
    const key = `${method} ${status} ${route}`
    const known = series.get(key)
    if (known) return known
    const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
    const made = { method, route, status, counts, sum: 0 }
    series.set(key, made)
    return made
  }

  registry.registerMetric({
    name: NAME,
    get: async () => ({
      name: NAME,
      help: 'From the first byte of a request to the last byte of its response.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...series.values()].flatMap(samples),
    }),
  } as never)

  return {
    observe(method, route, status, seconds) {
      const known =
        last?.status === status && last.route === route && last.method === method
          ? last
          : seriesOf(method, route, status)
      last = known
      let at = 0
      while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at += 1
      known.counts[at] = (known.counts[at] as number) + 1
      known.sum += seconds
    },
  }
}

function samples({ method, route, status, counts, sum }: Series) {
  const labels = { method, route, status }
  let count = 0
  const buckets = counts.map((added, at) => {
    count += added
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS[at] ?? '+Inf', ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ] satisfies (MetricObject | object)[]
}
