import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import { toSearchWords } from './search-words.ts'

/** With this many matches of the words as written, similar words are not looked for. */
const SURE_MATCHES = 1_000
/** Rows that are considered for each word of a sentence. */
const CONSIDERED_MAX = 500
const QUERY_LENGTH_MAX = 200
const SCORED_LENGTH_MAX = 4_000
const WORDS_MAX = 8
/** With one wrong letter, or two swapped ones, a word of five letters keeps a third of its trigrams. */
const SIMILARITY_MIN = 0.3
const SIMILAR_WORDS_MAX = 4
/** Shorter words are similar to too many others. */
const FUZZY_LENGTH_MIN = 3
const SIMILAR_MS_MAX = 1_000

/** A table with the columns `search_name` and `search_text`, and the table of all words in it. */
export interface SearchedTable {
  /** The first part of the names of its queries. */
  name: string
  table: SQL
  words: SQL
  /** The columns of a match: an id, and what the caller sorts by. */
  columns: SQL
  /** Each step of a search finds at most this many. */
  matchesMax: number
  /** Rows also match if they have only some of the words, so that a sentence finds something. */
  takesSentences?: boolean
}

export type Match<Columns> = Columns & { id: string; score: number }

/** The words of a query, empty if it has none. Queries with the same words find the same rows. */
export const toQueryWords = (query: string): string => toSearchWords(query, QUERY_LENGTH_MAX)

/**
 * Finds rows by their words, at most about `matchesMax`. First come the rows that `findFirst` finds, such as names
 * that start with the query, then rows with all words of the query, then rows with some of them, then rows with
 * similar words. A higher score is a better match; rows of `findFirst` should have at least 2. The search for similar
 * words has a time limit; if it is reached, only the matches before them are returned.
 */
export async function searchNames<Columns extends object>(
  database: Database,
  searched: SearchedTable,
  { words, where, isFuzzy }: { words: string; where: SQL; isFuzzy: boolean },
  findFirst: (db: NodePgDatabase) => Promise<Match<Columns>[]>,
): Promise<Match<Columns>[]> {
  const matches = new Map<string, Match<Columns>>()
  const add = (found: Match<Columns>[]) => {
    for (const match of found)
      if (match.score > (matches.get(match.id)?.score ?? -1)) matches.set(match.id, match)
  }
  const { name, matchesMax } = searched
  add(await database.run(`${name}.search-prefix`, findFirst))
  if (isFuzzy && words !== '' && matches.size < matchesMax)
    add(await database.run(`${name}.search-words`, db => findByWords(db, searched, where, words)))
  const telling = searched.takesSentences ? tellingWords(words) : []
  if (isFuzzy && telling.length > 0 && matches.size < SURE_MATCHES)
    add(await findBySomeWords(database, searched, where, telling))
  if (isFuzzy && matches.size < SURE_MATCHES && words.length >= FUZZY_LENGTH_MIN)
    add(await findSimilar(database, searched, where, words))
  return [...matches.values()]
}

/** Every word of the query starts a word of the text. */
async function findByWords<Columns extends object>(
  db: NodePgDatabase,
  { table, columns, matchesMax }: SearchedTable,
  where: SQL,
  words: string,
): Promise<Match<Columns>[]> {
  const conditions = longestWords(words).map(startsAWord)
  const { rows } = await db.execute(sql`
    SELECT ${columns}, 2 + similarity(search_name, ${words}) AS score FROM ${table}
    WHERE ${where} AND ${sql.join(conditions, sql` AND `)}
    LIMIT ${matchesMax}`)
  return rows as unknown as Match<Columns>[]
}

/**
 * The rows that have the most of these words; among equals, those whose names resemble the words. The score is lower
 * than that of rows with all words as written. If very many rows have a word, only some of them are considered: rarer
 * words of the sentence say more.
 */
async function findBySomeWords<Columns extends object>(
  database: Database,
  { name, table, columns }: SearchedTable,
  where: SQL,
  words: readonly string[],
): Promise<Match<Columns>[]> {
  const patterns = words.map(word => startsAWord(stemOf(word)))
  const counted = patterns.map(pattern => sql`(${pattern})::int`)
  const considered = patterns.map(
    pattern => sql`(SELECT * FROM ${table} WHERE ${where} AND ${pattern} LIMIT ${CONSIDERED_MAX})`,
  )
  return withinLimit(database, `${name}.search-some-words`, async db => {
    const { rows } = await db.execute(sql`
      SELECT ${columns}, 1.8 * counted / ${words.length}::real + 0.19 * similarity(search_name, ${words.join(' ')}) AS score
      FROM (
        SELECT *, ${sql.join(counted, sql` + `)} AS counted FROM (${sql.join(considered, sql` UNION `)}) AS considered
        ORDER BY counted DESC LIMIT ${SURE_MATCHES}
      ) AS best`)
    return rows as unknown as Match<Columns>[]
  })
}

/** The share of a query's distinctive words that a text has, from 0 to 1. */
export function matchedPart(query: string, text: string): number {
  const words = tellingWords(toQueryWords(query))
  const searched = ` ${toSearchWords(text, SCORED_LENGTH_MAX)}`
  return words.filter(word => searched.includes(` ${stemOf(word)}`)).length / words.length
}

/** Common words that say nothing about what the caller is looking for. */
const COMMON = new Set(
  'a about agent agents all an and any are as at be by can could do does find for from get give help i in into is it list looking me my need of on or our please search show some someone something that the their them this to us want we what which who will with would you your'.split(
    ' ',
  ),
)

/** If a query has only common words, those are searched. */
function tellingWords(words: string): string[] {
  const all = longestWords(words, Number.POSITIVE_INFINITY)
  const telling = all.filter(word => !COMMON.has(word))
  return (telling.length > 0 ? telling : all).slice(0, WORDS_MAX)
}

/** So that “watches” finds “watch”. The beginning of a word is enough for a match. */
const stemOf = (word: string) => word.replace(/(?<=[a-z]{4})(?:ings?|ed|es|s)$/, '')

const longestWords = (words: string, max = WORDS_MAX) =>
  [...new Set(words.split(' '))].sort((a, b) => b.length - a.length).slice(0, max)

/** The words are letters and digits, so nothing in them is a wildcard. */
const startsAWord = (word: string): SQL => sql`search_text LIKE ${`% ${word}%`}`

/** Every word of the query has a similar word in the text. Words that no text has are ignored. */
async function findSimilar<Columns extends object>(
  database: Database,
  { name, table, words: known, columns, matchesMax }: SearchedTable,
  where: SQL,
  words: string,
): Promise<Match<Columns>[]> {
  return withinLimit(database, `${name}.search-similar`, async db => {
    await db.execute(sql`SELECT set_config('pg_trgm.similarity_threshold', ${`${SIMILARITY_MIN}`}, true)`)
    const similar = []
    for (const word of longestWords(words)) {
      const found = await findSimilarWords(db, known, word)
      // A word without any similar word would exclude every row.
      if (found.length > 0) similar.push(found)
    }
    if (similar.length === 0) return []
    const conditions = similar.map(found =>
      sql.join(
        found.map(({ pattern }) => pattern),
        sql` OR `,
      ),
    )
    // The patterns are ordered by similarity, so the first match is the most similar one.
    const scores = similar.map(found => {
      const cases = found.map(({ pattern, score }) => sql`WHEN ${pattern} THEN ${score}::real`)
      return sql`CASE ${sql.join(cases, sql` `)} END`
    })
    const { rows } = await db.execute(sql`
      SELECT ${columns},
        similarity(search_name, ${words}) + (${sql.join(scores, sql` + `)}) / ${similar.length + 1}::real AS score
      FROM ${table}
      WHERE ${where} AND (${sql.join(conditions, sql`) AND (`)})
      LIMIT ${matchesMax}`)
    return rows as unknown as Match<Columns>[]
  })
}

/**
 * The most similar words, best first. They are used even if some text has exactly this word, because anyone can
 * register a misspelt name.
 */
async function findSimilarWords(
  db: NodePgDatabase,
  known: SQL,
  word: string,
): Promise<{ pattern: SQL; score: number }[]> {
  if (word.length < FUZZY_LENGTH_MIN) return [{ pattern: startsAWord(word), score: 1 }]
  const { rows } = await db.execute<{ word: string; score: number }>(sql`
    SELECT word, similarity(word, ${word}) AS score FROM ${known} WHERE word % ${word}
    ORDER BY score DESC, word LIMIT ${SIMILAR_WORDS_MAX}`)
  return rows.map(({ word: similar, score }) => ({ pattern: startsAWord(similar), score }))
}

/** Runs possibly slow queries, each with a time limit. A query that reaches the limit finds nothing. */
async function withinLimit<Row>(
  database: Database,
  name: string,
  find: (db: NodePgDatabase) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await database.transact(name, async db => {
      await db.execute(sql`SELECT set_config('statement_timeout', ${`${SIMILAR_MS_MAX}`}, true)`)
      return find(db)
    })
  } catch (error) {
    if (isCanceled(error)) return []
    throw error
  }
}

/** The statement was ended by its timeout. */
const isCanceled = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === '57014'
