import { type Address, formatAmount } from '@slipway/client'
import { formatExactly } from '../../lib/format.ts'

/** Decimals of the new token and of the token that is paid with, and what the latter is called. */
export interface Units {
  base: number
  quote: number
  quoteSymbol: string
}

/**
 * How the fields of a launch are written. What the page expects and what the bytes say are compared in this form, so different
 * values must never have the same text: nothing is rounded or shortened.
 */
export type Fields = Record<string, string>

export const tokens = (amount: bigint, { base }: Units): string => `${formatExactly(amount, base)} tokens`
export const quote = (amount: bigint, { quote, quoteSymbol }: Units): string =>
  `${formatExactly(amount, quote)} ${quoteSymbol}`

export const percent = (bps: bigint): string => `${formatAmount(bps, 2)}%`

export type Condition =
  | { kind: 'TimeAbsolute'; time: bigint }
  | { kind: 'TimeRelative'; bucket: Address; bucketTime: BucketTime; timeOffset: bigint }
  | { kind: 'Triggered' | 'Never' | 'Always' }

/** The times of a bucket, in the order of their numbers on the chain. */
const EVENTS = {
  DepositStart: 'the start of deposits',
  DepositEnd: 'the end of deposits',
  ClaimStart: 'the start of claims',
  ClaimEnd: 'the end of claims',
  SwapStart: 'the start of trading',
  SwapEnd: 'the end of trading',
  LockStart: 'the start of the lock',
  LockEnd: 'the end of the lock',
  GraduateStart: 'the opening',
  Graduate: 'the graduation',
}
export type BucketTime = keyof typeof EVENTS
export const BUCKET_TIMES = Object.keys(EVENTS) as BucketTime[]

export const TRIGGERED = 'when a transaction triggers it'

export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'TimeAbsolute':
      return describeTime(condition.time)
    case 'TimeRelative': {
      const { bucket, bucketTime, timeOffset } = condition
      const event = `${EVENTS[bucketTime]} of ${bucket}`
      if (timeOffset === 0n) return `at ${event}`
      return timeOffset > 0n
        ? `${duration(timeOffset)} after ${event}`
        : `${duration(-timeOffset)} before ${event}`
    }
    case 'Triggered':
      return TRIGGERED
    case 'Never':
      return 'never'
    case 'Always':
      return 'at once'
  }
}

/** The last second of the year 9999. */
const TIME_MAX = 253_402_300_799n

function describeTime(seconds: bigint): string {
  if (seconds < 0n || seconds > TIME_MAX) return `at the time ${seconds}`
  const [date, time] = new Date(Number(seconds) * 1_000).toISOString().split('T') as [string, string]
  return `on ${date} at ${time.slice(0, 8)} UTC`
}

const DAY = 86_400n

/** `93784` becomes `1 d 2 h 3 m 4 s`. */
function duration(seconds: bigint): string {
  if (seconds < 1n) return `${seconds} s`
  const parts: [bigint, string][] = [
    [seconds / DAY, 'd'],
    [(seconds % DAY) / 3_600n, 'h'],
    [(seconds % 3_600n) / 60n, 'm'],
    [seconds % 60n, 's'],
  ]
  return parts.flatMap(([amount, unit]) => (amount > 0n ? `${amount} ${unit}` : [])).join(' ')
}

/** A straight line over the time from its start, in basis points. */
export interface Schedule {
  slopeBps: bigint
  interceptBps: bigint
  maxBps: bigint
  start: Condition
  seconds: bigint
}

export const describeSchedule = ({ slopeBps, interceptBps, maxBps, start, seconds }: Schedule): string =>
  `from ${percent(interceptBps)} to ${percent(interceptBps + slopeBps)}, at most ${percent(maxBps)}, over ${duration(seconds)}, starting ${describeCondition(start)}`

/** When the liquidity of a pool can be claimed. */
export interface Lock {
  start: Condition
  seconds: bigint
  period: bigint
  cliff: Condition
  cliffBps: number
}

export const LOCKED_FOR_GOOD = 'locked for good'

export function describeLock({ start, seconds, period, cliff, cliffBps }: Lock): string {
  const release = `every ${duration(period)} for ${duration(seconds)}`
  const first = `${percent(BigInt(cliffBps))} ${describeCondition(cliff)}`
  return start.kind === 'Never'
    ? `${LOCKED_FOR_GOOD} (release ${release}, first ${first})`
    : `released ${release}, starting ${describeCondition(start)}, first ${first}`
}

export type Behaviour = { kind: 'price' | 'share'; bps: number; bucket: Address }

export const OPENING_PRICE = 'the opening price to '

export const describeBehaviours = (behaviours: readonly Behaviour[]): string =>
  behaviours
    .map(({ kind, bps, bucket }) =>
      kind === 'price' ? `${OPENING_PRICE}${bucket}` : `${percent(BigInt(bps))} to ${bucket}`,
    )
    .join(', ')
