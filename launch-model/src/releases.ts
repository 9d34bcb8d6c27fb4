import { percentage } from './fees.ts'
import type { ReleaseSchedule } from './kinds/bucket-parts.ts'

/**
 * How much of an amount a claim schedule has released. The cliff is released when its condition is recorded as met.
 * The rest is released from the recorded start on, after each full period. Time alone releases nothing: someone must
 * have sent `triggerConditionsV2`.
 */
export function releasedOf(schedule: ReleaseSchedule | undefined, whole: bigint, now: bigint): bigint {
  if (!schedule) return whole
  const atCliff = percentage(whole, BigInt(schedule.cliffAmountBps))
  const gradually = whole - atCliff
  const released = schedule.cliff.triggeredTimestamp === undefined ? 0n : atCliff
  const start = schedule.start.triggeredTimestamp
  if (start === undefined || now < start) return released
  const elapsed = now - start
  if (elapsed >= schedule.duration) return released + gradually
  const fullPeriods = elapsed - (elapsed % schedule.period)
  // The program rounds up.
  return released + (gradually * fullPeriods + schedule.duration - 1n) / schedule.duration
}
