import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { buildIndex, isIndexValid } from './build-index.ts'
import type { Database } from './database.ts'

export const SEARCH_INDEX = 'agent_listing_search'
/** The role may not create the extension, or the server does not have it, or it is in a schema that is not searched. */
const UNAVAILABLE = new Set(['42501', '0A000', '58P01', '42704'])

/**
 * Creates the indexes for searches that tolerate typos, unless they exist. Without the extension `pg_trgm` they cannot be
 * created. Not a migration, because the extension may be installed at any later time.
 */
export async function prepareSearch(client: pg.Client): Promise<void> {
  // It is built last.
  if (await isIndexValid(client, SEARCH_INDEX)) return
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await buildIndex(
      client,
      'agent_words_search',
      'CREATE INDEX agent_words_search ON agent_words USING gin (word gin_trgm_ops)',
    )
    await buildIndex(
      client,
      SEARCH_INDEX,
      `CREATE INDEX ${SEARCH_INDEX} ON agent_listing USING gin (search_text gin_trgm_ops)`,
    )
  } catch (error) {
    if (!UNAVAILABLE.has((error as { code?: string }).code ?? '')) throw error
  }
}

/** Whether searches tolerate typos. Otherwise they find names that start with the query. */
export async function canSearchFuzzily(database: Database): Promise<boolean> {
  const { rows } = await database.run('agents.can-search', db =>
    db.execute<{ valid: boolean }>(
      sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${SEARCH_INDEX})`,
    ),
  )
  return rows[0]?.valid === true
}
