import type { LaunchActivity } from '@slipway/client'

export type Period = 'day' | 'week' | 'all'
type Interval = 'minute' | 'hour' | 'day'

const INTERVAL_MS: Record<Interval, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const FINER = { day: 'hour', hour: 'minute', minute: undefined } as const
export const PERIOD_MS = { day: INTERVAL_MS.day, week: 7 * INTERVAL_MS.day }
/** A longer period is shown by the day. */
const HOURS_MAX = 8 * 24
/** The API returns no more. */
const POINTS_MAX = 499
/** A line with fewer points says little. The API still returns eight hours of minutes. */
const POINTS_MIN = 8
/** More points would hardly be visible in a chart, and each one is sent with the page. */
const MINUTES_SHOWN = 120

/**
 * Reads a launch's figures at the interval that suits how long they have been recorded: a launch that is an hour old
 * has one hour, but sixty minutes.
 */
export async function readSeries(
  read: (interval: Interval, fromMs: number) => Promise<LaunchActivity>,
  { period, startMs, nowMs }: { period: Period; startMs: number; nowMs: number },
): Promise<LaunchActivity> {
  const fromMs = period === 'all' ? startMs : nowMs - PERIOD_MS[period]
  let interval: Interval = nowMs - fromMs <= INTERVAL_MS.hour * HOURS_MAX ? 'hour' : 'day'
  let activity = await read(interval, Math.max(fromMs, nowMs - POINTS_MAX * INTERVAL_MS[interval]))
  for (let finer: Interval | undefined = FINER[interval]; finer; finer = FINER[interval]) {
    const first = activity.points[0]
    if (!first || activity.points.length >= POINTS_MIN) return activity
    interval = finer
    activity = await read(interval, Math.max(fromMs, Date.parse(first.time)))
  }
  return { ...activity, points: thin(activity.points, MINUTES_SHOWN) }
}

/** Every second, third … point, so that at most `max` are left. The last one always stays. */
function thin<Point>(points: readonly Point[], max: number): Point[] {
  const step = Math.ceil(points.length / max)
  return points.filter((_, at) => (points.length - 1 - at) % step === 0)
}
