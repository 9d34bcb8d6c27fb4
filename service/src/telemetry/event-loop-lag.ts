import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

export interface EventLoopLag {
  /** Call it when work begins: the next samples follow closely. */
  noteActivity(): void
  /** Calls back after each sample. */
  onSample(listener: (sample: LagSample) => void): void
}

export interface LagSample {
  lagMs: number
  /** Processor time that the turn took. On a busy machine it is much less than the lag. */
  workMs: number
}

const ACTIVE_INTERVAL_MS = 20
/** Often enough to notice work without requests, such as indexing. */
const IDLE_INTERVAL_MS = 1_000

/**
 * Measures how long the event loop makes others wait: how late a timer fires, or how long the turn that follows takes.
 * Node's own monitor wakes an idle process a hundred times a second; this one samples often only while there is work.
 */
export function createEventLoopLag(registry: Registry): EventLoopLag {
  const histogram = createHistogram()
  const listeners: ((sample: LagSample) => void)[] = []
  let isActive = false
  let intervalMs = IDLE_INTERVAL_MS
  let dueMs = 0
  let timer: NodeJS.Timeout | undefined

  function schedule(ms: number) {
    clearTimeout(timer)
    intervalMs = ms
    dueMs = performance.now() + ms
    timer = setTimeout(sample, ms).unref()
  }

  function sample() {
    const firedMs = performance.now()
    const lateMs = firedMs - dueMs
    const firedCpu = process.cpuUsage()
    // While an immediate is pending, the loop doesn't wait for events: the time until it runs is all work.
    setImmediate(() => {
      const turnMs = performance.now() - firedMs
      const lagMs = Math.max(lateMs, turnMs)
      const { user, system } = process.cpuUsage(firedCpu)
      // Other threads use the processor too.
      const workMs = Math.min(turnMs, (user + system) / 1_000)
      histogram.record(Math.max(1, Math.round(lagMs * 1e6)))
      for (const listener of listeners) listener({ lagMs, workMs })
      schedule(isActive ? ACTIVE_INTERVAL_MS : IDLE_INTERVAL_MS)
      isActive = false
    }).unref()
  }

  registerGauges(registry, histogram)
  schedule(IDLE_INTERVAL_MS)
  return {
    noteActivity() {
      if (isActive) return
      isActive = true
      if (intervalMs === IDLE_INTERVAL_MS) schedule(ACTIVE_INTERVAL_MS)
    },
    onSample: listener => void listeners.push(listener),
  }
}

/** Under the names that prom-client uses. Each scrape starts a new measurement. */
function registerGauges(registry: Registry, histogram: RecordableHistogram) {
  const registers = [registry]
  // Comes first: it sets all of them, so that they describe the same samples.
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Lag of event loop in seconds.',
    registers,
    collect() {
      const seconds = (ns: number) => (histogram.count === 0 ? 0 : ns / 1e9)
      this.set(seconds(histogram.mean))
      for (const { gauge, read } of gauges) gauge.set(seconds(read()))
      histogram.reset()
    },
  })
  const gauges = [
    { part: 'min', read: () => histogram.min },
    { part: 'max', read: () => histogram.max },
    { part: 'mean', read: () => histogram.mean },
    { part: 'stddev', read: () => histogram.stddev },
    { part: 'p50', read: () => histogram.percentile(50) },
    { part: 'p90', read: () => histogram.percentile(90) },
    { part: 'p99', read: () => histogram.percentile(99) },
  ].map(({ part, read }) => ({
    read,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${part}_seconds`,
      help: `Lag of the event loop since the previous scrape: ${part}.`,
      registers,
    }),
  }))
}
