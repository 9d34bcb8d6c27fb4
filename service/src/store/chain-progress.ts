import type { Network } from '@slipway/schema/network'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { forgetActivityAfter } from './activity.ts'
import type { Database } from './database.ts'
import { chainProgress } from './tables.ts'

type ChainProgress = typeof chainProgress.$inferSelect

/**
 * Whether every account has been read, and the index was at the newest slot within the last `ageSecondsMax` seconds. The
 * query must join the network's progress.
 */
export const isIndexComplete = (ageSecondsMax: number) =>
  sql<boolean>`coalesce(${chainProgress.isComplete} AND ${chainProgress.updatedAt} > now() - make_interval(secs => ${ageSecondsMax}), false)`

/** When the index was at its slot, by this machine's clock. The stored time is by the database's. */
export const INDEXED_AT = sql`extract(epoch FROM now() - ${chainProgress.updatedAt})`.mapWith(
  ageSeconds => new Date(Date.now() - 1_000 * Number(ageSeconds)),
)

/** The other way round. */
const toStored = (at: Date) => sql`now() - make_interval(secs => ${(Date.now() - at.getTime()) / 1_000})`

export async function findProgress(database: Database, network: Network): Promise<ChainProgress | undefined> {
  const [row] = await database.run('progress.find', db =>
    db
      .select({ ...getTableColumns(chainProgress), updatedAt: INDEXED_AT })
      .from(chainProgress)
      .where(eq(chainProgress.network, network)),
  )
  return row
}

/** Records that everything up to this slot is stored. Returns the row, in which others may request a full read. */
export async function saveProgress(
  database: Database,
  network: Network,
  { slot, at }: { slot: number; at: Date },
): Promise<Omit<ChainProgress, 'updatedAt'>> {
  const set = { slot, updatedAt: toStored(at) }
  const [row] = await database.run('progress.save', db =>
    db
      .insert(chainProgress)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set })
      .returning(),
  )
  return row as ChainProgress
}

/** Records how far the first full read has come, for observers and for a node that has to continue it. */
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

/** Records that the first full read has ended: the index is complete up to this slot. */
export async function saveCompleteScan(
  database: Database,
  network: Network,
  { slot, at }: { slot: number; at: Date },
): Promise<void> {
  const set = { slot, updatedAt: toStored(at), isComplete: true, scanSlot: null, scanShare: null }
  await database.run('progress.complete', db =>
    db
      .insert(chainProgress)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** The kinds of account that have a search of their own. */
export type Searched = 'hasDelegations' | 'hasDeposits'

/** Records that all delegations, or all deposits, have been read. */
export async function saveSearched(database: Database, network: Network, what: Searched): Promise<void> {
  const set = { [what]: true }
  await database.run('progress.searched', db =>
    db
      .insert(chainProgress)
      .values({ network, slot: 0, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** Makes the indexing node read everything again, as if for the first time. */
export async function requestFullRead(database: Database, network: Network): Promise<void> {
  const set = { slot: 0, isComplete: false, scanSlot: null, scanShare: null }
  await database.run('progress.reset', db =>
    db
      .insert(chainProgress)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: chainProgress.network, set }),
  )
}

/** Records that an indexed account could not be found: the indexing node reads everything again soon. */
export async function requestRecheck(database: Database, network: Network): Promise<void> {
  await database.run('progress.request-recheck', db =>
    db
      .update(chainProgress)
      .set({ recheckRequestedAt: sql`now()` })
      .where(eq(chainProgress.network, network)),
  )
}

/**
 * Rows from a slot that the chain has not reached can't be right and would never be overwritten, so their slot is set
 * to 0.
 */
export async function forgetSlotsAfter(database: Database, network: Network, slot: number): Promise<void> {
  await database.transact('progress.forget', async db => {
    for (const table of ['launches', 'agents', 'buckets', 'deposits']) {
      await db.execute(
        sql`UPDATE ${sql.identifier(table)} SET slot = 0 WHERE network = ${network} AND slot > ${slot}`,
      )
    }
    await forgetActivityAfter(db, network, slot)
  })
}
