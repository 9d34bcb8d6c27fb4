import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import { decodeBucket } from '../chain/accounts/bucket.ts'
import { listBucketAddresses, removeBuckets } from '../store/buckets.ts'
import type { Database } from '../store/database.ts'

const AT_ONCE = 100

/**
 * Forgets buckets that the chain no longer has: nobody tells of an account that was closed, or of one that a fork took
 * with it. A node's list alone is not believed, since some leave things out: each is looked at before.
 */
export async function forgetBuckets({
  network,
  reader,
  database,
  listed,
  slot,
}: {
  network: Network
  reader: AccountReader
  database: Database
  /** What the chain was seen to have, at this slot or later. */
  listed: ReadonlySet<Address>
  slot: number
}): Promise<void> {
  const known = await listBucketAddresses(database, network, slot)
  const missing = known.filter(address => !listed.has(address))
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const batch = missing.slice(at, at + AT_ONCE)
    const read = await reader.fetchAccounts(batch)
    const gone = batch.filter((_, index) => !decodeBucket(read.accounts[index] as ChainAccount).exists)
    await removeBuckets(database, network, gone, read.slot)
  }
}
