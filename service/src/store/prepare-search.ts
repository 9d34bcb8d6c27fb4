import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from './database.ts'

const SEARCH_INDEX = 'agent_listing_search'
/** The role may not create the extension, or the server does not have it, or it is in a schema that is not searched. */
const UNAVAILABLE = new Set(['42501', '0A000', '58P01', '42704'])

/**
 * Creates the indexes for searches that tolerate typos, unless they exist. Without the extension `pg_trgm` they cannot be
 * created. Not a migration, because the extension may be installed at any later time.
 */
export async function prepareSearch(client: pg.Client): Promise<void> {
  // Even "IF NOT EXISTS" would wait for every writer of the table.
  const { rows } = await client.query('SELECT to_regclass($1) AS name', [SEARCH_INDEX])
  if (rows[0]?.name) return
  try {
    // One transaction: the second index shows that both exist.
    await client.query(`BEGIN;
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX agent_words_search ON agent_words USING gin (word gin_trgm_ops);
      CREATE INDEX ${SEARCH_INDEX} ON agent_listing USING gin (search_text gin_trgm_ops);
      COMMIT`)
  } catch (error) {
    await client.query('ROLLBACK')
    if (!UNAVAILABLE.has((error as { code?: string }).code ?? '')) throw error
  }
}

/** Whether searches tolerate typos. Otherwise they find names that start with the query. */
export async function canSearchFuzzily(database: Database): Promise<boolean> {
  const { rows } = await database.run('agents.can-search', db =>
    db.execute<{ found: boolean }>(sql`SELECT to_regclass(${SEARCH_INDEX}) IS NOT NULL AS found`),
  )
  return rows[0]?.found === true
}
