import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/bucket-kind'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type NewBucket, saveBuckets } from './buckets.ts'
import type { Database } from './database.ts'
import { buckets, chainProgress } from './tables.ts'

/** The kinds that pay a creator. */
const PAYING_KINDS = ['bondingCurveV2', 'raydiumCpmmV2'] as const satisfies BucketKind[]
export type PayingKind = (typeof PAYING_KINDS)[number]

export interface WalletBucket {
  address: Address
  kind: PayingKind
}

/** More than any honest wallet has: what one request costs has an end. Those that changed last come first. */
export const WALLET_BUCKETS_MAX = 10_000
/** An index that is so far behind the chain does not know the latest launches; it is usually a second or two. */
const INDEX_AGE_MAX = sql`interval '2 minutes'`
const ROWS_MAX = 1_000

/** The buckets that pay this wallet, and whether the store knows all that there are. In one query. */
export async function findWalletBuckets(
  database: Database,
  network: Network,
  wallet: Address,
): Promise<{ isIndexComplete: boolean; indexSlot: number; buckets: WalletBucket[] }> {
  const rows = await database.run('wallet-buckets.find', db =>
    db
      .select({
        address: buckets.address,
        kind: buckets.kind,
        indexSlot: chainProgress.slot,
        isIndexComplete: sql<boolean>`coalesce(${chainProgress.isComplete} AND ${chainProgress.updatedAt} > now() - ${INDEX_AGE_MAX}, false)`,
      })
      // One row whether or not anything is known, to join the two to.
      .from(sql`(SELECT 1) AS one`)
      .leftJoin(chainProgress, eq(chainProgress.network, network))
      .leftJoin(
        buckets,
        and(
          eq(buckets.network, network),
          eq(buckets.creatorFeeWallet, wallet),
          inArray(buckets.kind, [...PAYING_KINDS]),
        ),
      )
      .orderBy(sql`${buckets.slot} DESC`, buckets.address)
      .limit(WALLET_BUCKETS_MAX),
  )
  return {
    isIndexComplete: rows[0]?.isIndexComplete ?? false,
    indexSlot: rows[0]?.indexSlot ?? 0,
    buckets: rows.flatMap(({ address, kind }) =>
      address && kind ? [{ address, kind: kind as PayingKind }] : [],
    ),
  }
}

/** Remembers buckets that were found on the chain, unless a newer state is already there. */
export async function saveFoundBuckets(database: Database, rows: readonly NewBucket[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    const some = rows.slice(at, at + ROWS_MAX)
    await database.run('wallet-buckets.save', db => saveBuckets(db, some))
  }
}
