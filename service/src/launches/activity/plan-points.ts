import type { ActivityInterval } from '@slipway/schema/activity'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
export const INTERVAL_MS: Record<ActivityInterval, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
}

export const POINTS_MAX = 500

/**
 * The starts of the intervals between `fromMs` and `toMs`, in UTC, oldest first. There are none in the future. A wider
 * range than 500 intervals yields the last 500.
 */
export function planPoints(
  { interval, fromMs, toMs }: { interval: ActivityInterval; fromMs?: number; toMs?: number },
  nowMs: number,
): number[] {
  const length = INTERVAL_MS[interval]
  const endMs = Math.min(toMs ?? nowMs, nowMs)
  const startMs = Math.max(fromMs ?? endMs - DAY_MS, 0)
  const first = Math.floor(startMs / length)
  // An interval that begins at `to` is not part of the range.
  const last = Math.ceil(endMs / length) - 1
  const count = Math.min(Math.max(last - first + 1, 0), POINTS_MAX)
  return Array.from({ length: count }, (_, at) => (last - count + 1 + at) * length)
}
