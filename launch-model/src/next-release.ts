import type { Condition } from './conditions.ts'
import type { ReleaseSchedule } from './kinds/bucket-parts.ts'

const recorded = ({ triggeredTimestamp = 0n }: Condition): bigint | undefined =>
  triggeredTimestamp > 0n ? triggeredTimestamp : undefined

/**
 * When a schedule releases more, if that is known: once its start is recorded, or while a time that it names is
 * ahead.
 */
export function nextRelease(schedule: ReleaseSchedule | undefined, now: bigint): bigint | undefined {
  if (!schedule) return undefined
  const { start, cliff, duration, period, cliffAmountBps } = schedule
  const ahead = (condition: Condition) =>
    recorded(condition) === undefined && condition.kind === 'TimeAbsolute' && condition.time > now
      ? condition.time
      : undefined
  const since = recorded(start)
  const seconds = since === undefined ? 0n : now - since
  const periodEnd = seconds - (seconds % (period || 1n)) + period
  const startsAt = ahead(start)
  const times = [
    cliffAmountBps > 0 ? ahead(cliff) : undefined,
    since === undefined
      ? startsAt !== undefined
        ? startsAt + period
        : undefined
      : seconds < duration
        ? since + (periodEnd < duration ? periodEnd : duration)
        : undefined,
  ].filter(time => time !== undefined)
  return times.length === 0 ? undefined : times.reduce((a, b) => (a < b ? a : b))
}
