import type { Address } from '@slipway/schema/address'
import { addressAt } from '../addresses/base58.ts'

/** When something may happen in a launch. Times are unix seconds, whatever a stranger wrote: years 1970 to 9999. */
export type Condition = { triggeredTimestamp?: number } & (
  | { kind: 'TimeAbsolute'; time: number }
  | { kind: 'TimeRelative'; bucket: Address; bucketTime: BucketTime; timeOffset: number }
  | { kind: 'Uninitialized' | 'Triggered' | 'Never' | 'Always' }
)

/** The instants in a bucket's life that another bucket's condition can refer to. */
export type BucketTime =
  | 'DepositStart'
  | 'DepositEnd'
  | 'ClaimStart'
  | 'ClaimEnd'
  | 'SwapStart'
  | 'SwapEnd'
  | 'LockStart'
  | 'LockEnd'
  | 'GraduateStart'
  | 'Graduate'

/** Where things stand in a condition. */
export interface ConditionLayout {
  kinds: { kind: Condition['kind']; at: Record<ConditionField, number> }[]
  bucketTimes: BucketTime[]
  /** What stands for a condition that has not been met. */
  notTriggered: bigint
}

export type ConditionField = 'time' | 'bucketTime' | 'timeOffset' | 'bucket' | 'triggeredTimestamp'

/** The last second of the year 9999. */
export const TIME_MAX = 253_402_300_799

export const clampTime = (seconds: number): number => Math.min(Math.max(seconds, 0), TIME_MAX)

/** The condition at `offset`; throws for bytes that are none. */
export function readCondition(
  data: DataView,
  offset: number,
  { kinds, bucketTimes, notTriggered }: ConditionLayout,
): Condition {
  const layout = kinds[data.getUint8(offset)]
  if (!layout) throw new RangeError('no such condition')
  const at = layout.at
  const triggered = data.getBigInt64(offset + at.triggeredTimestamp, true)
  // A condition that was never written is zeros: no condition was met in 1970.
  const done = triggered !== notTriggered &&
    triggered > 0n && { triggeredTimestamp: clampTime(Number(triggered)) }
  if (layout.kind === 'TimeAbsolute') {
    return { kind: layout.kind, time: clampTime(Number(data.getBigInt64(offset + at.time, true))), ...done }
  }
  if (layout.kind !== 'TimeRelative') return { kind: layout.kind, ...done }
  const bucketTime = bucketTimes[data.getUint8(offset + at.bucketTime)]
  if (!bucketTime) throw new RangeError('no such instant')
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const bucket = addressAt(bytes, offset + at.bucket)
  const timeOffset = Math.min(
    Math.max(Number(data.getBigInt64(offset + at.timeOffset, true)), -TIME_MAX),
    TIME_MAX,
  )
  return { kind: layout.kind, bucket, bucketTime, timeOffset, ...done }
}
