import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { listClientNetworks } from './client-networks.ts'
import type { Database } from './database.ts'
import { IS_EXPIRED, IS_PENDING, isFreeNetwork } from './hosted-documents.ts'

/** How many bytes of named documents are hosted; infinite for no limit. */
export interface DocumentBudgets {
  /** For one owner, on each network. On devnet, it also limits the documents of one client that are named in a day. */
  ownerBytesMax: number
  /** For all of devnet. On mainnet, rent and fees bound what anyone hosts. */
  devnetBytesMax: number
}

/** On devnet, no owner or client gets more than this share of the free space, so that they can't fill it. */
const FREE_SHARE = 1 / 16

export type BudgetRefusal = 'owner-full' | 'client-day-full' | 'network-full'

interface Candidate {
  network: Network
  owner: Address
  client: string
  size: number
}

/**
 * Why this document would exceed a budget once the chain names it. Pending documents don't count, because anyone can
 * prepare one in another wallet's name.
 */
export async function findBudgetRefusal(
  db: NodePgDatabase,
  { network, owner, client, size }: Candidate,
  { ownerBytesMax, devnetBytesMax }: DocumentBudgets,
): Promise<BudgetRefusal | undefined> {
  const isFree = isFreeNetwork(network)
  const free = isFree ? devnetBytesMax - (await sumNamed(db, sql`network = ${network}`)) : Infinity
  if (size > free) return 'network-full'
  const most = Math.min(ownerBytesMax, Math.max(size, free * FREE_SHARE))
  const owned = await sumNamed(db, sql`network = ${network} AND owner = ${owner}`)
  if (owned + size > most) return 'owner-full'
  for (const { prefix, times } of isFree ? listClientNetworks(client) : []) {
    const named = await sumNamed(
      db,
      sql`network = ${network} AND client ~>=~ ${prefix} AND client ~<~ ${`${prefix}{`} AND ${IS_COUNTED}`,
    )
    if (named + size > most * times) return 'client-day-full'
  }
  return undefined
}

/** A named document keeps its client for as long as it counts toward that client. */
const IS_COUNTED = sql`client IS NOT NULL AND named_at > now() - interval '1 day'`

async function sumNamed(db: NodePgDatabase, which: SQL): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(sql`
    SELECT coalesce(sum(size), 0)::float8 AS bytes FROM documents WHERE named_at IS NOT NULL AND ${which}`)
  return rows[0]?.bytes ?? 0
}

interface HostedBytes {
  named: { network: Network; bytes: number }[]
  pendingBytes: number
}

/**
 * Deletes documents that the chain has not named for the grace period, and forgets clients that no longer count.
 * Returns how much is left. Every node does this, and none waits for another.
 */
export function sweepDocuments(database: Database): Promise<HostedBytes> {
  return database.run('documents.sweep', async db => {
    await db.execute(sql`
      DELETE FROM documents WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM documents WHERE ${IS_EXPIRED} AND removed_at IS NULL LIMIT 1000 FOR UPDATE SKIP LOCKED
      ))`)
    await db.execute(sql`
      UPDATE documents SET client = NULL WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM documents WHERE named_at IS NOT NULL AND client IS NOT NULL AND NOT (${IS_COUNTED})
        LIMIT 1000 FOR UPDATE SKIP LOCKED
      ))`)
    // Both queries read only an index.
    const { rows: named } = await db.execute<{ network: Network; bytes: number }>(sql`
      SELECT network, sum(size)::float8 AS bytes FROM documents WHERE named_at IS NOT NULL GROUP BY network`)
    const { rows } = await db.execute<{ bytes: number }>(sql`
      SELECT coalesce(sum(size), 0)::float8 AS bytes FROM documents WHERE ${IS_PENDING}`)
    return { named, pendingBytes: rows[0]?.bytes ?? 0 }
  })
}
