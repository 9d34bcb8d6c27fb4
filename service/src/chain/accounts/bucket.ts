import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt, keyAt } from '../addresses/base58.ts'
import { GENESIS_PROGRAM } from '../addresses/programs.ts'
import {
  type BehaviourKind,
  type BucketKind,
  type BucketLayout,
  type BucketLayouts,
  bucketLayouts,
} from './bucket-layouts.ts'
import { type BucketTime, type Condition, readCondition } from './condition.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

/** A part of a launch: where deposits go, the curve, or what goes to the AMM. */
export interface Bucket {
  kind: BucketKind
  genesis: Address
  bucketIndex: number
  baseTokenAllocation: bigint
  /** Both are set on everything that the program made since it has them. */
  baseMint?: Address
  quoteMint?: Address
  conditions: Partial<Record<BucketTime, Condition>>
  endBehaviours: { kind: BehaviourKind; processed: boolean }[]
  /** AMM buckets only; above zero when the launch has graduated. */
  graduatedBaseTokenAmount?: bigint
  /** Curves and AMM buckets that pay a creator. */
  creatorFee?: CreatorFee
}

export interface CreatorFee {
  wallet: Address
  accrued: bigint
  claimed: bigint
}

/** Buckets of the four kinds that launches are made of; any other kind is `other-kind`. */
export const decodeBucket = (account: ChainAccount): Decoded<Bucket> =>
  decodeAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    const layouts = bucketLayouts()
    const layout = layouts.buckets.get(data[0] ?? -1)
    if (!layout) return data.length === 0 ? 'malformed' : 'other-kind'
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    const endBehaviours = readBehaviours(view, layout, layouts)
    const { base } = layouts
    const baseMint = keyAt(data, layout.base + base.baseMint)
    const quoteMint = keyAt(data, layout.base + base.quoteMint)
    const creatorFee = readCreatorFee(data, view, layout, layouts)
    return {
      kind: layout.kind,
      genesis: addressAt(data, layout.base + base.genesis),
      bucketIndex: view.getUint8(layout.base + base.bucketIndex),
      baseTokenAllocation: view.getBigUint64(layout.base + base.baseTokenAllocation, true),
      ...(baseMint && { baseMint }),
      ...(quoteMint && { quoteMint }),
      conditions: Object.fromEntries(
        layout.conditions.map(([time, at]) => [time, readCondition(view, at, layouts.condition)]),
      ),
      endBehaviours,
      ...(layout.graduatedBaseTokenAmount !== undefined && {
        graduatedBaseTokenAmount: view.getBigUint64(layout.graduatedBaseTokenAmount, true),
      }),
      ...(creatorFee && { creatorFee }),
    }
  })

/** Read first: they stand last, so that their presence shows that the account is whole. */
function readBehaviours(
  view: DataView,
  layout: BucketLayout,
  { behaviour }: BucketLayouts,
): Bucket['endBehaviours'] {
  const count = view.getUint32(layout.endBehaviours, true)
  const first = layout.endBehaviours + 4
  if (first + count * behaviour.size + layout.rear > view.byteLength)
    throw new RangeError('the bucket is cut short')
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * behaviour.size
    const known = behaviour.kinds[view.getUint8(at)]
    if (!known) throw new RangeError('no such behaviour')
    return { kind: known.kind, processed: view.getUint8(at + known.processed) === 1 }
  })
}

function readCreatorFee(
  data: Uint8Array,
  view: DataView,
  { creatorFee }: BucketLayout,
  { creatorFee: extension }: BucketLayouts,
): CreatorFee | undefined {
  if (!creatorFee) return undefined
  const at = creatorFee.extension
  // An extension that a bucket does not have is zeros.
  if (data.subarray(at, at + extension.size).every(byte => byte === 0)) return undefined
  return {
    wallet: addressAt(data, at + extension.wallet),
    accrued: view.getBigUint64(creatorFee.accrued, true),
    claimed: view.getBigUint64(creatorFee.claimed, true),
  }
}
