import type { Network } from '@slipway/schema/network'
import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import {
  agents,
  authoredCards,
  buckets,
  chainProgress,
  clusters,
  launches,
  removedAccounts,
  tokens,
  usedVerifications,
  verifiedAgents,
} from './tables.ts'

/** The genesis hash that the store remembers for a network. */
export async function findGenesisHash(database: Database, network: Network): Promise<string | undefined> {
  const [row] = await database.run('clusters.find', db => select(db, network))
  return row?.genesisHash
}

/** What the store remembers; `seen` is remembered for good when it remembered nothing. */
export async function findOrRememberGenesisHash(
  database: Database,
  network: Network,
  seen: string,
): Promise<string> {
  const known = await findGenesisHash(database, network)
  if (known !== undefined) return known
  return database.run('clusters.remember', async db => {
    await db.insert(clusters).values({ network, genesisHash: seen }).onConflictDoNothing()
    const [row] = await select(db, network)
    // Of several nodes that start at once, the first decides for all.
    return (row as { genesisHash: string }).genesisHash
  })
}

const select = (db: NodePgDatabase, network: Network) =>
  db.select({ genesisHash: clusters.genesisHash }).from(clusters).where(eq(clusters.network, network))

/** Launches before the tokens that they name. */
const NETWORK_TABLES = {
  launches,
  tokens,
  agents,
  'verified agents': verifiedAgents,
  'authored cards': authoredCards,
  buckets,
  'used verifications': usedVerifications,
  'removed accounts': removedAccounts,
  progress: chainProgress,
}

/**
 * Gives a network's name to another cluster. Everything stored for the network describes the former one, so all of it
 * is deleted in the same transaction. Returns how much there was of each; undefined when the store remembers another
 * hash than `from`.
 */
export async function replaceCluster(
  database: Database,
  network: Network,
  { from, to }: { from: string; to: string },
): Promise<Record<string, number> | undefined> {
  return database.transact('clusters.replace', async db => {
    const [row] = await select(db, network).for('update')
    if (row?.genesisHash !== from) return undefined
    const deleted: Record<string, number> = {}
    for (const [name, table] of Object.entries(NETWORK_TABLES)) {
      const { rowCount } = await db.delete(table).where(eq(table.network, network))
      deleted[name] = rowCount ?? 0
    }
    await db
      .update(clusters)
      .set({ genesisHash: to, recordedAt: new Date() })
      .where(eq(clusters.network, network))
    return deleted
  })
}
