const MINUTE_MS = 60_000
const CANDLES_DEFAULT = 500
const CANDLES_MAX = 1_000

/**
 * Where the first interval between `fromMs` and `toMs` starts and the last one ends. A range covers the interval of
 * its start, ends before the one that begins at its end, and has at most a thousand intervals, the last ones.
 */
export function planCandles(
  { minutes, fromMs, toMs }: { minutes: number; fromMs?: number | undefined; toMs?: number | undefined },
  nowMs: number,
): { fromMs: number; toMs: number } {
  const lengthMs = minutes * MINUTE_MS
  // There are no candles in the future, and the store doesn't accept far years.
  const end = Math.ceil(Math.min(toMs ?? nowMs, nowMs + MINUTE_MS) / lengthMs)
  const start = fromMs === undefined ? end - CANDLES_DEFAULT : Math.floor(fromMs / lengthMs)
  const first = Math.max(start, end - CANDLES_MAX, 0)
  return { fromMs: first * lengthMs, toMs: Math.max(end, first) * lengthMs }
}
