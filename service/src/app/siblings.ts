import type { SharedRendering } from '../http/site/share-renderer.ts'
import type { CatchUp } from '../lib/catch-up.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import type { Readiness } from '../telemetry/readiness.ts'

/** What a worker shares with the other workers of its node. */
export interface Siblings {
  /** The readiness and the metrics of all workers together. */
  readiness: Readiness
  readMetrics(): Promise<string>
  /** Resolves once the other workers that answer show everything that was stored at the time of the call. */
  showAll(): Promise<unknown>
  /** What the workers have counted for each client. */
  counts: SharedCounts
  rendering: SharedRendering
  /** Other workers may confirm changes without this one while it hangs. */
  catchUp: CatchUp
  /** How many workers share the budgets of the node. */
  count: number
  /** Whether this worker does what only one of them needs to do. */
  isFirst: boolean
}
