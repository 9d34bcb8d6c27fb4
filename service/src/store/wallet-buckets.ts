import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type NewBucket, saveBuckets } from './buckets.ts'
import type { Database } from './database.ts'
import { buckets, chainProgress } from './tables.ts'

/** The kinds of bucket that pay a creator. */
const PAYING_KINDS = ['bondingCurveV2', 'raydiumCpmmV2'] as const satisfies BucketKind[]
export type PayingKind = (typeof PAYING_KINDS)[number]

export interface WalletBucket {
  address: Address
  kind: PayingKind
}

/** More than any real wallet has, so that the cost of a request is bounded. The last changed come first. */
export const WALLET_BUCKETS_MAX = 10_000
/** An index further behind the chain may lack the latest launches. Usually it is a second or two behind. */
const INDEX_AGE_MAX = sql`interval '2 minutes'`
const ROWS_MAX = 1_000

/** The buckets that pay this wallet, and whether the store knows all of them. One query. */
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
      // Always yields a row, even if neither join matches.
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

/** Stores buckets that were found on the chain, unless the store has a newer state. */
export async function saveFoundBuckets(database: Database, rows: readonly NewBucket[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    const some = rows.slice(at, at + ROWS_MAX)
    await database.run('wallet-buckets.save', db => saveBuckets(db, some))
  }
}
