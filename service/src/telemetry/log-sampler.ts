const INTERVAL_MS = 1_000
/** Callers may influence the kinds too, so those beyond this number share one. */
const KINDS_MAX = 20
const OTHER = 'other'

/**
 * Writes at most one line per second of each kind: the first at once, then the last of each second, with the number of
 * lines that were left out before it. For lines that callers can cause as often as they like.
 */
export function createLogSampler<Line>(
  write: (line: Line, leftOut: number) => void,
  intervalMs = INTERVAL_MS,
): (kind: string, line: Line) => void {
  const waiting = new Map<string, { last: Line | undefined; count: number }>()

  function pause(kind: string) {
    const state = { last: undefined as Line | undefined, count: 0 }
    waiting.set(kind, state)
    setTimeout(() => {
      waiting.delete(kind)
      if (state.count === 0) return
      pause(kind)
      write(state.last as Line, state.count - 1)
    }, intervalMs).unref()
  }

  return (given, line) => {
    const kind = waiting.has(given) || waiting.size < KINDS_MAX ? given : OTHER
    const state = waiting.get(kind)
    if (state) {
      state.last = line
      state.count += 1
      return
    }
    pause(kind)
    write(line, 0)
  }
}
