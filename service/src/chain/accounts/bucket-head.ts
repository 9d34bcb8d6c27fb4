import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt } from '../addresses/base58.ts'
import { GENESIS_PROGRAM } from '../addresses/programs.ts'
import { type BucketKind, bucketLayouts } from './bucket-layouts.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

/** Which launch a bucket belongs to and whom it pays: what never changes once the launch is live. */
export interface BucketHead {
  kind: BucketKind
  genesis: Address
  creatorFeeWallet?: Address
}

/** From the whole account, or from as much of it as `bucketHeadPlaces` says. */
export const decodeBucketHead = (account: ChainAccount): Decoded<BucketHead> =>
  decodeAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    const { buckets, base, creatorFee } = bucketLayouts()
    const layout = buckets.get(data[0] ?? -1)
    if (!layout) return data.length === 0 ? 'malformed' : 'other-kind'
    const genesis = addressAt(data, layout.base + base.genesis)
    if (!layout.creatorFee) return { kind: layout.kind, genesis }
    const { extension: at } = layout.creatorFee
    if (at + creatorFee.size > data.length) return 'malformed'
    const isAbsent = data.subarray(at, at + creatorFee.size).every(byte => byte === 0)
    return {
      kind: layout.kind,
      genesis,
      ...(!isAbsent && { creatorFeeWallet: addressAt(data, at + creatorFee.wallet) }),
    }
  })

/** Where to look for buckets of each kind: their first byte, where they name the launch, and how much of them to fetch. */
export function bucketHeadPlaces(): {
  kind: BucketKind
  firstByte: number
  genesisAt: number
  bytes: number
}[] {
  const { buckets, base, creatorFee } = bucketLayouts()
  return [...buckets].map(([firstByte, layout]) => {
    const genesisAt = layout.base + base.genesis
    const bytes = layout.creatorFee ? layout.creatorFee.extension + creatorFee.size : genesisAt + 32
    return { kind: layout.kind, firstByte, genesisAt, bytes }
  })
}
