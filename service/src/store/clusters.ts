import type { Network } from '@slipway/schema/network'
import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { curatedAgents } from './agent-tables.ts'
import type { Database } from './database.ts'
import { agentDelegations } from './delegation-table.ts'
import { deposits } from './deposit-table.ts'
import { documents } from './hosted-documents-table.ts'
import { ownerChanges } from './owner-change-tables.ts'
import { sampleBuckets } from './removed-accounts.ts'
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

/** The genesis hash that is recorded for a network. */
export async function findGenesisHash(database: Database, network: Network): Promise<string | undefined> {
  const [row] = await database.run('clusters.find', db => select(db, network))
  return row?.genesisHash
}

/** Records a genesis hash if none is recorded. Returns the recorded one, so that the first node decides for all. */
export async function recordGenesisHash(
  database: Database,
  network: Network,
  genesisHash: string,
): Promise<string> {
  return database.run('clusters.record', async db => {
    await db.insert(clusters).values({ network, genesisHash }).onConflictDoNothing()
    const [row] = await select(db, network)
    return (row as { genesisHash: string }).genesisHash
  })
}

const select = (db: NodePgDatabase, network: Network) =>
  db.select({ genesisHash: clusters.genesisHash }).from(clusters).where(eq(clusters.network, network))

/**
 * Launches come before the tokens that they refer to. Progress comes before agents: once it is deleted, the removal
 * of an agent is not reported as an event.
 */
const NETWORK_TABLES = {
  progress: chainProgress,
  launches,
  tokens,
  agents,
  delegations: agentDelegations,
  deposits,
  'verified agents': verifiedAgents,
  'curated agents': curatedAgents,
  'authored cards': authoredCards,
  'hosted documents': documents,
  'owner changes': ownerChanges,
  buckets,
  'used verifications': usedVerifications,
  'removed accounts': removedAccounts,
}

/**
 * Switches a network to another cluster. Everything stored for the network describes the previous one and is deleted
 * in the same transaction, unless `keepsData`. Returns how many rows were deleted; undefined if a hash other than
 * `from` is recorded.
 */
export async function replaceCluster(
  database: Database,
  network: Network,
  { from, to, keepsData }: { from: string; to: string; keepsData: boolean },
): Promise<Record<string, number> | undefined> {
  return database.transact('clusters.replace', async db => {
    const [row] = await select(db, network).for('update')
    if (row?.genesisHash !== from) return undefined
    const deleted: Record<string, number> = {}
    for (const [name, table] of keepsData ? [] : Object.entries(NETWORK_TABLES)) {
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

const SAMPLE = 50

/** The stored data that `createClusterIdentity` needs to identify a network's cluster. */
export const clusterRecords = (database: Database, network: Network) => ({
  find: () => findGenesisHash(database, network),
  record: (hash: string) => recordGenesisHash(database, network, hash),
  sample: () => sampleBuckets(database, network, SAMPLE),
})
