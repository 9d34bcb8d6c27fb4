import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import type { ChainAccount } from '../account-reader.ts'
import { GENESIS_PROGRAM } from '../addresses/addresses.ts'
import { addressAt, keyAt } from '../addresses/base58.ts'
import {
  BUCKET_LAYOUTS,
  type BucketLayout,
  type BucketTime,
  type Condition,
  CREATOR_FEE_BYTES,
  decodeCondition,
} from './bucket-layouts.ts'
import { type Decoded, decodeProgramAccount, type Found } from './decode-account.ts'

/** A part of a launch: where deposits go, the bonding curve, or what goes to the AMM. */
export interface Bucket {
  kind: BucketKind
  genesis: Address
  bucketIndex: number
  baseTokenAllocation: bigint
  baseTokenBalance: bigint
  /** Old buckets have neither mint. */
  baseMint?: Address
  quoteMint?: Address
  conditions: Partial<Record<BucketTime, Condition>>
  endBehaviours: { kind: BehaviourKind; processed: boolean }[]
  /** What a sale counts. AMM buckets have none of it. */
  sale?: Sale
  /** AMM buckets only; above zero once the launch has graduated. */
  graduatedBaseTokenAmount?: bigint
  /** Curves and AMM buckets that pay a creator. */
  creatorFee?: CreatorFee
}

/** Amounts in the smallest unit. */
interface Sale {
  /** Without fees, and less what was withdrawn or sold back. */
  quoteTokenDepositTotal: bigint
  /** Launch pools and presales. */
  depositCount?: bigint
  /** Presales: the deposits that buy the whole allocation. */
  allocationQuoteTokenCap?: bigint
  /** Launch pools with a goal. */
  minimumQuoteTokenThreshold?: bigint
  /** Curves: what the constant product counts on top of the real reserves. */
  virtualReserves?: { quote: bigint; base: bigint }
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
    const sale = decodeSale(view, layout, endBehaviours.length)
    return {
      kind: layout.kind,
      genesis: addressAt(data, layout.genesis),
      bucketIndex: view.getUint8(layout.bucketIndex),
      baseTokenAllocation: view.getBigUint64(layout.baseTokenAllocation, true),
      baseTokenBalance: view.getBigUint64(layout.baseTokenBalance, true),
      ...(baseMint && { baseMint }),
      ...(quoteMint && { quoteMint }),
      conditions: Object.fromEntries(
        Object.entries(layout.conditions).map(([time, offset]) => [time, decodeCondition(view, offset)]),
      ),
      endBehaviours,
      ...(sale && { sale }),
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

/** The value of an amount that is not set. */
const NO_AMOUNT = 2n ** 64n - 1n
const CONSTANT_PRODUCT = 0

function decodeSale(view: DataView, layout: BucketLayout, behaviours: number): Sale | undefined {
  const { sale } = layout
  if (!sale) return undefined
  const amountAt = (offset: number | undefined) =>
    offset === undefined ? undefined : view.getBigUint64(offset, true)
  const depositCount = amountAt(sale.depositCount)
  const cap = amountAt(sale.allocationQuoteTokenCap)
  const goal = amountAt(sale.minimumQuoteTokenThreshold)
  const curve = layout.endBehaviours + 4 + behaviours * BEHAVIOUR_BYTES
  const isCurve =
    sale.bondingCurveType !== undefined && view.getUint8(sale.bondingCurveType) === CONSTANT_PRODUCT
  return {
    quoteTokenDepositTotal: view.getBigUint64(sale.quoteTokenDepositTotal, true),
    ...(depositCount !== undefined && { depositCount }),
    ...(cap !== undefined && { allocationQuoteTokenCap: cap }),
    ...(goal !== undefined && goal !== NO_AMOUNT && { minimumQuoteTokenThreshold: goal }),
    ...(isCurve && {
      virtualReserves: {
        quote: view.getBigUint64(curve, true),
        base: view.getBigUint64(curve + 8, true),
      },
    }),
  }
}

function decodeCreatorWallet(data: Uint8Array, { creatorFee }: BucketLayout): Address | undefined {
  if (!creatorFee) return undefined
  const { wallet } = creatorFee
  const isAbsent = data.subarray(wallet, wallet + CREATOR_FEE_BYTES).every(byte => byte === 0)
  return isAbsent ? undefined : addressAt(data, wallet)
}
