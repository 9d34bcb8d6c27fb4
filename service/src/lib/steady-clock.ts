/**
 * Milliseconds that never go back. Unlike `performance.now()`, they count the time while the machine was suspended, as
 * soon as its clock shows it. A clock that is set forward counts as well, so use it only where too much is harmless.
 */
export function createSteadyClock({
  monotonic = () => performance.now(),
  clock = Date.now,
}: {
  monotonic?: () => number
  clock?: () => number
} = {}): () => number {
  let last = { monotonicMs: monotonic(), clockMs: clock() }
  let suspendedMs = 0
  return () => {
    const now = { monotonicMs: monotonic(), clockMs: clock() }
    const gainMs = now.clockMs - last.clockMs - (now.monotonicMs - last.monotonicMs)
    // Less is rounding, or a clock that is being adjusted.
    if (gainMs > GAIN_MS_MIN) suspendedMs += gainMs
    last = now
    return now.monotonicMs + suspendedMs
  }
}

const GAIN_MS_MIN = 500
