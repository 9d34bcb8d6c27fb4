import type { LaunchStatus } from '@slipway/client'
import {
  formatCountdown,
  formatDuration,
  formatExactly,
  formatNumber,
  formatPrice,
  formatPriceExactly,
  formatShare,
  formatTime,
  formatUnits,
  quoteSymbol,
} from '../lib/format.ts'
import type { Figures } from '../lib/launches.ts'
import { useIsHydrated, useNow } from '../lib/now.ts'
import styles from './figures.module.css'

/**
 * An amount in the smallest unit, rounded for reading; the exact one is in the title. Amounts that people add up are
 * shown exactly, and those that a sheet repeats as it says them.
 */
export function Amount({
  units,
  decimals,
  symbol,
  format = formatUnits,
}: {
  units: string
  decimals: number
  symbol?: string
  format?: (units: string, decimals: number) => string
}) {
  if (units === '') return 'unknown'
  const exact = formatExactly(units, decimals)
  return (
    <span className="steady unbroken" title={symbol ? `${exact} ${symbol}` : exact}>
      {format(units, decimals)}
      {symbol && (
        <span className={styles.symbol}>
          {' '}
          <bdi>{symbol}</bdi>
        </span>
      )}
    </span>
  )
}

/** The price of one token. The title has all its digits, and screen readers say them. */
export function Price({
  price,
  symbol,
  isExplained = false,
}: {
  price: string | number
  symbol: string
  /** Whether to write the price out as well: not everyone knows that `0.0₇8053` counts zeros. */
  isExplained?: boolean
}) {
  const [short, exact, plain] = [formatPrice(price), formatPriceExactly(price), formatNumber(Number(price))]
  return (
    <span className="steady unbroken" title={`${exact} ${symbol}`}>
      {short === exact ? (
        short
      ) : (
        <>
          <span aria-hidden="true">{short}</span>
          <span className="unseen">{exact}</span>
        </>
      )}
      <span className={styles.symbol}> {symbol}</span>
      {isExplained && plain !== short && (
        <span className={styles.plain} aria-hidden="true">
          = {plain}
        </span>
      )}
    </span>
  )
}

/** What was raised, and of how much if there is a goal: `182.4 of 250 SOL`. */
export const Raised = ({
  figures: { raised, goal, quoteMint, quoteDecimals },
}: {
  figures: Pick<Figures, 'raised' | 'goal' | 'quoteMint' | 'quoteDecimals'>
}) => (
  <>
    <Amount units={raised} decimals={quoteDecimals} />
    <span className={styles.goal}>
      {goal !== null && (
        <>
          {' of '}
          <Amount units={goal} decimals={quoteDecimals} />
        </>
      )}{' '}
      {quoteSymbol(quoteMint)}
    </span>
  </>
)

/** How far towards a goal, from 0 to 1. Drawn without style attributes, which the site's policy forbids. */
export function Progress({
  share,
  label,
  status = 'live',
}: {
  share: number
  label: string
  status?: string
}) {
  const filled = Math.min(1, Math.max(0, share))
  return (
    <svg
      className={`${styles.progress} ${styles[status]}`}
      role="img"
      aria-label={`${label}: ${formatShare(share)}`}
      width="100%"
      height="6"
    >
      <rect width="100%" height="6" rx="3" className={styles.track} />
      <rect width={`${(filled * 100).toFixed(2)}%`} height="6" rx="3" className={styles.fill} />
    </svg>
  )
}

const LABELS = {
  upcoming: 'Upcoming',
  live: 'Live',
  closed: 'Closed',
  missed: 'Goal missed',
  graduated: 'Graduated',
}

export function StatusBadge({ status }: { status: LaunchStatus | 'closed' | 'missed' }) {
  return <span className={`${styles.badge} ${styles[status]}`}>{LABELS[status]}</span>
}

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
    <time dateTime={at} title={utc} className="steady unbroken">
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
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className="steady unbroken">
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
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className="steady unbroken">
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
    <time dateTime={at} title={`${formatTime(ms, nowMs, 'UTC')} UTC`} className="steady unbroken">
      {prefix}
      {isHydrated ? formatCountdown(ms - nowMs) : formatDuration(ms - nowMs)}
    </time>
  )
}

const WIDTH = 112
const HEIGHT = 28

/** A change below this share of the value doesn't fill the height. It would look like a leap. */
const LEAST_SPAN = 0.02

/** The shape of a series, oldest first. Hidden from screen readers, because a number is beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (values.length < 2) return <span className={styles.none} />
  const span = Math.max(high - low, high * LEAST_SPAN) || 1
  const middle = (high + low) / 2
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    const y = HEIGHT / 2 - ((value - middle) / span) * (HEIGHT - 6)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.line}
      aria-hidden="true"
    >
      {high > low && <path d={`${line}V${HEIGHT}H0Z`} className={styles.area} />}
      <path d={line} />
    </svg>
  )
}
