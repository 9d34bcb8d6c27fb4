import type { FieldReader } from '../read-fields.ts'
import { refuse } from '../unexpected.ts'
import { type Behaviour, BUCKET_TIMES, type Condition, type Lock, type Schedule } from './describe-fields.ts'

const TIME_ABSOLUTE = 1
const TIME_RELATIVE = 2
const OTHER_KINDS = { 3: 'Triggered', 4: 'Never', 5: 'Always' } as const
/** The timestamp of a condition that has not been met. */
const NOT_TRIGGERED = 2n ** 63n - 1n

/** 64 bytes, most of them empty. */
export function readCondition(fields: FieldReader): Condition {
  const condition = readKind(fields)
  if (fields.i64() !== NOT_TRIGGERED) refuse('The transaction says that something has happened that hasn’t.')
  return condition
}

function readKind(fields: FieldReader): Condition {
  const number = fields.u8()
  if (number === TIME_ABSOLUTE) {
    fields.zeros(47)
    return { kind: 'TimeAbsolute', time: fields.i64() }
  }
  if (number === TIME_RELATIVE) {
    const bucketTime = BUCKET_TIMES[fields.u8()] ?? refuse(UNKNOWN)
    fields.zeros(14)
    const timeOffset = fields.i64()
    return { kind: 'TimeRelative', bucket: fields.address(), bucketTime, timeOffset }
  }
  const kind = OTHER_KINDS[number as keyof typeof OTHER_KINDS] ?? refuse(UNKNOWN)
  fields.zeros(55)
  return { kind }
}
const UNKNOWN = 'The transaction has a time that this page doesn’t know.'

export function readSchedule(fields: FieldReader): Schedule {
  const [slopeBps, interceptBps, maxBps] = [fields.i64(), fields.i64(), fields.u64()]
  const schedule = { slopeBps, interceptBps, maxBps, start: readCondition(fields), seconds: fields.i64() }
  fields.zeros(64)
  return schedule
}

export function readLock(fields: FieldReader): Lock {
  const start = readCondition(fields)
  const [seconds, period] = [fields.u64(), fields.u64()]
  const lock = { start, seconds, period, cliff: readCondition(fields), cliffBps: fields.u16() }
  fields.zeros(126)
  return lock
}

const SHARE = 1
const PRICE = 3

export function readBehaviour(fields: FieldReader): Behaviour {
  const number = fields.u8()
  if (number !== SHARE && number !== PRICE)
    refuse('The transaction does something with the proceeds that this page doesn’t know.')
  // It has not been carried out.
  fields.zeros(1)
  const bps = fields.u16()
  if (number === PRICE && bps !== 0) refuse('The transaction has data in a place that must be empty.')
  fields.zeros(4)
  return { kind: number === PRICE ? 'price' : 'share', bps, bucket: fields.address() }
}
