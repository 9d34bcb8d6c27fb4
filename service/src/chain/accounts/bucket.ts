import {
  type BucketHead,
  decodeBucketData,
  decodeBucketHead as decodeHead,
  type Bucket as ModelBucket,
} from '@slipway/launch-model/bucket'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount, type Found } from './decode-account.ts'

/** A bucket with its address. */
export type DecodedBucket = Found<ModelBucket>

/** Decodes the four kinds of bucket that listings show; any other kind is `other-kind`. */
export const decodeBucket = (account: ChainAccount): Decoded<ModelBucket> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeBucketData(data))

/** Decodes a whole account, or the first bytes that `headBytesOf` its kind counts. */
export const decodeBucketHead = (account: ChainAccount): Decoded<BucketHead> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeHead(data))
