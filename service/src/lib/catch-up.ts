import { REQUEST_MS_MAX, resultWithin } from './deadline.ts'
import { createFreshSingleFlight } from './single-flight.ts'

/**
 * Makes a worker that has hung read what it missed before it answers anything: meanwhile, changes were confirmed without it. All
 * times are those of the machine's monotonic clock, which its processes share.
 */
export interface CatchUp {
  /** Whether changes wait until this worker shows them. */
  isCurrent(): boolean
  /** Resolves with true once this worker shows everything that was stored at the time of the call; with false if it can't in time. */
  show(): Promise<boolean>
  /** The answer to a ping that was sent at that time: whether this worker shows everything that was stored then. */
  ping(sentMs: number): Promise<boolean>
}

/** Changes wait for this worker for at least this long after a ping. The first process gives up on it a little later. */
export const CURRENT_MS = 1_500

export const sharedClockMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

export function createCatchUp(showAll: () => Promise<void>, nowMs = sharedClockMs): CatchUp {
  const read = createFreshSingleFlight<'all', void>(showAll)
  let endsMs = 0
  const isCurrent = () => nowMs() < endsMs

  async function show(): Promise<boolean> {
    if (isCurrent()) return true
    const shown = read('all').then(
      () => true,
      () => false,
    )
    return (await resultWithin(REQUEST_MS_MAX, shown)) ?? false
  }

  return {
    isCurrent,
    show,
    async ping(sentMs) {
      const isShown = await show()
      // If that took long, changes no longer wait, and this time is over already. Only the next ping says that they wait again.
      if (isShown) endsMs = sentMs + CURRENT_MS
      return isShown
    },
  }
}
