import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import { ownerChanges, ownerNonces } from './owner-change-tables.ts'

/** The database handle for writing a change. */
export type Transaction = NodePgDatabase

type SignedChange = typeof ownerChanges.$inferInsert & { nonce: string }

/**
 * Applies a signed change in one transaction with its nonce. Returns false, and changes nothing, if the owner has
 * used the nonce before, or if the last change of the same agent or launch is the same owner's and not older. If two
 * changes compete, on any nodes, the second waits here for the first.
 */
export async function applyOwnerChange(
  database: Database,
  { nonce, ...change }: SignedChange,
  apply: (db: Transaction) => Promise<void>,
): Promise<boolean> {
  const { owner, issuedAt } = change
  try {
    await database.transact('owner-changes.apply', async db => {
      await forgetNonces(db)
      const fresh = await db
        .insert(ownerNonces)
        .values({ owner, nonce, issuedAt })
        .onConflictDoNothing()
        .returning({ nonce: ownerNonces.nonce })
      if (fresh.length === 0) throw new Refused()
      const newest = await db
        .insert(ownerChanges)
        .values(change)
        .onConflictDoUpdate({
          target: [ownerChanges.network, ownerChanges.address],
          set: change,
          // A former owner may have signed for a later time. Whether `owner` is the owner now was checked before.
          setWhere: sql`${ownerChanges.issuedAt} < excluded.issued_at OR ${ownerChanges.owner} <> excluded.owner`,
        })
        .returning({ address: ownerChanges.address })
      if (newest.length === 0) throw new Refused()
      await apply(db)
    })
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Undoes the transaction. */
class Refused extends Error {}

/**
 * Keeps them much longer than a change is valid, because the clocks of nodes may differ. Never waits for a concurrent
 * clean-up.
 */
async function forgetNonces(db: NodePgDatabase): Promise<void> {
  await db.execute(sql`
    DELETE FROM ${ownerNonces} WHERE (owner, nonce) IN (
      SELECT owner, nonce FROM ${ownerNonces} WHERE issued_at < now() - interval '1 hour'
      LIMIT 1000 FOR UPDATE SKIP LOCKED
    )`)
}
