import type { Address } from '@slipway/schema/address'
import { addressAt, writeAddress } from '../addresses/base58.ts'
import { BUCKET_TIMES, type BucketTime } from './bucket-layouts.ts'

/** When something may happen in a launch. Times are Unix seconds, clamped to the years 1970 to 9999. */
export type Condition = { triggeredTimestamp?: number } & (
  | { kind: 'TimeAbsolute'; time: number }
  | { kind: 'TimeRelative'; bucket: Address; bucketTime: BucketTime; timeOffset: number }
  | { kind: 'Uninitialized' | 'Triggered' | 'Never' | 'Always' }
)

/** In the order of their numbers on the chain. */
const KINDS = ['Uninitialized', 'TimeAbsolute', 'TimeRelative', 'Triggered', 'Never', 'Always'] as const

/** Counted from the beginning of the condition, whose first byte is its kind. */
const OFFSETS = { bucketTime: 1, timeOffset: 16, bucket: 24, time: 48, triggeredTimestamp: 56 }
export const CONDITION_BYTES = 64
/** The timestamp of a condition that has not been met. */
const NOT_TRIGGERED = 2n ** 63n - 1n

/** The last second of the year 9999. */
export const TIME_MAX = 253_402_300_799

export const clampTime = (seconds: number): number => Math.min(Math.max(seconds, 0), TIME_MAX)

/** Decodes the condition at `offset`. Throws if the bytes are not a condition. */
export function decodeCondition(data: DataView, offset: number): Condition {
  const kind = KINDS[data.getUint8(offset)]
  if (!kind) throw new RangeError('unknown kind of condition')
  const triggeredAt = data.getBigInt64(offset + OFFSETS.triggeredTimestamp, true)
  // A condition that was never written is all zeros, which is not a time in 1970.
  const triggered = triggeredAt !== NOT_TRIGGERED &&
    triggeredAt > 0n && { triggeredTimestamp: clampTime(Number(triggeredAt)) }
  if (kind === 'TimeAbsolute') {
    const time = clampTime(Number(data.getBigInt64(offset + OFFSETS.time, true)))
    return { kind, time, ...triggered }
  }
  if (kind !== 'TimeRelative') return { kind, ...triggered }
  const bucketTime = BUCKET_TIMES[data.getUint8(offset + OFFSETS.bucketTime)]
  if (!bucketTime) throw new RangeError('unknown bucket time')
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const seconds = Number(data.getBigInt64(offset + OFFSETS.timeOffset, true))
  return {
    kind,
    bucket: addressAt(bytes, offset + OFFSETS.bucket),
    bucketTime,
    timeOffset: Math.min(Math.max(seconds, -TIME_MAX), TIME_MAX),
    ...triggered,
  }
}

/** The bytes of a condition that has not been met yet. */
export function encodeCondition(condition: Condition): Uint8Array {
  const bytes = new Uint8Array(CONDITION_BYTES)
  const view = new DataView(bytes.buffer)
  bytes[0] = KINDS.indexOf(condition.kind)
  if (condition.kind === 'TimeAbsolute') view.setBigInt64(OFFSETS.time, BigInt(condition.time), true)
  if (condition.kind === 'TimeRelative') {
    bytes[OFFSETS.bucketTime] = BUCKET_TIMES.indexOf(condition.bucketTime)
    view.setBigInt64(OFFSETS.timeOffset, BigInt(condition.timeOffset), true)
    writeAddress(condition.bucket, bytes, OFFSETS.bucket)
  }
  view.setBigInt64(OFFSETS.triggeredTimestamp, NOT_TRIGGERED, true)
  return bytes
}
