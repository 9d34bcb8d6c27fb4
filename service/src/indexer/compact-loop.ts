import { pause } from '../lib/pause.ts'
import { compactActivity } from '../store/compact-activity.ts'
import type { Database } from '../store/database.ts'

/** How many states are compacted at a time. No change can be stored meanwhile, so a batch is short. */
const BATCH = 1_000
/** Pause between two batches, in which changes can be stored. */
const GIVE_WAY_MS = 200

/**
 * Compacts the figures of launches until the signal. A batch that fails or is interrupted is repeated the next time.
 */
export async function runCompactLoop(
  database: Database,
  { compactMs, onFault, signal }: { compactMs: number; onFault(error: unknown): void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    let count = 0
    try {
      count = await compactActivity(database, { limit: BATCH })
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    await pause(count < BATCH ? compactMs : GIVE_WAY_MS, signal)
  }
}
