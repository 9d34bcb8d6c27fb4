import type { Address } from '@slipway/schema/address'
import {
  address,
  type Codec,
  constant,
  i64,
  type Reader,
  reserved,
  struct,
  u8,
  type Writer,
} from './bytes/codec.ts'

/**
 * The instants of a bucket that another bucket's condition can refer to, in the order of their numbers on the chain.
 */
export const BUCKET_TIMES = [
  'DepositStart',
  'DepositEnd',
  'ClaimStart',
  'ClaimEnd',
  'SwapStart',
  'SwapEnd',
  'LockStart',
  'LockEnd',
  'GraduateStart',
  'Graduate',
] as const
export type BucketTime = (typeof BUCKET_TIMES)[number]

/** When something may happen in a launch. Times are Unix seconds, as they are on the chain: they can be absurd. */
export type Condition = {
  /** When the condition was met. Absent if it has not been, and 0 in accounts that never had it. */
  triggeredTimestamp?: bigint
} & (
  | { kind: 'TimeAbsolute'; time: bigint }
  | { kind: 'TimeRelative'; bucket: Address; bucketTime: BucketTime; timeOffset: bigint }
  | { kind: 'Uninitialized' | 'Triggered' | 'Never' | 'Always' }
)

/** In the order of their numbers on the chain. */
const KINDS = ['Uninitialized', 'TimeAbsolute', 'TimeRelative', 'Triggered', 'Never', 'Always'] as const

/** The timestamp of a condition that has not been met. */
const NOT_TRIGGERED = 2n ** 63n - 1n
const CONDITION_BYTES = 64

/** `padding` reads bytes without a meaning. In an instruction, they must be zero. */
const conditionCodec = (padding: (size: number) => Codec<undefined>): Codec<Condition> => {
  const absolute = struct({ _padding: padding(47), time: i64 })
  const relative = struct({ bucketTime: u8, _padding: padding(14), timeOffset: i64, bucket: address })
  const other = padding(55)
  function readKind(from: Reader): Condition {
    const kind = KINDS[u8.read(from)]
    if (!kind) throw new RangeError('has an unknown kind of condition')
    if (kind === 'TimeAbsolute') return { kind, ...absolute.read(from) }
    if (kind === 'TimeRelative') {
      const { bucketTime, ...rest } = relative.read(from)
      const name = BUCKET_TIMES[bucketTime]
      if (!name) throw new RangeError('is relative to an unknown time')
      return { kind, bucketTime: name, ...rest }
    }
    other.read(from)
    return { kind }
  }
  function writeKind(condition: Condition, to: Writer): void {
    u8.write(KINDS.indexOf(condition.kind), to)
    if (condition.kind === 'TimeAbsolute') absolute.write(condition, to)
    else if (condition.kind === 'TimeRelative')
      relative.write({ ...condition, bucketTime: BUCKET_TIMES.indexOf(condition.bucketTime) }, to)
    else other.write(undefined, to)
  }
  return {
    size: CONDITION_BYTES,
    read(from) {
      const condition = readKind(from)
      const triggeredTimestamp = i64.read(from)
      return triggeredTimestamp === NOT_TRIGGERED ? condition : { ...condition, triggeredTimestamp }
    },
    write(condition, to) {
      writeKind(condition, to)
      i64.write(condition.triggeredTimestamp ?? NOT_TRIGGERED, to)
    },
  }
}

/** A condition in an account. */
export const condition = conditionCodec(reserved)
/** A condition in an instruction, which has no other bytes than these. */
export const strictCondition = conditionCodec(size => constant(new Uint8Array(size)))

export const isAbsentCondition = (bytes: Uint8Array): boolean => bytes[0] === 255
/** The bytes of an account in place of a condition that it lacks. */
export const ABSENT_CONDITION = Uint8Array.from({ length: CONDITION_BYTES }, (_, index) =>
  index === 0 || (index > 55 && index < 63) ? 255 : index === 63 ? 127 : 0,
)
