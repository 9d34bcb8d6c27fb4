import type { Network } from '@slipway/schema/network'
import { eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { chainProgress } from './tables.ts'

export type ChainProgress = typeof chainProgress.$inferSelect

export async function findProgress(database: Database, network: Network): Promise<ChainProgress | undefined> {
  const [row] = await database.run('progress.find', db =>
    db.select().from(chainProgress).where(eq(chainProgress.network, network)),
  )
  return row
}

/** Everything up to this slot is in the store. Returns what then stands there: others may want everything read anew. */
export async function saveProgress(
  database: Database,
  network: Network,
  { slot, at }: { slot: number; at: Date },
): Promise<ChainProgress> {
  const [row] = await database.run('progress.save', db =>
    db
      .insert(chainProgress)
      .values({ network, slot, updatedAt: at })
      .onConflictDoUpdate({
        target: chainProgress.network,
        set: { slot, updatedAt: at },
      })
      .returning(),
  )
  return row as ChainProgress
}

/** How far the reading of everything has come, for whoever watches and for the next node, should this one die. */
export async function saveScan(
  database: Database,
  network: Network,
  scan: { slot: number; share: number },
): Promise<void> {
  const set = { isComplete: false, scanSlot: scan.slot, scanShare: scan.share }
  await database.run('progress.scan', db =>
    db
      .insert(chainProgress)
      .values({ network, slot: 0, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** It has come to its end: the store is an index that can be trusted, up to this slot. */
export async function saveCompleteScan(
  database: Database,
  network: Network,
  { slot, at }: { slot: number; at: Date },
): Promise<void> {
  const set = { slot, updatedAt: at, isComplete: true, scanSlot: null, scanShare: null }
  await database.run('progress.complete', db =>
    db
      .insert(chainProgress)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** Whoever indexes the network reads everything again, as if for the first time. */
export async function wantEverythingAnew(database: Database, network: Network): Promise<void> {
  const set = { slot: 0, isComplete: false, scanSlot: null, scanShare: null }
  await database.run('progress.reset', db =>
    db
      .insert(chainProgress)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** An account that the index knows of could not be found: whoever indexes the network reads everything again soon. */
export async function doubtIndex(database: Database, network: Network): Promise<void> {
  await database.run('progress.doubt', db =>
    db.update(chainProgress).set({ doubtedAt: sql`now()` }).where(eq(chainProgress.network, network)),
  )
}

/**
 * A chain that was begun anew is behind what the store has seen of the former one, and would never be believed. What
 * claims to be of a later slot than the chain has come to is as old as can be.
 */
export async function forgetSlotsAfter(database: Database, network: Network, slot: number): Promise<void> {
  await database.transact('progress.forget', async db => {
    for (const table of ['launches', 'agents', 'buckets']) {
      await db.execute(
        sql`UPDATE ${sql.identifier(table)} SET slot = 0 WHERE network = ${network} AND slot > ${slot}`,
      )
    }
  })
}
