import type { Address } from '@slipway/schema/address'
import type { BucketType, LaunchCondition } from '@slipway/schema/launch-allocations'
import type { Condition } from '../../chain/accounts/condition.ts'
import { bucketAddress, unlockedBucketAddress } from '../../chain/addresses/addresses.ts'

/** Converts a condition to the program's form, in which it refers to a bucket by address. */
export function planCondition(condition: LaunchCondition, genesis: Address): Condition {
  switch (condition.type) {
    case 'TimeAbsolute':
      return { kind: 'TimeAbsolute', time: condition.timestamp }
    case 'TimeRelativeToUnknownAddress':
      return {
        kind: 'TimeRelative',
        bucket: addressOf(condition.bucketType, genesis, condition.bucketIndex),
        bucketTime: condition.bucketTime,
        timeOffset: condition.timeOffset,
      }
    default:
      return { kind: condition.type }
  }
}

function addressOf(type: BucketType, genesis: Address, index: number): Address {
  if (type === 'unlockedV2') return unlockedBucketAddress(genesis, index)
  return bucketAddress(type === 'raydiumV2' ? 'raydiumCpmmV2' : type, genesis, index)
}
