import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { AGENT_FLAGS, agentCounts, agentListing, curatedAgents } from './agent-tables.ts'
import type { AgentRow } from './agents.ts'
import type { Database } from './database.ts'
import { agents, authoredCards } from './tables.ts'

/** Each filter is undefined unless it was given. */
export type AgentFilter = Partial<Record<Exclude<keyof typeof AGENT_FLAGS, 'hidden'>, boolean | undefined>>
export type AgentOrder = 'latest' | 'oldest'

/** The values of `flags` that match a filter. Hidden agents never match. */
export function matchingFlags(filter: AgentFilter): number[] {
  const all = Array.from({ length: AGENT_FLAGS.hidden }, (_, flags) => flags)
  const wanted = Object.entries(filter).filter(([, isSet]) => isSet !== undefined)
  return all.filter(flags =>
    wanted.every(([name, isSet]) => ((flags & AGENT_FLAGS[name as keyof AgentFilter]) !== 0) === isSet),
  )
}

/** How many agents have each value of `flags`, without values that no agent has. */
export async function countListed(database: Database, network: Network): Promise<Map<number, number>> {
  const rows = await database.run('agents.count', db =>
    db
      .select({ flags: agentCounts.flags, agents: agentCounts.agents })
      .from(agentCounts)
      .where(and(eq(agentCounts.network, network), sql`${agentCounts.agents} > 0`)),
  )
  return new Map(rows.map(row => [row.flags, row.agents]))
}

/** One page of the agents with these values of `flags`, which `total` agents have. */
export async function findListedPage(
  database: Database,
  network: Network,
  page: ListedPage,
): Promise<Address[]> {
  if (page.offset >= page.total) return []
  const { query, isFromEnd } = buildPageQuery(network, page)
  const { rows } = await database.run('agents.page', db => db.execute<{ address: Address }>(query))
  const addresses = rows.map(({ address }) => address)
  return isFromEnd ? addresses.reverse() : addresses
}

/**
 * Each value of `flags` is a range of one index in the order of the page, so the ranges are merged without sorting. A
 * page in the second half is read from the end.
 */
export function buildPageQuery(
  network: Network,
  { flags, total, order, offset, limit }: ListedPage,
): { query: SQL; isFromEnd: boolean } {
  const size = Math.min(limit, total - offset)
  const isFromEnd = offset > total / 2
  const skipped = isFromEnd ? total - offset - size : offset
  const direction = (order === 'latest') !== isFromEnd ? sql`DESC` : sql`ASC`
  const inOrder = sql`ORDER BY registered_at ${direction}, address ${direction}`
  const ranges = flags.map(
    // With its own order and limit, each range is read from the index and not sorted.
    value => sql`(SELECT registered_at, address FROM agent_listing
      WHERE network = ${network} AND flags = ${sql.raw(`${value}`)} ${inOrder} LIMIT ${skipped + size})`,
  )
  const query = sql`SELECT address FROM (${sql.join(ranges, sql` UNION ALL `)}) AS matching
    ${inOrder} OFFSET ${skipped} LIMIT ${size}`
  return { query, isFromEnd }
}

interface ListedPage {
  flags: readonly number[]
  total: number
  order: AgentOrder
  offset: number
  limit: number
}

/** An owner with more agents than this sees only some of them. */
const OWNED_MAX = 10_000

/** The agents of an owner that have one of these values of `flags`. */
export async function findOwnedAgents(
  database: Database,
  network: Network,
  { owner, flags, order }: { owner: Address; flags: readonly number[]; order: AgentOrder },
): Promise<Address[]> {
  const direction = order === 'latest' ? sql`DESC` : sql`ASC`
  const { rows } = await database.run('agents.find-owned', db =>
    db.execute<{ address: Address }>(sql`SELECT address FROM agent_listing
      WHERE network = ${network} AND flags = ANY(${sql.param(flags)}::smallint[]) AND address IN (
        SELECT address FROM agents WHERE network = ${network} AND owner = ${owner} ORDER BY address LIMIT ${OWNED_MAX})
      ORDER BY registered_at ${direction}, address ${direction}`),
  )
  return rows.map(({ address }) => address)
}

/** Tells one state of a listed agent from another, without reading its documents. */
export interface ListedVersion extends Record<string, unknown> {
  address: Address
  /** Changes with everything that the list shows of it, except `delegates`. */
  version: string
  /** How many wallets may act for it besides its owner. */
  delegates: number
}

/** Reads the versions of these agents, in this order. One that was removed or hidden meanwhile is left out. */
export async function readListedVersions(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<ListedVersion[]> {
  if (addresses.length === 0) return []
  const { rows } = await database.run('agents.read-versions', db =>
    db.execute<ListedVersion>(sql`SELECT agents.address, ${VERSION} AS version, (
        SELECT count(*)::int FROM agent_delegations WHERE network = agents.network AND agent = agents.address) AS delegates
      FROM agents JOIN agent_listing USING (network, address)
        LEFT JOIN authored_cards USING (network, address) LEFT JOIN curated_agents USING (network, address)
      WHERE agents.network = ${network} AND agents.address = ANY(${sql.param(addresses)}::text[]) AND curated_agents.hidden_at IS NULL`),
  )
  const byAddress = new Map(rows.map(row => [row.address, row]))
  return addresses.flatMap(address => byAddress.get(address) ?? [])
}

/** The transactions that wrote the rows. */
const VERSION = sql<string>`concat_ws(' ', agents.xmin, agent_listing.xmin, authored_cards.xmin)`

/** Everything that is stored about a listed agent. */
export interface ListedAgent {
  version: string
  row: AgentRow
  listing: Pick<
    typeof agentListing.$inferSelect,
    | 'registeredAt'
    | 'registrationSignature'
    | 'indexedAt'
    | 'updatedAt'
    | 'spotlightedAt'
    | 'verifiedAt'
    | 'hasServices'
  >
  authoredCard: Buffer | null
  /** The owner who signed the card, or its removal; null if there is none or an operator stored it. */
  cardOwner: Address | null
}

/** Reads these agents with their documents, which may be megabytes each. One that was removed or hidden meanwhile is left out. */
export async function readListedAgents(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<ListedAgent[]> {
  if (addresses.length === 0) return []
  const {
    registeredAt,
    registrationSignature,
    indexedAt,
    updatedAt,
    spotlightedAt,
    verifiedAt,
    hasServices,
  } = agentListing
  const rows = await database.run('agents.read-listed', db =>
    db
      .select({
        row: agents,
        listing: {
          ...{
            registeredAt,
            registrationSignature,
            indexedAt,
            updatedAt,
            spotlightedAt,
            verifiedAt,
            hasServices,
          },
        },
        authoredCard: authoredCards.body,
        cardOwner: authoredCards.owner,
        version: VERSION,
      })
      .from(agents)
      .innerJoin(
        agentListing,
        sql`(${agentListing.network}, ${agentListing.address}) = (${agents.network}, ${agents.address})`,
      )
      .leftJoin(
        authoredCards,
        sql`(${authoredCards.network}, ${authoredCards.address}) = (${agents.network}, ${agents.address})
          AND coalesce(${authoredCards.owner}, ${agents.owner}) = ${agents.owner}`,
      )
      .leftJoin(
        curatedAgents,
        sql`(${curatedAgents.network}, ${curatedAgents.address}) = (${agents.network}, ${agents.address})`,
      )
      .where(
        and(
          eq(agents.network, network),
          inArray(agents.address, [...addresses]),
          isNull(curatedAgents.hiddenAt),
        ),
      ),
  )
  return rows
}
