import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { toSearchWords } from './search-words.ts'

/** A longer name would not fit into an index. */
const NAME_LENGTH_MAX = 256
const BATCH = 1_000

/**
 * Writes the words of names and symbols that are not ASCII, which triggers can't derive. Call it in the transaction
 * that writes a token. It also covers tokens that a node of an earlier version wrote. Returns the number of launches.
 */
export async function fillWords(db: NodePgDatabase): Promise<number> {
  const { rows } = await db.execute<{ id: string; name: string; symbol: string }>(sql`
    SELECT launch_id AS id, name, symbol FROM launch_names JOIN launches ON launches.id = launch_id
      JOIN tokens ON tokens.network = launches.network AND tokens.mint = launches.mint
    WHERE words_due LIMIT ${BATCH} FOR UPDATE OF launch_names SKIP LOCKED`)
  if (rows.length === 0) return 0
  const words = rows.map(({ id, ...token }) => {
    const name = toSearchWords(token.name, NAME_LENGTH_MAX)
    const symbol = toSearchWords(token.symbol, NAME_LENGTH_MAX)
    return { id, name, symbol, text: ` ${name} ${symbol}`.trimEnd() }
  })
  await db.execute(sql`
    UPDATE launch_names SET search_name = name, search_symbol = symbol, search_text = text, words_due = false
    FROM jsonb_to_recordset(${JSON.stringify(words)}::jsonb) AS words (id uuid, name text, symbol text, text text)
    WHERE launch_id = words.id`)
  return rows.length
}

/** The same for everything that is stored, at start-up. */
export async function fillAllWords(client: pg.Client): Promise<void> {
  for (let done = BATCH; done === BATCH; ) {
    await client.query('BEGIN')
    try {
      done = await fillWords(drizzle(client))
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
}
