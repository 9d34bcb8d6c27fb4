import type { Address } from '@slipway/schema/address'
import { REWARD_KINDS, type RewardKind } from '@slipway/schema/creator-rewards'
import type { BucketKind } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { ActivitySource } from './activity.ts'
import { activitySources } from './activity-tables.ts'
import { INDEXED_AT, isIndexComplete } from './chain-progress.ts'
import type { Database } from './database.ts'
import { buckets, chainProgress, launches } from './tables.ts'

/**
 * A bucket as of a slot. `digest` and `changedAt` are absent if only its head was read; the stored ones are then kept.
 */
export type NewBucket = typeof buckets.$inferInsert

/**
 * Stores buckets as of their slots. An older state never overwrites a newer one, and rows that would not change are not
 * written. Returns how many were written.
 */
export async function saveBuckets(db: NodePgDatabase, rows: readonly NewBucket[]): Promise<number> {
  if (rows.length === 0) return 0
  // A fixed order prevents deadlocks between two writers of the same buckets.
  const ordered = rows.toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const { rowCount } = await db.execute(sql`
    INSERT INTO buckets AS known
      (network, address, genesis_address, kind, creator_fee_wallet, slot, digest, changed_at)
    SELECT "network", "address", "genesisAddress", "kind", "creatorFeeWallet", "slot", "digest", "changedAt"
    FROM jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) AS seen
      ("network" text, "address" text, "genesisAddress" text, "kind" text, "creatorFeeWallet" text, "slot" bigint,
       "digest" text, "changedAt" timestamptz)
    ON CONFLICT (network, address) DO UPDATE SET
      genesis_address = excluded.genesis_address,
      kind = excluded.kind,
      creator_fee_wallet = excluded.creator_fee_wallet,
      slot = excluded.slot,
      digest = coalesce(excluded.digest, known.digest),
      changed_at = coalesce(excluded.changed_at, known.changed_at)
    WHERE known.slot <= excluded.slot
      AND (known.genesis_address, known.kind, known.creator_fee_wallet, known.digest, known.changed_at)
        IS DISTINCT FROM
        (excluded.genesis_address, excluded.kind, excluded.creator_fee_wallet,
         coalesce(excluded.digest, known.digest), coalesce(excluded.changed_at, known.changed_at))`)
  return rowCount ?? 0
}

/** A bucket of a registered launch, as it was last read, with what is known about its launch. */
export interface KnownBucket {
  address: Address
  genesisAddress: Address
  kind: BucketKind
  digest: string | null
  changedAt: Date | null
  registeredAt: Date
  launchId: string
  mint: Address
  graduatedAt: Date | null
  /** Null until the launch's figures are first read. */
  source: ActivitySource | null
}

/** Finds the buckets of registered launches. */
export function findBucketsOf(
  database: Database,
  network: Network,
  genesisAddresses: readonly Address[],
): Promise<KnownBucket[]> {
  return database.run('buckets.of-launches', db =>
    db
      .select({
        address: buckets.address,
        genesisAddress: buckets.genesisAddress,
        kind: buckets.kind,
        digest: buckets.digest,
        changedAt: buckets.changedAt,
        registeredAt: launches.registeredAt,
        launchId: launches.id,
        mint: launches.mint,
        graduatedAt: launches.graduatedAt,
        source: activitySources,
      })
      .from(buckets)
      .innerJoin(
        launches,
        and(eq(launches.network, buckets.network), eq(launches.genesisAddress, buckets.genesisAddress)),
      )
      .leftJoin(activitySources, eq(activitySources.launchId, launches.id))
      .where(and(eq(buckets.network, network), inArray(buckets.genesisAddress, [...genesisAddresses]))),
  )
}

/** Lists the buckets that are stored as of this slot or an older one. */
export async function listBucketAddresses(
  database: Database,
  network: Network,
  slotMax: number,
): Promise<Address[]> {
  const rows = await database.run('buckets.addresses', db =>
    db
      .select({ address: buckets.address })
      .from(buckets)
      .where(and(eq(buckets.network, network), lte(buckets.slot, slotMax))),
  )
  return rows.map(({ address }) => address)
}

export interface WalletBucket {
  address: Address
  kind: RewardKind
}

/** More than any real wallet has, so that the cost of a request is bounded. The last changed come first. */
export const WALLET_BUCKETS_MAX = 10_000
/** An index further behind the chain may lack the latest launches. Usually it is a second or two behind. */
export const IS_INDEX_COMPLETE = isIndexComplete(120)
const ROWS_MAX = 1_000

/** The buckets that pay this wallet, and whether the store knows all of them. One query. */
export async function findWalletBuckets(
  database: Database,
  network: Network,
  wallet: Address,
): Promise<{ isIndexComplete: boolean; indexed?: { slot: number; at: Date }; buckets: WalletBucket[] }> {
  const rows = await database.run('wallet-buckets.find', db =>
    db
      .select({
        address: buckets.address,
        kind: buckets.kind,
        indexSlot: chainProgress.slot,
        indexedAt: INDEXED_AT,
        isIndexComplete: IS_INDEX_COMPLETE,
      })
      // Always yields a row, even if neither join matches.
      .from(sql`(SELECT 1) AS one`)
      .leftJoin(chainProgress, eq(chainProgress.network, network))
      .leftJoin(
        buckets,
        and(
          eq(buckets.network, network),
          eq(buckets.creatorFeeWallet, wallet),
          inArray(buckets.kind, [...REWARD_KINDS]),
        ),
      )
      .orderBy(sql`${buckets.slot} DESC`, buckets.address)
      .limit(WALLET_BUCKETS_MAX),
  )
  const { isIndexComplete = false, indexSlot = null, indexedAt = null } = rows[0] ?? {}
  return {
    isIndexComplete,
    ...(indexSlot !== null && indexedAt && { indexed: { slot: indexSlot, at: indexedAt } }),
    buckets: rows.flatMap(({ address, kind }) =>
      address && kind ? [{ address, kind: kind as RewardKind }] : [],
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
