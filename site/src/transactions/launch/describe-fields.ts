import { formatAmount } from '@slipway/client'
import type { BucketTime, Condition } from '@slipway/launch-model/conditions'
import type { Behavior, ReleaseSchedule, Schedule } from '@slipway/launch-model/kinds/bucket-parts'
import { formatExactly } from '../../lib/format.ts'

/** Decimals of the new token and of the payment token, and what the latter is called. */
export interface Units {
  base: number
  quote: number
  quoteSymbol: string
}

/** What an instruction says, in words. Nothing is rounded or shortened. */
export type Fields = Record<string, string>

export const tokens = (amount: bigint, { base }: Units): string => `${formatExactly(amount, base)} tokens`
export const quote = (amount: bigint, { quote, quoteSymbol }: Units): string =>
  `${formatExactly(amount, quote)} ${quoteSymbol}`

export const percent = (bps: bigint): string => `${formatAmount(bps, 2)}%`

/** The times of a bucket. */
const EVENTS: Record<BucketTime, string> = {
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
        ? `${formatDuration(timeOffset)} after ${event}`
        : `${formatDuration(-timeOffset)} before ${event}`
    }
    case 'Triggered':
      return TRIGGERED
    case 'Never':
      return 'never'
    case 'Always':
      return 'at once'
    case 'Uninitialized':
      return 'at a time that is not set'
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
function formatDuration(seconds: bigint): string {
  if (seconds < 1n) return `${seconds} s`
  const parts: [bigint, string][] = [
    [seconds / DAY, 'd'],
    [(seconds % DAY) / 3_600n, 'h'],
    [(seconds % 3_600n) / 60n, 'm'],
    [seconds % 60n, 's'],
  ]
  return parts.flatMap(([amount, unit]) => (amount > 0n ? `${amount} ${unit}` : [])).join(' ')
}

export const describeSchedule = ({
  slopeBps,
  interceptBps,
  maxBps,
  start,
  duration: seconds,
}: Schedule): string =>
  `from ${percent(interceptBps)} to ${percent(interceptBps + slopeBps)}, at most ${percent(maxBps)}, over ${formatDuration(seconds)}, starting ${describeCondition(start)}`

export const LOCKED_FOR_GOOD = 'locked for good'

export function describeLock({ start, duration, period, cliff, cliffAmountBps }: ReleaseSchedule): string {
  const release = `every ${formatDuration(period)} for ${formatDuration(duration)}`
  const first = `${percent(BigInt(cliffAmountBps))} ${describeCondition(cliff)}`
  return start.kind === 'Never'
    ? `${LOCKED_FOR_GOOD} (release ${release}, first ${first})`
    : `released ${release}, starting ${describeCondition(start)}, first ${first}`
}

export const OPENING_PRICE = 'the opening price to '

export const describeBehaviors = (behaviors: readonly Behavior[]): string =>
  behaviors.map(describeBehavior).join(', ')

function describeBehavior(behavior: Behavior): string {
  switch (behavior.kind) {
    case 'SendStartPrice':
      return `${OPENING_PRICE}${behavior.bucket}`
    case 'SendQuoteTokenPercentage':
      return `${percent(BigInt(behavior.percentageBps))} to ${behavior.bucket}`
    default:
      return `something that this page doesn’t know (${behavior.kind})`
  }
}
