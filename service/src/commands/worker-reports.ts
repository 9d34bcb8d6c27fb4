import type { Worker } from '../boot/worker-pool.ts'
import { resultWithin } from '../lib/deadline.ts'
import { createCachedCall } from '../lib/kept-reads.ts'
import { PeerGone } from '../lib/peer.ts'
import { createMetricsMerger, mergeReadiness } from '../telemetry/merge-reports.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type Readiness, shareReadiness } from '../telemetry/readiness.ts'

/** Anyone may ask any worker as often as they like, and each answer takes a message to all of them. */
const KEPT_MS = 1_000

/** The metrics and the readiness of all workers. */
export function createWorkerReports<Asked extends Pick<Worker, 'ask'>>({
  metrics,
  count,
  serving,
}: {
  /** The metrics of this process. */
  metrics: Pick<Metrics, 'registry'>
  /** How many workers there should be. */
  count: number
  serving(): Asked[]
}) {
  const merger = createMetricsMerger<Asked>(metrics.registry)
  const ended = new WeakSet<Asked>()
  const checkAll: Readiness = {
    async check(scope) {
      const workers = serving()
      return mergeReadiness(await askWorkers(workers, 'readiness', scope), count)
    },
  }
  let shared = shareReadiness(checkAll, KEPT_MS)

  async function readMetricsOf(worker: Asked) {
    const [values] = await askWorkers([worker], 'metrics')
    if (!ended.has(worker)) merger.set(worker, values)
  }

  return {
    readiness: { check: scope => shared.check(scope) } satisfies Readiness,
    /** Call it when a worker starts or ends, or all of them drain: the next check asks again. */
    changed() {
      shared = shareReadiness(checkAll, KEPT_MS)
    },
    readMetrics: createCachedCall(async () => {
      await Promise.all(serving().map(readMetricsOf))
      return merger.merge()
    }, KEPT_MS),
    readMetricsOf,
    end(worker: Asked) {
      ended.add(worker)
      void merger.end(worker)
    },
  }
}

/** A worker that hangs must not keep others from being asked for their state. */
const ANSWER_MS_MAX = 3_000

/** The answers of all that have not ended or hung meanwhile. */
export async function askWorkers<T>(
  workers: readonly Pick<Worker, 'ask'>[],
  name: string,
  input?: unknown,
): Promise<T[]> {
  const answers = await Promise.all(
    workers.map(worker =>
      resultWithin(ANSWER_MS_MAX, worker.ask<T>(name, input)).catch(error => {
        if (!(error instanceof PeerGone)) throw error
        return undefined
      }),
    ),
  )
  return answers.filter(answer => answer !== undefined)
}
