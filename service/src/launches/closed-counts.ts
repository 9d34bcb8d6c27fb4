import { createLru } from '../lib/create-lru.ts'
import { createSingleFlight } from '../lib/single-flight.ts'
import type { Database } from '../store/database.ts'
import { countClosed } from '../store/launch-counts.ts'
import type { LaunchSelection } from '../store/list-launches.ts'

/** Counting the closed launches costs more the more there are, so the number may be this old. */
const AGE_MS_MAX = 5_000
const COUNTS_MAX = 100

/** How many of the live launches are closed, from memory if they were counted a moment ago. */
export function createClosedCounts(database: Database): (selection: LaunchSelection) => Promise<number> {
  const counts = createLru<string, number>(COUNTS_MAX)
  const share = createSingleFlight<string, number>()
  return async selection => {
    const { network, filter, nowMs } = selection
    const step = Math.floor(nowMs / AGE_MS_MAX)
    const key = JSON.stringify([step, network, filter.spotlight, filter.mechanic])
    const known = counts.get(key)
    if (known !== undefined) return known
    return share(key, async () => {
      const count = await countClosed(database, selection)
      counts.set(key, count)
      return count
    })
  }
}
