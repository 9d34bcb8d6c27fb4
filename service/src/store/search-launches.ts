import type { Network } from '@slipway/schema/network'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { type Match, type SearchedTable, searchNames } from './search-names.ts'

/** Their places in an order are read one by one. */
const MATCHES_MAX = 5_000

interface Search {
  /** As sent, for addresses. */
  text: string
  /** From `toQueryWords`. */
  words: string
  /** The values of `flags` that match. */
  flags: readonly number[]
  /** Launches that match although their `flags` do not. */
  also: readonly string[]
  /** Only these launches match. */
  among?: readonly string[] | undefined
}

const LAUNCHES: SearchedTable = {
  name: 'launches',
  table: sql`launch_names`,
  words: sql`launch_words`,
  columns: sql`launch_id AS id`,
  matchesMax: MATCHES_MAX,
}

/** The beginning of an address, as people copy it from a shortened one. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{4,44}$/

/** Whole addresses, whole names and symbols, beginnings of them, beginnings of addresses. */
const SCORES = { address: 5, whole: 4, start: 3, addressStart: 2 }

/** Finds launches by name, symbol, address or mint, in no order, with the score of each by its id. */
export async function searchLaunches(
  database: Database,
  network: Network,
  { text, words, flags, also, among }: Search,
  { isFuzzy }: { isFuzzy: boolean },
): Promise<Map<string, number>> {
  if (among?.length === 0) return new Map()
  const hasFlags = sql`flags = ANY(${sql.param(flags)}::smallint[])`
  const isMatching =
    also.length === 0 ? hasFlags : sql`(${hasFlags} OR launch_id = ANY(${sql.param(also)}::uuid[]))`
  const isListed = sql`network = ${network} AND ${isMatching}`
  const where = among ? sql`${isListed} AND launch_id = ANY(${sql.param(among)}::uuid[])` : isListed
  const starts = [
    ...(words === ''
      ? []
      : ['search_name', 'search_symbol'].map(column => startsWith(column, words, 'start'))),
    ...(ADDRESS.test(text)
      ? ['genesis_address', 'mint'].map(column => startsWith(column, text, 'addressStart'))
      : []),
  ]
  if (starts.length === 0) return new Map()
  // In the order of each index, so that the same matches are kept if there are too many.
  const ranges = starts.map(
    ({ column, score, condition }) =>
      sql`(SELECT launch_id, ${score} AS score FROM launch_names WHERE ${where} AND ${condition}
        ORDER BY ${column} LIMIT ${MATCHES_MAX})`,
  )
  const matches = await searchNames<object>(database, LAUNCHES, { words, where, isFuzzy }, async db => {
    const { rows } = await db.execute<Match<object> & Record<string, unknown>>(sql`
      SELECT launch_id AS id, max(score) AS score FROM (${sql.join(ranges, sql` UNION ALL `)}) AS found GROUP BY launch_id`)
    return rows
  })
  const best = matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, MATCHES_MAX)
  return new Map(best.map(({ id, score }) => [id, score]))
}

/** Compared by code points, in which `{` follows every letter. */
function startsWith(
  name: string,
  text: string,
  kind: 'start' | 'addressStart',
): { column: SQL; score: SQL; condition: SQL } {
  const column = sql.raw(name)
  const whole = kind === 'start' ? SCORES.whole : SCORES.address
  return {
    column,
    score: sql`CASE WHEN ${column} = ${text} THEN ${sql.raw(`${whole}`)} ELSE ${sql.raw(`${SCORES[kind]}`)} END`,
    condition: sql`${column} >= ${text} AND ${column} < ${`${text}{`}`,
  }
}
