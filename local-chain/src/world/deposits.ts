import {
  getLaunchPoolBucketV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import type { Option } from '@metaplex-foundation/umi'

/** A launch-pool bucket after one more deposit, as the program would leave it. */
export function depositedInPool(data: Uint8Array, lamports: bigint, now: bigint): Uint8Array {
  const serializer = getLaunchPoolBucketV2AccountDataSerializer()
  const [bucket] = serializer.deserialize(data)
  return serializer.serialize({
    ...withDeposit(bucket, lamports, now),
    depositId: bucket.depositId + 1n,
    weightedQuoteTokenTotal: bucket.weightedQuoteTokenTotal + lamports,
  })
}

/** The same for a presale bucket. */
export function depositedInPresale(data: Uint8Array, lamports: bigint, now: bigint): Uint8Array {
  const serializer = getPresaleBucketV2AccountDataSerializer()
  return serializer.serialize(withDeposit(serializer.deserialize(data)[0], lamports, now))
}

type Bucket = {
  quoteTokenDepositTotal: bigint
  depositCount: bigint
  bucket: { quoteTokenBalance: bigint }
  depositStartCondition: { triggeredTimestamp: Option<bigint> }
}

const withDeposit = <T extends Bucket>(bucket: T, lamports: bigint, now: bigint): T => ({
  ...bucket,
  quoteTokenDepositTotal: bucket.quoteTokenDepositTotal + lamports,
  depositCount: bucket.depositCount + 1n,
  bucket: { ...bucket.bucket, quoteTokenBalance: bucket.bucket.quoteTokenBalance + lamports },
  depositStartCondition:
    bucket.depositStartCondition.triggeredTimestamp.__option === 'Some'
      ? bucket.depositStartCondition
      : { ...bucket.depositStartCondition, triggeredTimestamp: { __option: 'Some', value: now } },
})
