import type { Address } from '@slipway/schema/address'
import type { Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { LISTED_BYTES } from '../lib/shorten.ts'
import { FIGURE_COLUMNS, type StoredFigures } from './activity.ts'
import type { Database } from './database.ts'
import { JOIN_TOKEN } from './read-launches.ts'

/** What events and pages of launches say about a launch, before it is shortened as in lists. */
export interface LaunchDetails {
  name: string
  symbol: string
  image: string
  website: string
  socials: Socials
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  /** Decimal text. */
  goal: string | null
  /** The newest ones; undefined until the indexer has read the launch. */
  figures: StoredFigures | undefined
}

interface DetailsRow extends Record<string, unknown>, StoredFigures, Omit<LaunchDetails, 'figures'> {
  network: Network
  genesisAddress: Address
}

export const detailsKey = (network: Network, address: Address) => `${network} ${address}`

/** Reads these launches in one query, by `detailsKey`. Hidden ones are missing. */
export async function readLaunchDetails(
  database: Database,
  launches: readonly { network: Network; address: Address }[],
): Promise<Map<string, LaunchDetails>> {
  if (launches.length === 0) return new Map()
  const { rows } = await database.run('events.details', db =>
    db.execute<DetailsRow>(sql`
      SELECT launches.network, launches.genesis_address AS "genesisAddress", tokens.name, tokens.symbol,
        left(tokens.image, ${sql.raw(`${LISTED_BYTES.picture + 1}`)}) AS image,
        launches.website, launches.socials, quote_mint AS "quoteMint", quote_decimals AS "quoteDecimals",
        base_decimals AS "baseDecimals", goal, state.*
      FROM ${unnest(launches)}
      JOIN launches ON launches.network = wanted.network AND genesis_address = wanted.address AND NOT hidden
      ${sql.raw(JOIN_TOKEN)}
      LEFT JOIN activity_sources ON launch_id = launches.id
      LEFT JOIN LATERAL (
        SELECT ${FIGURE_COLUMNS} FROM launch_activity WHERE launch_activity.launch_id = launches.id ORDER BY time DESC, slot DESC LIMIT 1
      ) AS state ON true`),
  )
  return new Map(
    rows.map(row => [
      detailsKey(row.network, row.genesisAddress),
      { ...row, figures: row.raised === null ? undefined : row },
    ]),
  )
}

/** What events say about an agent. */
export interface AgentDetails {
  name: string
  owner: Address
  agentMetadataUri: string | null
  agentToken: Address | null
}

/** Reads these agents in one query, by `detailsKey`. Hidden ones are missing. */
export async function readAgentDetails(
  database: Database,
  agents: readonly { network: Network; address: Address }[],
): Promise<Map<string, AgentDetails>> {
  if (agents.length === 0) return new Map()
  const { rows } = await database.run('events.agents', db =>
    db.execute<Record<string, unknown> & AgentDetails & { network: Network; address: Address }>(sql`
      SELECT network, address, name, owner, agent_uri AS "agentMetadataUri", agent_token AS "agentToken"
      FROM ${unnest(agents)} JOIN agents USING (network, address)
      LEFT JOIN curated_agents USING (network, address) WHERE hidden_at IS NULL`),
  )
  return new Map(
    rows.map(({ network, address, name, owner, agentMetadataUri, agentToken }) => [
      detailsKey(network, address),
      { name, owner, agentMetadataUri, agentToken },
    ]),
  )
}

/** Each of them once, as rows of `wanted`. */
function unnest(list: readonly { network: Network; address: Address }[]) {
  const wanted = [...new Map(list.map(one => [detailsKey(one.network, one.address), one])).values()]
  return sql`unnest(${sql.param(wanted.map(({ network }) => network))}::text[],
    ${sql.param(wanted.map(({ address }) => address))}::text[]) AS wanted (network, address)`
}
