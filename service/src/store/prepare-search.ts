import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { buildIndex, isIndexValid } from './build-index.ts'
import type { Database } from './database.ts'

/** The trigram indexes of each table that is searched. The last of them is built last. */
const INDEXES = {
  agents: [
    ['agent_words_search', 'agent_words USING gin (word gin_trgm_ops)'],
    ['agent_listing_search', 'agent_listing USING gin (search_text gin_trgm_ops)'],
  ],
  launches: [
    ['launch_words_search', 'launch_words USING gin (word gin_trgm_ops)'],
    ['launch_names_search', 'launch_names USING gin (search_text gin_trgm_ops)'],
  ],
} as const
type Searched = keyof typeof INDEXES

/** Each also names the table whose size determines how long the build takes. */
export const SEARCHED = Object.keys(INDEXES) as Searched[]

const lastIndexOf = (searched: Searched): string => INDEXES[searched][1][0]

/** The role may not create the extension, or the server does not have it, or it is in a schema that is not searched. */
const UNAVAILABLE = new Set(['42501', '0A000', '58P01', '42704'])

/**
 * Creates the indexes for searches that tolerate typos, unless they exist. Without the extension `pg_trgm` they
 * cannot be created. Not a migration, because the extension may be installed at any later time.
 */
export async function prepareSearch(client: pg.Client): Promise<void> {
  try {
    for (const searched of SEARCHED) {
      if (await isSearchPrepared(client, searched)) continue
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
      for (const [name, on] of INDEXES[searched])
        await buildIndex(client, name, `CREATE INDEX ${name} ON ${on}`)
    }
  } catch (error) {
    if (!UNAVAILABLE.has((error as { code?: string }).code ?? '')) throw error
  }
}

export const isSearchPrepared = async (client: pg.Client, searched: Searched): Promise<boolean> =>
  (await isIndexValid(client, lastIndexOf(searched))) === true

/** Whether searches tolerate typos. Otherwise they find names that start with the query. */
export async function canSearchFuzzily(database: Database, searched: Searched): Promise<boolean> {
  const { rows } = await database.run(`${searched}.can-search`, db =>
    db.execute<{ valid: boolean }>(
      sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${lastIndexOf(searched)})`,
    ),
  )
  return rows[0]?.valid === true
}
