import { sql } from 'drizzle-orm'
import type pg from 'pg'
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

const SEARCHED = Object.keys(INDEXES) as Searched[]

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
      if (await isIndexValid(client, lastIndexOf(searched))) continue
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
      for (const [name, on] of INDEXES[searched]) await buildIndex(client, name, on)
    }
  } catch (error) {
    if (!UNAVAILABLE.has((error as { code?: string }).code ?? '')) throw error
  }
}

/**
 * Builds an index without blocking writes, unless it exists. An interrupted build leaves an index that is never used,
 * so that index is dropped and built again. Must not run in a transaction.
 */
async function buildIndex(client: pg.Client, name: string, on: string): Promise<void> {
  const isValid = await isIndexValid(client, name)
  if (isValid) return
  // Both wait for earlier transactions, such as a backup, but no query waits for them in turn.
  if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY ${name}`)
  await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`)
}

/** Undefined if the index does not exist. */
async function isIndexValid(client: pg.Client, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  return rows[0]?.valid
}

/** Whether searches tolerate typos. Otherwise they find names that start with the query. */
export async function canSearchFuzzily(database: Database, searched: Searched): Promise<boolean> {
  const { rows } = await database.run(`${searched}.can-search`, db =>
    db.execute<{ valid: boolean }>(
      sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${lastIndexOf(searched)})`,
    ),
  )
  return rows[0]?.valid === true
}
