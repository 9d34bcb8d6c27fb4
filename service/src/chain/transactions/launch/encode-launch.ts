import { encodeCondition } from '../../accounts/bucket-layouts.ts'
import { addressBytes } from '../../addresses/base58.ts'
import { i64, u16, u64, zeros } from '../encode-fields.ts'
import type { Behaviour, LockSchedule, Schedule } from './launch-plan.ts'

const SEND_QUOTE_TOKEN_PERCENTAGE = 1
const SEND_START_PRICE = 3
const NOT_PROCESSED = 0

export function encodeBehaviour(behaviour: Behaviour): Uint8Array {
  const bucket = addressBytes(behaviour.bucket)
  if (behaviour.kind === 'SendStartPrice')
    return Buffer.concat([Uint8Array.of(SEND_START_PRICE, NOT_PROCESSED), zeros(6), bucket])
  const kind = Uint8Array.of(SEND_QUOTE_TOKEN_PERCENTAGE, NOT_PROCESSED)
  return Buffer.concat([kind, u16(behaviour.percentageBps), zeros(4), bucket])
}

/** Bytes that the program reserves for later versions. */
const SCHEDULE_RESERVED = 64
const LOCK_RESERVED = 126

export const encodeSchedule = ({ slopeBps, interceptBps, maxBps, start, duration }: Schedule): Uint8Array =>
  Buffer.concat([
    i64(slopeBps),
    i64(interceptBps),
    u64(maxBps),
    encodeCondition(start),
    i64(duration),
    zeros(SCHEDULE_RESERVED),
  ])

export const encodeLock = ({ start, duration, period, cliff, cliffAmountBps }: LockSchedule): Uint8Array =>
  Buffer.concat([
    encodeCondition(start),
    u64(duration),
    u64(period),
    encodeCondition(cliff),
    u16(cliffAmountBps),
    zeros(LOCK_RESERVED),
  ])
