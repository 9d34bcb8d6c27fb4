import type { Database } from '@slipway/service/store/database'
import { sql } from 'drizzle-orm'
import { createWords, WORDS } from '../lib/sample-words.ts'

const DESCRIPTIONS = 100_000

/**
 * Fills the store with agents, in SQL: names of two words, every third with a number, and descriptions of 8 to 23
 * words. Some words are far more frequent than others, as in any language. Triggers are off, and their work is done
 * here at once.
 */
export async function generateAgents(database: Database, count: number): Promise<void> {
  await database.transact('bench.generate', async db => {
    await db.execute(sql`SET LOCAL statement_timeout = 0`)
    await db.execute(sql`SET LOCAL session_replication_role = replica`)
    await db.execute(sql`SET LOCAL maintenance_work_mem = '256MB'`)
    await db.execute(sql`DROP INDEX agent_listing_search, agent_listing_name, agent_listing_order`)
    await createWords(db)
    await db.execute(sql`
      CREATE TEMP TABLE descriptions ON COMMIT DROP AS
      SELECT n AS id, string_agg(word, ' ') AS description
      FROM (
        SELECT n, 1 + floor(${sql.raw(`${WORDS}`)} * random() ^ 3)::int AS id
        FROM generate_series(0, ${sql.raw(`${DESCRIPTIONS - 1}`)}) AS n, generate_series(1, 8 + n % 16)
      ) AS picked JOIN words USING (id)
      GROUP BY n`)
    await db.execute(sql`
      CREATE TEMP TABLE samples ON COMMIT DROP AS
      SELECT n, 'B' || translate(left(encode(sha256(n::text::bytea), 'hex'), 42), '0', 'g') AS address,
        a.word || ' ' || b.word || CASE WHEN n % 3 = 0 THEN ' ' || n ELSE '' END AS name, description,
        random() < 0.95 AS is_active, random() < 0.2 AS has_token, random() < 0.6 AS has_services,
        CASE WHEN random() < 0.0002 THEN now() END AS spotlighted_at, CASE WHEN random() < 0.01 THEN now() END AS verified_at
      FROM (
        SELECT n, 1 + floor(${sql.raw(`${WORDS}`)} * random() ^ 3)::int AS a, 1 + floor(${sql.raw(`${WORDS}`)} * random() ^ 2)::int AS b
        FROM generate_series(1, ${sql.raw(`${count}`)}) AS n
      ) AS picked
      JOIN words AS a ON a.id = a JOIN words AS b ON b.id = b
      JOIN descriptions ON descriptions.id = n * 7919::bigint % ${sql.raw(`${DESCRIPTIONS}`)}`)
    await db.execute(sql`
      INSERT INTO agents (network, address, owner, name, uri, identity_version, agent_uri, agent_token, slot, documents)
      SELECT 'chain-mainnet', address, address, name, '', 2, uri, CASE WHEN has_token THEN address END, 1,
        json_build_object('registration', json_build_object('uri', uri,
          'value', json_build_object('name', name, 'description', description, 'services', CASE WHEN has_services
            THEN json_build_array(json_build_object('name', 'A2A', 'endpoint', uri, 'skills', json_build_array()))
            ELSE json_build_array() END),
          'fields', json_build_object('active', is_active)))
      FROM samples, LATERAL (SELECT 'https://agents.example/' || n AS uri) AS document`)
    await db.execute(sql`
      INSERT INTO agent_listing (network, address, registered_at, search_name, search_text, is_active, has_token,
        has_services, spotlighted_at, verified_at)
      SELECT 'chain-mainnet', address, timestamptz '2026-01-01' + n * interval '17 seconds', name,
        ' ' || name || ' ' || description, is_active, has_token, has_services, spotlighted_at, verified_at
      FROM samples`)
    await db.execute(sql`
      INSERT INTO agent_counts SELECT network, flags, count(*) FROM agent_listing GROUP BY network, flags`)
    await db.execute(sql`
      INSERT INTO agent_words SELECT DISTINCT word
      FROM (SELECT word FROM words UNION ALL SELECT n::text FROM samples WHERE n % 3 = 0) AS used
      WHERE length(word) BETWEEN 3 AND 40`)
    await db.execute(sql`
      CREATE INDEX agent_listing_order ON agent_listing (network, flags, registered_at, address)`)
    await db.execute(sql`
      CREATE INDEX agent_listing_name ON agent_listing (network, search_name text_pattern_ops)`)
    await db.execute(
      sql`CREATE INDEX agent_listing_search ON agent_listing USING gin (search_text gin_trgm_ops)`,
    )
  })
  for (const table of ['agents', 'agent_listing', 'agent_words'])
    await database.run('bench.vacuum', db => db.execute(sql.raw(`VACUUM ANALYZE ${table}`)))
}
