import { depositAddress } from '@slipway/launch-model/addresses'
import {
  type BucketHead,
  decodeBucketData,
  decodeBucketHead as decodeHead,
  decodeRewardData,
  type Bucket as ModelBucket,
  type RewardBucket,
} from '@slipway/launch-model/bucket'
import { decode } from '@slipway/launch-model/bytes/codec'
import type { Deposit } from '@slipway/launch-model/kinds/bucket-kind'
import { type BucketKindName, DEPOSIT_KINDS, kindOf } from '@slipway/launch-model/kinds/kinds'
import { type UnlockedAccount, unlocked } from '@slipway/launch-model/kinds/unlocked'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount, type Found } from './decode-account.ts'

/** A bucket with its address. */
export type DecodedBucket = Found<ModelBucket>

/** Decodes the four kinds of bucket that listings show; any other kind is `other-kind`. */
export const decodeBucket = (account: ChainAccount): Decoded<ModelBucket> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeBucketData(data))

/** Decodes what a claim needs of a bucket that can pay a creator; any other kind is `other-kind`. */
export const decodeReward = (account: ChainAccount): Decoded<RewardBucket> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeRewardData(data))

/** Decodes a whole account, or the first bytes that `headBytesOf` its kind counts. */
export const decodeBucketHead = (account: ChainAccount): Decoded<BucketHead> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => decodeHead(data))

/** A bucket with tokens and proceeds for one recipient. */
export const decodeUnlocked = (account: ChainAccount): Decoded<UnlockedAccount & { kind: 'unlockedV2' }> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) =>
    data[0] === unlocked.key ? { kind: unlocked.name, ...decode(unlocked.layout, data) } : 'other-kind',
  )

/**
 * The wallet and the bucket that a deposit belongs to. Its address is derived from both, so an account at another
 * address is refused.
 */
export const decodeDepositOwner = (account: ChainAccount): Decoded<{ owner: Address; bucket: Address }> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ address, data }) => {
    const kind = DEPOSIT_KINDS.find(({ deposits }) => deposits.key === data[0])
    if (!kind) return 'other-kind'
    const { owner, bucket } = decode(kind.deposits.layout, data)
    return depositAddress(kind.name, bucket, owner) === address ? { owner, bucket } : 'malformed'
  })

/** The deposit of a wallet in a bucket. */
export const decodeDeposit = (
  account: ChainAccount,
  { kind, bucket, wallet }: { kind: BucketKindName; bucket: Address; wallet: Address },
): Decoded<Deposit> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    const { deposits } = kindOf(kind)
    if (!deposits || data[0] !== deposits.key) return 'other-kind'
    const deposit = decode(deposits.layout, data)
    return deposit.bucket === bucket && deposit.owner === wallet ? deposit : 'malformed'
  })
