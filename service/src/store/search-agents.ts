import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import type { AgentOrder } from './list-agents.ts'
import { toSearchWords } from './search-words.ts'

const MATCHES_MAX = 10_000
/** With this many matches of the words as written, similar words are not looked for. */
const SURE_MATCHES = 1_000
const QUERY_LENGTH_MAX = 200
const WORDS_MAX = 8
/** One wrong letter, or two exchanged ones, leave a third of the trigrams of a word of five. */
const SIMILARITY_MIN = 0.3
const SIMILAR_WORDS_MAX = 4
/** Shorter words are similar to too many others. */
const FUZZY_LENGTH_MIN = 3
const SIMILAR_MS_MAX = 1_000

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

type Match = { address: Address; registered_at: string; score: number }

/** What a search looks for: two queries with the same words find the same agents. Empty if there is nothing to look for. */
export const toQueryWords = (query: string): string => toSearchWords(query, QUERY_LENGTH_MAX)

/**
 * Finds agents by name and description, best match first, at most `MATCHES_MAX`: names that start with the query, then
 * agents that have all of its words, then agents with similar words. Looking for similar words ends after a fixed time;
 * then only the matches before them are returned.
 */
export async function searchAgents(
  database: Database,
  network: Network,
  { words, flags, order, among }: Search,
  { isFuzzy }: { isFuzzy: boolean },
): Promise<Address[]> {
  if (words === '' || flags.length === 0 || among?.length === 0) return []
  const isMatching = sql`network = ${network} AND flags = ANY(${sql.param(flags)}::smallint[])`
  // A list and not a subquery: PostgreSQL might carry that out for every row.
  const where = among ? sql`${isMatching} AND address = ANY(${sql.param(among)}::text[])` : isMatching
  const matches = new Map<Address, Match>()
  const add = (found: Match[]) => {
    for (const match of found) if (!matches.has(match.address)) matches.set(match.address, match)
  }
  add(await database.run('agents.search-prefix', db => findByPrefix(db, where, words)))
  if (isFuzzy && matches.size < MATCHES_MAX)
    add(await database.run('agents.search-words', db => findByWords(db, where, words)))
  if (isFuzzy && matches.size < SURE_MATCHES && words.length >= FUZZY_LENGTH_MIN)
    add(await findSimilar(database, where, words))
  const sign = order === 'latest' ? -1 : 1
  return [...matches.values()]
    .sort(
      (a, b) =>
        b.score - a.score ||
        sign * compare(a.registered_at, b.registered_at) ||
        sign * compare(a.address, b.address),
    )
    .slice(0, MATCHES_MAX)
    .map(({ address }) => address)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Whole names first. The words have no character after `z`. */
async function findByPrefix(db: NodePgDatabase, where: SQL, words: string): Promise<Match[]> {
  const { rows } = await db.execute<Match>(sql`
    SELECT address, registered_at::text, CASE WHEN search_name = ${words} THEN 4 ELSE 3 END AS score FROM agent_listing
    WHERE ${where} AND search_name ~>=~ ${words} AND search_name ~<~ ${`${words}{`}
    LIMIT ${MATCHES_MAX}`)
  return rows
}

/** Every word of the query starts a word of the name or description. */
async function findByWords(db: NodePgDatabase, where: SQL, words: string): Promise<Match[]> {
  const conditions = longestWords(words).map(startsAWord)
  const { rows } = await db.execute<Match>(sql`
    SELECT address, registered_at::text, 2 + similarity(search_name, ${words}) AS score FROM agent_listing
    WHERE ${where} AND ${sql.join(conditions, sql` AND `)}
    LIMIT ${MATCHES_MAX}`)
  return rows
}

const longestWords = (words: string) =>
  [...new Set(words.split(' '))].sort((a, b) => b.length - a.length).slice(0, WORDS_MAX)

/** The words are letters and digits, so nothing in them is a wildcard. */
const startsAWord = (word: string): SQL => sql`search_text LIKE ${`% ${word}%`}`

/** Every word of the query has a similar word in the name or description. Words that no agent has are ignored. */
async function findSimilar(database: Database, where: SQL, words: string): Promise<Match[]> {
  try {
    return await database.transact('agents.search-similar', async db => {
      await db.execute(sql`SELECT set_config('statement_timeout', ${`${SIMILAR_MS_MAX}`}, true),
        set_config('pg_trgm.similarity_threshold', ${`${SIMILARITY_MIN}`}, true)`)
      const similar = []
      for (const word of longestWords(words)) {
        const found = await findSimilarWords(db, word)
        // A word that is like no other would exclude every agent.
        if (found.length > 0) similar.push(found)
      }
      if (similar.length === 0) return []
      const conditions = similar.map(found =>
        sql.join(
          found.map(({ pattern }) => pattern),
          sql` OR `,
        ),
      )
      // The first that applies is the most similar one.
      const scores = similar.map(found => {
        const cases = found.map(({ pattern, score }) => sql`WHEN ${pattern} THEN ${score}::real`)
        return sql`CASE ${sql.join(cases, sql` `)} END`
      })
      const { rows } = await db.execute<Match>(sql`
        SELECT address, registered_at::text,
          similarity(search_name, ${words}) + (${sql.join(scores, sql` + `)}) / ${similar.length + 1}::real AS score
        FROM agent_listing
        WHERE ${where} AND (${sql.join(conditions, sql`) AND (`)})
        LIMIT ${MATCHES_MAX}`)
      return rows
    })
  } catch (error) {
    if (isCanceled(error)) return []
    throw error
  }
}

/**
 * The most similar words that agents have, the best first. Other words count even if an agent has this very one: anyone can
 * register an agent whose name is a misspelling.
 */
async function findSimilarWords(
  db: NodePgDatabase,
  word: string,
): Promise<{ pattern: SQL; score: number }[]> {
  if (word.length < FUZZY_LENGTH_MIN) return [{ pattern: startsAWord(word), score: 1 }]
  const { rows } = await db.execute<{ word: string; score: number }>(sql`
    SELECT word, similarity(word, ${word}) AS score FROM agent_words WHERE word % ${word}
    ORDER BY score DESC, word LIMIT ${SIMILAR_WORDS_MAX}`)
  return rows.map(({ word: known, score }) => ({ pattern: startsAWord(known), score }))
}

/** The statement was ended by its timeout. */
const isCanceled = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === '57014'
