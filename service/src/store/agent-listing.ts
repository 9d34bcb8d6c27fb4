import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { agentListing } from './agent-tables.ts'
import type { Database } from './database.ts'
import { toSearchWords } from './search-words.ts'

/** The part of an agent's documents that the list is filtered and searched by. */
export interface ListedDisplay {
  name: string
  description: string
  /** Other text to search, such as its skills. */
  keywords?: string
  isActive: boolean
  hasServices: boolean
}

type ListedAgent = { address: Address; agentToken: Address | null } & ListedDisplay

/** A longer name would not fit into an index. */
const NAME_LENGTH_MAX = 256
const TEXT_LENGTH_MAX = 2_000
const SEARCHED_LENGTH_MAX = 3_000

/**
 * Lists an agent as its documents describe it. Unless something else about it changed, equal values are not written.
 */
export async function saveListing(
  db: NodePgDatabase,
  network: Network,
  { address, agentToken, name, description, keywords = '', isActive, hasServices }: ListedAgent,
  { hasChanged }: { hasChanged: boolean },
): Promise<void> {
  const display = {
    ...searchColumns(name, `${description.slice(0, TEXT_LENGTH_MAX)} ${keywords}`),
    isActive,
    hasServices,
    hasToken: agentToken !== null,
  }
  const { searchName, searchText, hasToken } = agentListing
  await db
    .insert(agentListing)
    .values({ network, address, ...display })
    .onConflictDoUpdate({
      target: [agentListing.network, agentListing.address],
      set: { ...display, updatedAt: sql`now()` },
      setWhere: sql`${hasChanged} OR (${searchName}, ${searchText}, ${agentListing.isActive}, ${agentListing.hasServices}, ${hasToken})
        IS DISTINCT FROM (excluded.search_name, excluded.search_text, excluded.is_active, excluded.has_services, excluded.has_token)`,
    })
}

/** Lists new agents by what the chain says. The display of an agent that is listed already stays as it is. */
export async function listFromChain(
  db: NodePgDatabase,
  network: Network,
  agents: readonly { address: Address; name: string; agentToken: Address | null }[],
): Promise<void> {
  if (agents.length === 0) return
  await db
    .insert(agentListing)
    .values(
      agents.map(({ address, name, agentToken }) => ({
        network,
        address,
        ...searchColumns(name, ''),
        isActive: true,
        hasServices: false,
        hasToken: agentToken !== null,
      })),
    )
    .onConflictDoUpdate({
      target: [agentListing.network, agentListing.address],
      set: { hasToken: sql`excluded.has_token`, updatedAt: sql`now()` },
    })
}

function searchColumns(name: string, text: string): { searchName: string; searchText: string } {
  const searchName = toSearchWords(name, NAME_LENGTH_MAX)
  const about = toSearchWords(text, SEARCHED_LENGTH_MAX)
  return { searchName, searchText: ` ${searchName} ${about}`.trimEnd() }
}

/** When and by which transaction an agent was registered. */
export interface Registration {
  signature: string
  at: Date
}

/** Finds a listed agent whose registration is not known yet. */
export async function findUnregistered(
  database: Database,
  network: Network,
  address: Address,
): Promise<{ indexedAt: Date } | undefined> {
  const [row] = await database.run('agents.find-unregistered', db =>
    db
      .select({ indexedAt: agentListing.indexedAt })
      .from(agentListing)
      .where(and(isListed(network, address), sql`${agentListing.registrationSignature} IS NULL`)),
  )
  return row
}

export async function saveRegistration(
  database: Database,
  network: Network,
  address: Address,
  { signature, at }: Registration,
): Promise<void> {
  await database.run('agents.save-registration', db =>
    db
      .update(agentListing)
      .set({ registrationSignature: signature, registeredAt: at, updatedAt: sql`now()` })
      .where(isListed(network, address)),
  )
}

const isListed = (network: Network, address: Address): SQL | undefined =>
  and(eq(agentListing.network, network), eq(agentListing.address, address))
