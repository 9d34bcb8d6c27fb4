import { pause } from '../lib/pause.ts'
import type { Database } from '../store/database.ts'
import { dropOldTrades } from '../store/drop-old-trades.ts'
import { deleteOldEvents, writeStarts } from '../store/events.ts'
import { foldLaunchCounts } from '../store/launch-counts.ts'

/** The next start is looked up again at least this often: launches are registered and corrected at any time. */
const STARTS_MS_MAX = 1_000
const DELETE_MS = 60_000
const DELETE_BATCH = 2_000
const FOLD_MS = 10_000
const DROP_MS = 60 * 60_000
const RETRY_MS = 2_000

/**
 * Writes the events of launches that start, deletes old events and trades, and folds the counts of launches. Every
 * node does this; the store makes sure that each task is done once.
 */
export function startEventTasks(
  database: Database,
  { tradesDays, onFault }: { tradesDays: number; onFault(error: unknown): void },
): { close(): void } {
  const closed = new AbortController()

  async function repeat(task: () => Promise<number>) {
    while (!closed.signal.aborted) {
      const waitMs = await task().catch(error => {
        if (!closed.signal.aborted) onFault(error)
        return RETRY_MS
      })
      await pause(waitMs, closed.signal)
    }
  }

  void repeat(async () => {
    const nextMs = (await writeStarts(database)) ?? STARTS_MS_MAX
    return Math.min(Math.max(nextMs, 1), STARTS_MS_MAX)
  })
  void repeat(async () =>
    // The rest follows soon, but other work comes first.
    (await deleteOldEvents(database, DELETE_BATCH)) === DELETE_BATCH ? 1_000 : DELETE_MS,
  )
  void repeat(async () => {
    await foldLaunchCounts(database)
    return FOLD_MS
  })
  if (tradesDays > 0)
    void repeat(async () => {
      await dropOldTrades(database, { days: tradesDays })
      return DROP_MS
    })
  return {
    /** A query in progress ends with the database. If the database hangs, waiting for it would delay the shutdown. */
    close() {
      closed.abort()
    },
  }
}
