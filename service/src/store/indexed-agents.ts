import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { listFromChain } from './agent-listing.ts'
import { scheduleRefreshes } from './agent-refreshes.ts'
import type { Database } from './database.ts'
import { agents } from './tables.ts'

/** The on-chain fields of an agent, without its documents. */
export type IndexedAgent = Omit<typeof agents.$inferSelect, 'network' | 'documents'>

export async function findIndexedAgents(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<Map<Address, IndexedAgent>> {
  const rows = await database.run('agents.indexed', db =>
    db
      .select(COLUMNS)
      .from(agents)
      .where(and(eq(agents.network, network), inArray(agents.address, [...addresses]))),
  )
  return new Map(rows.map(row => [row.address, row]))
}

const COLUMNS = {
  address: agents.address,
  owner: agents.owner,
  authority: agents.authority,
  name: agents.name,
  uri: agents.uri,
  identityVersion: agents.identityVersion,
  agentUri: agents.agentUri,
  agentToken: agents.agentToken,
  slot: agents.slot,
}

/**
 * Stores the state of the chain unless a newer one is stored, and lists the agents. Documents stay as they are; those
 * of `undocumented` are due.
 */
export async function saveIndexedAgents(
  database: Database,
  network: Network,
  rows: readonly IndexedAgent[],
  undocumented: readonly Address[] = [],
): Promise<void> {
  if (rows.length === 0) return
  const excluded = (column: string): SQL => sql.raw(`excluded.${column}`)
  await database.transact('agents.index', async db => {
    const written = await db
      .insert(agents)
      .values(rows.map(row => ({ network, ...row })))
      .onConflictDoUpdate({
        target: [agents.network, agents.address],
        set: {
          owner: excluded('owner'),
          authority: excluded('authority'),
          name: excluded('name'),
          uri: excluded('uri'),
          identityVersion: excluded('identity_version'),
          agentUri: excluded('agent_uri'),
          agentToken: excluded('agent_token'),
          slot: excluded('slot'),
        },
        setWhere: sql`${agents.slot} <= excluded.slot`,
      })
      .returning({ address: agents.address })
    const addresses = new Set(written.map(({ address }) => address))
    await listFromChain(
      db,
      network,
      rows.filter(({ address }) => addresses.has(address)),
    )
    await scheduleRefreshes(
      db,
      network,
      undocumented.filter(address => addresses.has(address)),
    )
  })
}

/** Lists all agents, or only those read at this slot or later. */
export function listAgentAddresses(
  database: Database,
  network: Network,
  { since = 0 }: { since?: number } = {},
): Promise<Address[]> {
  return list(database, and(eq(agents.network, network), gte(agents.slot, since)))
}

async function list(database: Database, where: SQL | undefined): Promise<Address[]> {
  const rows = await database.run('agents.addresses', db =>
    db.select({ address: agents.address }).from(agents).where(where),
  )
  return rows.map(({ address }) => address)
}
