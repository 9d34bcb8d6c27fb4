import type { Address } from '@slipway/schema/address'
import type { LaunchCondition, LaunchPoolAllocation } from '@slipway/schema/launch-allocations'
import { bucketAddress } from '../addresses.ts'
import type { Condition } from '../conditions.ts'
import type { Schedule } from '../kinds/bucket-parts.ts'
import { BUCKET_KINDS, type BucketKindName } from '../kinds/kinds.ts'

type LaunchPool = LaunchPoolAllocation['launchpoolV2']

const BPS = 10_000n

/** The line through two points over the time of deposits, rounded as the official client rounds it. */
export function createSchedule(
  line: LaunchPool['depositBonus'],
  pool: LaunchPool,
  genesis: Address,
): Schedule | undefined {
  if (!line?.enabled) return undefined
  const seconds = depositSeconds(pool)
  if (seconds === undefined) throw new RangeError('a schedule needs absolute times')
  const [time1, bps1, time2, bps2] = [
    line.point1TimeBps,
    line.point1Bps,
    line.point2TimeBps,
    line.point2Bps,
  ].map(BigInt) as [bigint, bigint, bigint, bigint]
  const slopeBps = ((bps2 - bps1) * BPS) / (time2 - time1)
  return {
    slopeBps,
    interceptBps: bps1 - (slopeBps * time1) / BPS,
    maxBps: BigInt(line.maxBps),
    start: planCondition(pool.depositStartCondition, genesis),
    duration: BigInt(seconds),
  }
}

/** How long deposits are open; undefined if that is not known in advance. */
export function depositSeconds({
  depositStartCondition: start,
  depositEndCondition: end,
}: LaunchPool): number | undefined {
  if (start.type !== 'TimeAbsolute' || end.type !== 'TimeAbsolute') return undefined
  return end.timestamp - start.timestamp
}

/** Converts a condition to the program's form, in which it refers to a bucket by address. */
export function planCondition(condition: LaunchCondition, genesis: Address): Condition {
  switch (condition.type) {
    case 'TimeAbsolute':
      return { kind: 'TimeAbsolute', time: BigInt(condition.timestamp) }
    case 'TimeRelativeToUnknownAddress':
      return {
        kind: 'TimeRelative',
        bucket: bucketAddress(findKind(condition.bucketType), genesis, condition.bucketIndex),
        bucketTime: condition.bucketTime,
        timeOffset: BigInt(condition.timeOffset),
      }
    default:
      return { kind: condition.type }
  }
}

function findKind(type: string): BucketKindName {
  const kind = BUCKET_KINDS.find(one => one.type === type)
  if (!kind) throw new RangeError(`there is no kind of bucket ${type}`)
  return kind.name
}
