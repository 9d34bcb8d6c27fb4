import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { buckets } from './tables.ts'

export type NewBucket = typeof buckets.$inferInsert

/** Remembers buckets as the chain had them at their slots. An older state never overwrites a newer one. */
export async function saveBuckets(db: NodePgDatabase, rows: readonly NewBucket[]): Promise<void> {
  if (rows.length === 0) return
  // Always in one order, so that two who save the same ones do not wait for each other for ever.
  const ordered = rows.toSorted((a, b) => (a.address < b.address ? -1 : 1))
  await db
    .insert(buckets)
    .values(ordered)
    .onConflictDoUpdate({
      target: [buckets.network, buckets.address],
      set: {
        genesisAddress: sql`excluded.genesis_address`,
        kind: sql`excluded.kind`,
        creatorFeeWallet: sql`excluded.creator_fee_wallet`,
        slot: sql`excluded.slot`,
      },
      setWhere: sql`${buckets.slot} <= excluded.slot`,
    })
}
