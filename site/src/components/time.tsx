import { formatCountdown, formatDuration, formatTime } from '../lib/format.ts'
import { useIsHydrated, useNow } from '../lib/now.ts'
import styles from './time.module.css'

/** The time is not known. */
const NOT_KNOWN = 'unknown'

/** A time in the reader's zone, with UTC on hover. The server does not know the zone and writes UTC. */
export function Time({ at }: { at: string }) {
  const isHydrated = useIsHydrated()
  const nowMs = useNow('minute')
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return NOT_KNOWN
  const utc = `${formatTime(ms, nowMs, 'UTC')} UTC`
  return (
    <time dateTime={at} title={utc} className={styles.time}>
      {isHydrated ? formatTime(ms, nowMs) : utc}
    </time>
  )
}

/** `2 m ago`. */
export function TimeAgo({ at, suffix = ' ago' }: { at: string; suffix?: string }) {
  const nowMs = useNow('minute')
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return NOT_KNOWN
  const passedMs = nowMs - ms
  return (
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className={styles.time}>
      {passedMs < 60_000 ? 'just now' : `${formatDuration(passedMs)}${suffix}`}
    </time>
  )
}

/** `Ends in 2 h 14 m`, for a list: it changes by the minute. Renders nothing once the time has passed. */
export function TimeLeft({ at, prefix }: { at: string; prefix: string }) {
  const nowMs = useNow('minute')
  const ms = Date.parse(at)
  if (!(ms > nowMs)) return null
  return (
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className={styles.time}>
      {prefix}
      {formatDuration(ms - nowMs)}
    </time>
  )
}

/** The time until `at`, ticking. Renders nothing once it has passed. */
export function Countdown({ at, prefix = '' }: { at: string; prefix?: string }) {
  const ms = Date.parse(at)
  const isHydrated = useIsHydrated()
  const nowMs = useNow('second')
  if (!(ms > nowMs)) return null
  return (
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className={styles.time}>
      {prefix}
      {isHydrated ? formatCountdown(ms - nowMs) : formatDuration(ms - nowMs)}
    </time>
  )
}
