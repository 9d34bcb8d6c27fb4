import type { Address } from '@slipway/schema/address'
import { WALLET_BUCKETS_MAX, type WalletBucket } from '../store/wallet-buckets.ts'

export interface FoundBuckets {
  buckets: WalletBucket[]
  /** Those of them that the store does not know yet. */
  unknown: ReadonlySet<Address>
  /** Why some may be missing. Who finds nothing has to say this, and not that there is nothing. */
  fault: unknown
}

/**
 * Which buckets pay a wallet. The store's index knows; as long as it is not complete, the chain is searched as well. What
 * the store knows can be claimed also when the search fails.
 */
export async function findBuckets(
  {
    findKnown,
    search,
  }: {
    findKnown(wallet: Address): Promise<{ isIndexComplete: boolean; buckets: WalletBucket[] }>
    search(wallet: Address): Promise<WalletBucket[]>
  },
  wallet: Address,
): Promise<FoundBuckets> {
  const { isIndexComplete, buckets } = await findKnown(wallet)
  if (isIndexComplete) return { buckets, unknown: new Set(), fault: undefined }
  try {
    const known = new Set(buckets.map(({ address }) => address))
    const more = (await search(wallet)).filter(({ address }) => !known.has(address))
    return {
      buckets: [...buckets, ...more].slice(0, WALLET_BUCKETS_MAX),
      unknown: new Set(more.map(({ address }) => address)),
      fault: undefined,
    }
  } catch (fault) {
    return { buckets, unknown: new Set(), fault }
  }
}
