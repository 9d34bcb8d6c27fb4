import type { SiteObserver } from '../http/site/mount-site.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { NotReady, type ReadinessPart } from '../telemetry/readiness.ts'

/** Reports the state of the pages: metrics, log lines, and the line in `/readyz`. */
export function observeSite(metrics: Metrics, log: Log): { observer: SiteObserver; part: ReadinessPart } {
  let describe: () => string = () => 'being built'
  const logFailure = createLogSampler<unknown>((error, leftOut) =>
    log.warn({ err: error, ...(leftOut > 0 && { leftOut }) }, 'could not render a page'),
  )
  return {
    observer: {
      onBuilt(found) {
        describe =
          found ??
          (() => {
            throw new NotReady('could not be built; only the API is served')
          })
      },
      onRendered: (outcome, seconds) => metrics.pageSeconds.observe({ outcome }, seconds),
      onWaiting: pages => metrics.pagesWaiting.set(pages),
      onRefused: reason => metrics.pagesRefused.inc({ reason }),
      onThreadEnded: reason => metrics.pageThreadsEnded.inc({ reason }),
      // A failed page's message is a whole stack trace; its first line is the error.
      onFailed: error =>
        logFailure(`${(error as Error)?.message ?? error}`.split('\n', 1)[0] as string, error),
    },
    // The API works without pages, so they never take a node out of rotation.
    part: { name: 'site', isOptional: true, check: async () => describe() },
  }
}
