import type { Condition } from '@slipway/launch-model/conditions'
import type { ReleaseSchedule } from '@slipway/launch-model/kinds/bucket-parts'
import { clampTime } from '@slipway/launch-model/launch-times'
import { releasedOf } from '@slipway/launch-model/releases'

/** How what was sold is paid out over time. A time is absent if it isn't known yet. */
export interface Payout {
  /** The part that is paid out at once, from 0 to 1. */
  firstShare: number
  firstAt: string | undefined
  endsAt: string | undefined
  /** Which part has been paid out by then, from 0 to 1. */
  shareAt(nowMs: number): number
}

/** Undefined if nothing is ever paid out. `timeOf` says when a condition is or was met, in Unix seconds. */
export function describePayout(
  schedule: ReleaseSchedule,
  timeOf: (condition: Condition) => number | undefined,
): Payout | undefined {
  const { start, cliff, duration, cliffAmountBps } = schedule
  if (start.kind === 'Never') return undefined
  const [startTime, cliffTime] = [timeOf(start), timeOf(cliff)]
  return {
    firstShare: cliffAmountBps / 10_000,
    firstAt: toTime(cliffTime),
    endsAt: toTime(startTime === undefined ? undefined : startTime + Number(duration)),
    shareAt(nowMs) {
      const now = Math.floor(nowMs / 1_000)
      // The chain records a condition when someone claims. What is due counts as paid out before that too.
      const metBy = (time: number | undefined): Condition => ({
        kind: 'Always',
        ...(time !== undefined && time <= now && { triggeredTimestamp: BigInt(time) }),
      })
      const period = schedule.period || 1n
      const due = { ...schedule, period, start: metBy(startTime), cliff: metBy(cliffTime) }
      return Number(releasedOf(due, WHOLE, BigInt(now))) / Number(WHOLE)
    },
  }
}

const WHOLE = 1_000_000n

const toTime = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(clampTime(seconds) * 1_000).toISOString()
