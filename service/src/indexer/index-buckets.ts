import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { CheckedReader } from '../chain/account-reader.ts'
import { removeBuckets, saveBuckets } from '../store/buckets.ts'
import type { Database } from '../store/database.ts'
import { toBucketRow } from './discover.ts'
import { isBehind } from './slot-watch.ts'

export interface BucketIndexResult {
  found: Address[]
  /** Read by a node that has not yet come to the slot that was asked for. */
  behind: Address[]
  /** Another account stands there now. */
  gone: Address[]
}

/** Stores which buckets there are and whom they pay, as the chain says now, each at the given slot or later. */
export async function indexBuckets(
  { network, reader, database }: { network: Network; reader: CheckedReader; database: Database },
  buckets: ReadonlyMap<Address, number>,
): Promise<BucketIndexResult> {
  const sinceMs = performance.now()
  const { slot, accounts } = await reader.fetchAccounts([...buckets.keys()])
  const result: BucketIndexResult = { found: [], behind: [], gone: [] }
  const rows = accounts.flatMap(account => {
    const { address } = account
    const row = account.exists ? toBucketRow(network, account, slot) : undefined
    if (isBehind(slot, buckets.get(address) ?? 0)) result.behind.push(address)
    else if (row) result.found.push(address)
    else if (account.exists) result.gone.push(address)
    return row && !result.behind.includes(address) ? [row] : []
  })
  if (rows.length + result.gone.length > 0) {
    await reader.confirmCluster(sinceMs)
    await database.run('buckets.index', db => saveBuckets(db, rows))
    await removeBuckets(database, network, result.gone, slot)
  }
  return result
}
