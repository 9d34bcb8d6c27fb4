import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt, keyAt } from '../addresses/base58.ts'
import { GENESIS_PROGRAM } from '../addresses/programs.ts'
import { BUCKET_LAYOUTS, type BucketLayout, type BucketTime, CREATOR_FEE_BYTES } from './bucket-layouts.ts'
import { type Condition, decodeCondition } from './condition.ts'
import { type Decoded, decodeProgramAccount, type Found } from './decode-account.ts'

/** A part of a launch: where deposits go, the bonding curve, or what goes to the AMM. */
export interface Bucket {
  kind: BucketKind
  genesis: Address
  bucketIndex: number
  baseTokenAllocation: bigint
  /** Old buckets have neither mint. */
  baseMint?: Address
  quoteMint?: Address
  conditions: Partial<Record<BucketTime, Condition>>
  endBehaviours: { kind: BehaviourKind; processed: boolean }[]
  /** AMM buckets only; above zero once the launch has graduated. */
  graduatedBaseTokenAmount?: bigint
  /** Curves and AMM buckets that pay a creator. */
  creatorFee?: CreatorFee
}

/** A bucket with its address. */
export type DecodedBucket = Found<Bucket>

export interface CreatorFee {
  wallet: Address
  accrued: bigint
  claimed: bigint
}

/** In the order of their numbers on the chain. */
const BEHAVIOUR_KINDS = [
  'None',
  'SendQuoteTokenPercentage',
  'BaseTokenRollover',
  'SendStartPrice',
  'ReallocateBaseTokensOnFailure',
] as const
type BehaviourKind = (typeof BEHAVIOUR_KINDS)[number]
const BEHAVIOUR_BYTES = 40

/** Decodes the four kinds of bucket that launches are made of; any other kind is `other-kind`. */
export const decodeBucket = (account: ChainAccount): Decoded<Bucket> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    const layout = findLayout(data)
    if (!layout) return data.length === 0 ? 'malformed' : 'other-kind'
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    // They come last, so this also checks that the account is complete.
    const endBehaviours = decodeBehaviours(view, layout)
    const baseMint = keyAt(data, layout.baseMint)
    const quoteMint = keyAt(data, layout.quoteMint)
    const wallet = decodeCreatorWallet(data, layout)
    return {
      kind: layout.kind,
      genesis: addressAt(data, layout.genesis),
      bucketIndex: view.getUint8(layout.bucketIndex),
      baseTokenAllocation: view.getBigUint64(layout.baseTokenAllocation, true),
      ...(baseMint && { baseMint }),
      ...(quoteMint && { quoteMint }),
      conditions: Object.fromEntries(
        Object.entries(layout.conditions).map(([time, offset]) => [time, decodeCondition(view, offset)]),
      ),
      endBehaviours,
      ...(layout.graduatedBaseTokenAmount && {
        graduatedBaseTokenAmount: view.getBigUint64(layout.graduatedBaseTokenAmount, true),
      }),
      ...(layout.creatorFee &&
        wallet && {
          creatorFee: {
            wallet,
            accrued: view.getBigUint64(layout.creatorFee.accrued, true),
            claimed: view.getBigUint64(layout.creatorFee.claimed, true),
          },
        }),
    }
  })

/** The launch that a bucket belongs to and the wallet that it pays, which do not change once the launch is live. */
interface BucketHead {
  kind: BucketKind
  genesis: Address
  creatorFeeWallet?: Address
}

/** Decodes a whole account, or its first `headBytes`. */
export const decodeBucketHead = (account: ChainAccount): Decoded<BucketHead> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    const layout = findLayout(data)
    if (!layout) return data.length === 0 ? 'malformed' : 'other-kind'
    if (data.length < layout.headBytes) return 'malformed'
    const creatorFeeWallet = decodeCreatorWallet(data, layout)
    return {
      kind: layout.kind,
      genesis: addressAt(data, layout.genesis),
      ...(creatorFeeWallet && { creatorFeeWallet }),
    }
  })

const findLayout = ([firstByte]: Uint8Array): BucketLayout | undefined =>
  BUCKET_LAYOUTS.find(layout => layout.firstByte === firstByte)

function decodeBehaviours(view: DataView, layout: BucketLayout): Bucket['endBehaviours'] {
  const count = view.getUint32(layout.endBehaviours, true)
  const first = layout.endBehaviours + 4
  if (first + count * BEHAVIOUR_BYTES + layout.trailingBytes > view.byteLength)
    throw new RangeError('the bucket ends too early')
  return Array.from({ length: count }, (_, index) => {
    const offset = first + index * BEHAVIOUR_BYTES
    const kind = BEHAVIOUR_KINDS[view.getUint8(offset)]
    if (!kind) throw new RangeError('unknown kind of behaviour')
    return { kind, processed: view.getUint8(offset + 1) === 1 }
  })
}

function decodeCreatorWallet(data: Uint8Array, { creatorFee }: BucketLayout): Address | undefined {
  if (!creatorFee) return undefined
  const { wallet } = creatorFee
  const isAbsent = data.subarray(wallet, wallet + CREATOR_FEE_BYTES).every(byte => byte === 0)
  return isAbsent ? undefined : addressAt(data, wallet)
}
