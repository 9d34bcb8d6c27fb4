import type { LinearBpsScheduleV2 } from '@metaplex-foundation/genesis'
import { type Option, unwrapOption } from '@metaplex-foundation/umi'

const BPS = 10_000n

/** The basis points of a schedule at a time: 0 before its condition is met, and after its end. */
export function scheduledBps(option: Option<LinearBpsScheduleV2>, now: bigint): bigint {
  const schedule = unwrapOption(option)
  const start = schedule && unwrapOption(schedule.startCondition.triggeredTimestamp)
  if (!schedule || start === null || now < start || now > start + schedule.duration) return 0n
  const timeBps = ((now - start) * BPS) / schedule.duration
  const bps = schedule.interceptBps + (schedule.slopeBps * timeBps) / BPS
  if (bps > schedule.maxBps) return schedule.maxBps
  return bps < 0n ? 0n : bps
}
