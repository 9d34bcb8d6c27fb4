import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { AgentOrder } from './list-agents.ts'
import { type Match, type SearchedTable, searchNames } from './search-names.ts'

const MATCHES_MAX = 10_000

interface Search {
  /** From `toQueryWords`. */
  words: string
  /** The values of `flags` that match. */
  flags: readonly number[]
  /** Among equally good matches. */
  order: AgentOrder
  /** Only these agents match. */
  among?: readonly Address[] | undefined
}

type Registered = { registered_at: string }

const AGENTS: SearchedTable = {
  name: 'agents',
  table: sql`agent_listing`,
  words: sql`agent_words`,
  columns: sql`address AS id, registered_at::text`,
  matchesMax: MATCHES_MAX,
  takesSentences: true,
}

/**
 * Finds agents by name, description, skills and services, best match first, at most `MATCHES_MAX`. Whole names come
 * first.
 */
export async function searchAgents(
  database: Database,
  network: Network,
  { words, flags, order, among }: Search,
  { isFuzzy }: { isFuzzy: boolean },
): Promise<Address[]> {
  if (words === '' || flags.length === 0 || among?.length === 0) return []
  const isMatching = sql`network = ${network} AND flags = ANY(${sql.param(flags)}::smallint[])`
  // A list, not a subquery, which PostgreSQL might run for every row.
  const where = among ? sql`${isMatching} AND address = ANY(${sql.param(among)}::text[])` : isMatching
  const matches = await searchNames<Registered>(database, AGENTS, { words, where, isFuzzy }, async db => {
    // The words have no character after `z`.
    const { rows } = await db.execute<Match<Registered>>(sql`
        SELECT ${AGENTS.columns}, CASE WHEN search_name = ${words} THEN 4 ELSE 3 END AS score FROM agent_listing
        WHERE ${where} AND search_name ~>=~ ${words} AND search_name ~<~ ${`${words}{`}
        LIMIT ${MATCHES_MAX}`)
    return rows
  })
  const sign = order === 'latest' ? -1 : 1
  return matches
    .sort(
      (a, b) =>
        b.score - a.score || sign * compare(a.registered_at, b.registered_at) || sign * compare(a.id, b.id),
    )
    .slice(0, MATCHES_MAX)
    .map(({ id }) => id as Address)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
