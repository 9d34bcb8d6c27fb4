import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { CheckedReader } from '../../chain/account-reader.ts'
import { decodeBucketHead } from '../../chain/accounts/bucket.ts'
import type { ProgramAccount } from '../../chain/rpc/requests.ts'
import { type NewBucket, saveBuckets } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import { isBehind } from '../slot-watch.ts'

interface BucketIndexResult {
  found: Address[]
  /** The node that answered has not reached the requested slot. */
  behind: Address[]
  /** Buckets that the node does not have. */
  absent: Address[]
}

/** Stores which buckets exist and which wallets they pay, each as of the given slot or later. */
export async function indexBuckets(
  { network, reader, database }: { network: Network; reader: CheckedReader; database: Database },
  buckets: ReadonlyMap<Address, number>,
): Promise<BucketIndexResult> {
  const sinceMs = performance.now()
  const { slot, accounts } = await reader.fetchAccounts([...buckets.keys()])
  const result: BucketIndexResult = { found: [], behind: [], absent: [] }
  const rows = accounts.flatMap(account => {
    const { address } = account
    const row = account.exists ? toBucketRow(network, account, slot) : undefined
    if (isBehind(slot, buckets.get(address) ?? 0, reader.slotMs())) result.behind.push(address)
    else if (row) result.found.push(address)
    else result.absent.push(address)
    return row && !result.behind.includes(address) ? [row] : []
  })
  if (rows.length > 0) {
    await reader.confirmCluster(sinceMs)
    await database.run('buckets.index', db => saveBuckets(db, rows))
  }
  return result
}

/** The row of a bucket whose launch is not registered. */
export function toBucketRow(network: Network, account: ProgramAccount, slot: number): NewBucket | undefined {
  const head = decodeBucketHead(account)
  if (!head.exists) return undefined
  return {
    network,
    address: head.address,
    genesisAddress: head.genesis,
    kind: head.kind,
    creatorFeeWallet: head.creatorFeeWallet ?? null,
    slot,
  }
}
