import type { ClaimSchedule, Condition, LinearBpsScheduleV2 } from '@metaplex-foundation/genesis'
import { assertKind } from '../conditions.ts'
import { genesisError } from '../errors.ts'

/** A schedule counts from a time. `Always` and `Triggered` have none. */
const STARTS: readonly Condition['__kind'][] = ['TimeAbsolute', 'TimeRelative', 'Never']
const BPS = 10_000

export function parseSchedule(schedule: LinearBpsScheduleV2): LinearBpsScheduleV2 {
  assertKind(schedule.startCondition, STARTS)
  if (schedule.duration <= 0n) throw genesisError('InvalidScheduleTiming')
  return schedule
}

export function parseClaimSchedule(schedule: ClaimSchedule): ClaimSchedule {
  const { startCondition, cliffCondition, duration, period, cliffAmountBps } = schedule
  assertKind(startCondition, STARTS)
  assertKind(cliffCondition, STARTS)
  if (period === 0n) throw genesisError('InvalidClaimSchedulePeriod')
  if (cliffAmountBps > BPS) throw genesisError('InvalidClaimScheduleCliffAmount')
  if (duration === 0n) throw genesisError('InvalidClaimScheduleDuration')
  if (duration < period) throw genesisError('ClaimScheduleDurationTooShort')
  return schedule
}
