import type { Address } from '@slipway/schema/address'
import type { BucketType, LaunchCondition } from '@slipway/schema/launch-allocations'
import type { Condition } from '../../chain/accounts/condition.ts'
import { bucketAddress, unlockedBucketAddress } from '../../chain/addresses/addresses.ts'

/** A condition of a request as the program has it: the bucket that it refers to has an address now. */
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
