import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS } from '@slipway/schema/network'
import { findProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import type { Progress } from './progress.ts'

const LOOK_MS = 200
const WAIT_MS_MAX = 10_000

/** Waits, but not for long, until the embedded chains, which are small, have been read since the given time. */
export async function waitForIndex(database: Database, since: Date, progress: Progress): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS_MAX
  progress.show('Indexing the embedded chains')
  while (performance.now() < deadlineMs) {
    // The indexer itself reports a database that fails.
    const found = await Promise.all(
      NETWORKS.map(network => findProgress(database, network).catch(() => undefined)),
    )
    if (found.every(each => each?.isComplete && each.updatedAt >= since)) return
    await sleep(LOOK_MS)
  }
}
