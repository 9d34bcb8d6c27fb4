import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { type ConnectionOptions, type Database, openDatabase } from '@slipway/service/store/database'
import { migrate } from '@slipway/service/store/migrate'
import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

/** Runs `work` with an empty store in a PostgreSQL of its own, and removes both afterwards. */
export async function withStore(
  work: (database: Database, connection: ConnectionOptions) => Promise<void>,
  limits: { statementMs?: number } = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  const observer = { onQuery: () => {}, onConnectionLost: () => {} }
  const database = openDatabase(server.connection, observer, limits)
  try {
    await migrate(server.connection)
    await work(database, server.connection)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const WORDS = 5_000
/** A wallet that every fiftieth launch pays. */
export const BUSY_CREATOR = 'Busy1111111111111111111111111111111111111111'

/** Indexes that are built after the rows, which is faster. */
const INDEXES = {
  launch_listing_activity: 'launch_listing (network, flags, by_activity, genesis_address)',
  launch_listing_registration: 'launch_listing (network, flags, by_registration, genesis_address)',
  launch_listing_end: 'launch_listing (network, flags, by_end, genesis_address)',
  launch_listing_raised: 'launch_listing (network, flags, by_raised, genesis_address)',
  launch_listing_progress: 'launch_listing (network, flags, by_progress, genesis_address)',
  launch_names_address: 'launch_names (network, genesis_address)',
  launch_names_mint: 'launch_names (network, mint)',
  launch_names_name: 'launch_names (network, search_name, genesis_address)',
  launch_names_symbol: 'launch_names (network, search_symbol, genesis_address)',
  launch_names_search: 'launch_names USING gin (search_text gin_trgm_ops)',
}

/**
 * Fills the store with launches, in SQL: names of two words, every third with a number. 5 % are upcoming, 75 % live,
 * 20 % graduated; most have raised nothing and have no end, so many keys are equal. Triggers are off, and their work
 * is done here. Without `search`, seeding is faster, but launches can't be found by name or by creator.
 */
export async function generateLaunches(
  database: Database,
  count: number,
  { search = true } = {},
): Promise<void> {
  await database.transact('bench.generate', async db => {
    const run = (query: SQL) => db.execute(query)
    for (const setting of [
      'statement_timeout = 0',
      'session_replication_role = replica',
      `maintenance_work_mem = '256MB'`,
    ])
      await run(sql.raw(`SET LOCAL ${setting}`))
    await run(sql.raw(`DROP INDEX ${Object.keys(INDEXES).join()}`))
    await createWords(db)
    await run(sql`
      CREATE TEMP TABLE samples ON COMMIT DROP AS
      SELECT n, gen_random_uuid() AS id, translate(left(encode(sha256(n::text::bytea), 'hex'), 43), '0', 'g') AS address,
        'M' || translate(left(encode(sha256(('mint' || n)::bytea), 'hex'), 42), '0', 'g') AS mint,
        a.word || ' ' || b.word || CASE WHEN n % 3 = 0 THEN ' ' || n ELSE '' END AS name, left(a.word, 3) || left(b.word, 2) AS symbol,
        (ARRAY['launchpoolV2', 'presaleV2', 'bondingCurveV2', 'bondingCurveV2'])[1 + n % 4] AS mechanic,
        random() < 0.0005 AS spotlight, CASE WHEN chance < 0.05 THEN 0 WHEN chance < 0.8 THEN 1 ELSE 2 END AS phase,
        now() - n * interval '17 seconds' AS registered_at, now() - random() * n * interval '17 seconds' AS active_at,
        CASE WHEN random() < 0.6 THEN timestamptz '9999-12-31T23:59:59.999Z' ELSE now() + (random() - 0.5) * interval '60 days' END
          AS ends_at,
        CASE WHEN random() < 0.1 THEN 1 WHEN random() < 0.6 THEN 0 ELSE -(1e30 + floor(1e12 * random() ^ 5)) END AS by_raised,
        CASE WHEN random() < 0.1 THEN 1 WHEN random() < 0.6 THEN 0 ELSE -floor(1e6 * random() ^ 2) END AS by_progress
      FROM (
        SELECT n, 1 + floor(${sql.raw(`${WORDS}`)} * random() ^ 3)::int AS a, 1 + floor(${sql.raw(`${WORDS}`)} * random() ^ 2)::int AS b,
          random() AS chance
        FROM generate_series(1, ${sql.raw(`${count}`)}) AS n
      ) AS picked JOIN words AS a ON a.id = a JOIN words AS b ON b.id = b`)
    await run(sql`
      INSERT INTO tokens (network, mint, name, symbol, image, description)
      SELECT 'chain-mainnet', mint, name, upper(symbol), 'https://images.example/' || n || '.png', repeat('A launch. ', 19) || 'A launch.' FROM samples`)
    await run(sql`
      INSERT INTO launches (id, network, genesis_address, mint, mechanic, starts_at, ends_at, graduated_at, last_activity_at,
        registered_at, spotlight, website, socials)
      SELECT id, 'chain-mainnet', address, mint, mechanic,
        CASE phase WHEN 0 THEN now() + (n % 2592000 + 3600) * interval '1 second' ELSE registered_at END, ends_at,
        CASE phase WHEN 2 THEN active_at END, active_at, registered_at, spotlight, 'https://launch.example/' || n,
        jsonb_build_object('x', 'https://x.com/launch' || n)
      FROM samples`)
    await run(sql`
      INSERT INTO launch_listing (launch_id, network, genesis_address, mechanic, spotlight, starts_at, phase, by_activity,
        by_registration, by_end, by_raised, by_progress)
      SELECT samples.id, network, address, launches.mechanic, launches.spotlight, starts_at, phase,
        -extract(epoch FROM last_activity_at) * 1000, -extract(epoch FROM launches.registered_at) * 1000,
        extract(epoch FROM launches.ends_at) * 1000, by_raised, by_progress
      FROM samples JOIN launches USING (id)`)
    await run(sql`
      INSERT INTO launch_counts SELECT network, flags, count(*) FROM launch_listing GROUP BY network, flags`)
    if (search) await fillSearch(db)
    for (const [name, on] of Object.entries(INDEXES)) await run(sql.raw(`CREATE INDEX ${name} ON ${on}`))
  })
  for (const table of ['launches', 'tokens', 'buckets', 'launch_listing', 'launch_names', 'launch_words'])
    await database.run('bench.vacuum', db => db.execute(sql.raw(`VACUUM ANALYZE ${table}`)))
}

async function fillSearch(db: NodePgDatabase): Promise<void> {
  const run = (query: SQL) => db.execute(query)
  await run(sql`
      INSERT INTO launch_names (launch_id, network, genesis_address, mint, flags, search_name, search_symbol, search_text, words_due)
      SELECT launch_id, network, genesis_address, mint, flags, name, symbol, ' ' || name || ' ' || symbol, false
      FROM launch_listing JOIN samples ON id = launch_id`)
  await run(sql`
      INSERT INTO launch_words SELECT DISTINCT word FROM launch_names, unnest(string_to_array(search_text, ' ')) AS word
      WHERE length(word) BETWEEN 3 AND 40`)
  await run(sql`
      INSERT INTO buckets (network, address, genesis_address, kind, creator_fee_wallet, slot)
      SELECT 'chain-mainnet', 'K' || substr(address, 2), address, mechanic,
        CASE WHEN n % 50 = 0 THEN ${BUSY_CREATOR} ELSE 'C' || substr(mint, 2) END, 1
      FROM samples`)
}

/**
 * Creates the table `words` for the rest of the transaction: made-up words with ids from 1, some of them common ones.
 */
async function createWords(db: NodePgDatabase): Promise<void> {
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
