import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

export const WORDS = 5_000

/**
 * Creates the table `words` for the rest of the transaction: made-up words with ids from 1, some of them common ones.
 */
export async function createWords(db: NodePgDatabase): Promise<void> {
  await db.execute(sql`SELECT setseed(0.5)`)
  await db.execute(sql`
    CREATE TEMP TABLE words ON COMMIT DROP AS
    SELECT id, coalesce(
      (string_to_array('agent bot trading assistant market data', ' '))[id],
      (SELECT string_agg(substr('bdfgklmnprstvzchw', 1 + get_byte(hash, 2 * n) % 17, 1)
         || substr('aeiou', 1 + get_byte(hash, 2 * n + 1) % 5, 1), '' ORDER BY n)
       FROM generate_series(0, 1 + id % 3) AS n) || substr('nrstlm', 1 + id % 6, 1)) AS word
    FROM (SELECT id, sha256(('word ' || id)::bytea) AS hash FROM generate_series(1, ${sql.raw(`${WORDS}`)}) AS id) AS hashes`)
}
