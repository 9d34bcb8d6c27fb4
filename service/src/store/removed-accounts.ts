import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, type Column, count, eq, lte, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { agents, buckets, type IndexedKind, removedAccounts } from './tables.ts'

const TABLES = { agents, buckets } as const
/** For how long, and how many, removed accounts are looked for again. */
const REMEMBERED = sql`interval '1 day'`
const REMEMBERED_MAX = 1_000

/** One array parameter, because a statement takes at most 65,535 parameters. */
const isAnyOf = (column: Column, addresses: readonly Address[]) =>
  sql`${column} = ANY(${sql.param(addresses)}::text[])`

export async function countIndexed(database: Database, network: Network, kind: IndexedKind): Promise<number> {
  const table = TABLES[kind]
  const [row] = await database.run('removed.count-indexed', db =>
    db.select({ total: count() }).from(table).where(eq(table.network, network)),
  )
  return row?.total ?? 0
}

/** Which of these are stored. */
export async function findIndexed(
  database: Database,
  network: Network,
  kind: IndexedKind,
  addresses: readonly Address[],
): Promise<Address[]> {
  if (addresses.length === 0) return []
  const table = TABLES[kind]
  const rows = await database.run('removed.find-indexed', db =>
    db
      .select({ address: table.address })
      .from(table)
      .where(and(eq(table.network, network), isAnyOf(table.address, addresses))),
  )
  return rows.map(({ address }) => address)
}

/**
 * Some stored buckets, to see whether a chain has them. They start at a random place in the order of addresses, which
 * is as good as a random choice and needs only the primary key.
 */
export async function sampleBuckets(database: Database, network: Network, size: number): Promise<Address[]> {
  const take = (condition: 'from' | 'before', start: string, limit: number) =>
    database.run('removed.sample', db =>
      db
        .select({ address: buckets.address })
        .from(buckets)
        .where(
          and(
            eq(buckets.network, network),
            condition === 'from' ? sql`${buckets.address} >= ${start}` : sql`${buckets.address} < ${start}`,
          ),
        )
        .orderBy(buckets.address)
        .limit(limit),
    )
  const start = BASE58[Math.floor(Math.random() * BASE58.length)] as string
  const rows = await take('from', start, size)
  if (rows.length < size) rows.push(...(await take('before', start, size - rows.length)))
  return rows.map(({ address }) => address)
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Drops accounts that the chain does not have as of this slot, and records them. Returns those dropped. */
export async function removeIndexed(
  database: Database,
  network: Network,
  kind: IndexedKind,
  { addresses, slot }: { addresses: readonly Address[]; slot: number },
): Promise<Address[]> {
  if (addresses.length === 0) return []
  const table = TABLES[kind]
  return database.transact('removed.remove', async db => {
    const rows = await db
      .delete(table)
      .where(and(eq(table.network, network), isAnyOf(table.address, addresses), lte(table.slot, slot)))
      .returning({ address: table.address })
    const removed = rows.map(({ address }) => address)
    if (removed.length > 0)
      await db
        .insert(removedAccounts)
        .values(removed.map(address => ({ network, kind, address })))
        .onConflictDoUpdate({
          target: [removedAccounts.network, removedAccounts.kind, removedAccounts.address],
          set: { removedAt: sql`now()` },
        })
    return removed
  })
}

/** Lists the accounts removed last. Records older than a day are deleted. */
export async function listRemoved(
  database: Database,
  network: Network,
): Promise<Record<IndexedKind, Address[]>> {
  const rows = await database.run('removed.list', async db => {
    await db
      .delete(removedAccounts)
      .where(and(eq(removedAccounts.network, network), sql`removed_at < now() - ${REMEMBERED}`))
    return db
      .select({ kind: removedAccounts.kind, address: removedAccounts.address })
      .from(removedAccounts)
      .where(eq(removedAccounts.network, network))
      .orderBy(sql`removed_at DESC`)
      .limit(REMEMBERED_MAX)
  })
  const ofKind = (kind: IndexedKind) => rows.filter(row => row.kind === kind).map(({ address }) => address)
  return { agents: ofKind('agents'), buckets: ofKind('buckets') }
}

/** Deletes the records of accounts that are stored again. */
export async function forgetRemoved(
  database: Database,
  network: Network,
  kind: IndexedKind,
  addresses: readonly Address[],
): Promise<void> {
  if (addresses.length === 0) return
  await database.run('removed.forget', db =>
    db
      .delete(removedAccounts)
      .where(
        and(
          eq(removedAccounts.network, network),
          eq(removedAccounts.kind, kind),
          isAnyOf(removedAccounts.address, addresses),
        ),
      ),
  )
}
