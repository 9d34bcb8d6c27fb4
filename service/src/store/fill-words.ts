import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { toSearchWords } from './search-words.ts'

/** A longer name would not fit into an index. */
const NAME_LENGTH_MAX = 256

/**
 * Writes the words of names and symbols that are not ASCII, which triggers can't derive. Call it in the transaction
 * that writes a token, or that lists a launch.
 */
export async function fillWords(db: NodePgDatabase): Promise<void> {
  const { rows } = await db.execute<{ id: string; name: string; symbol: string }>(sql`
    SELECT launch_id AS id, name, symbol FROM launch_names JOIN launches ON launches.id = launch_id
      JOIN tokens ON tokens.network = launches.network AND tokens.mint = launches.mint
    WHERE words_due FOR UPDATE OF launch_names SKIP LOCKED`)
  if (rows.length === 0) return
  const words = rows.map(({ id, ...token }) => {
    const name = toSearchWords(token.name, NAME_LENGTH_MAX)
    const symbol = toSearchWords(token.symbol, NAME_LENGTH_MAX)
    return { id, name, symbol, text: ` ${name} ${symbol}`.trimEnd() }
  })
  await db.execute(sql`
    UPDATE launch_names SET search_name = name, search_symbol = symbol, search_text = text, words_due = false
    FROM jsonb_to_recordset(${JSON.stringify(words)}::jsonb) AS words (id uuid, name text, symbol text, text text)
    WHERE launch_id = words.id`)
}
