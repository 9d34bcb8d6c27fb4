import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'

/** Amounts as decimal text, because they exceed what a JSON number can hold. */
interface StoredFigures {
  raised: string
  sold: string
  supply: string
  priceQuote: string | null
  priceBase: string | null
  /** Millionths. */
  progress: number | null
  participants: string | null
  creatorFees: string | null
}

/** A state of a launch that the indexer has read at `slot`; `time` is the block time of the change. */
export interface NewActivity extends StoredFigures {
  launchId: string
  slot: number
  time: Date
}

export interface ActivitySource {
  launchId: string
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  pool: string | null
}

/** A change this many slots old is final. Until then, a fork that is dropped can undo it. */
const FINAL_SLOTS = 300

/**
 * Adds states to the series of their launches. A state that equals the last one, or is older than it, is not written. If
 * the chain no longer has a change that is stored, because it was on a fork, its row is deleted: it is later than the last
 * change that the chain now has. At most one state for each launch.
 */
export async function saveActivity(db: NodePgDatabase, rows: readonly NewActivity[]): Promise<void> {
  if (rows.length === 0) return
  await db.execute(sql`
    WITH seen AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
        ("launchId" uuid, "slot" bigint, "time" timestamptz(3), "raised" numeric, "sold" numeric, "supply" numeric,
         "priceQuote" numeric, "priceBase" numeric, "progress" integer, "participants" numeric, "creatorFees" numeric)
    ), fresh AS (
      SELECT seen.* FROM seen
      LEFT JOIN LATERAL (
        SELECT slot FROM launch_activity WHERE launch_id = seen."launchId" ORDER BY time DESC, slot DESC LIMIT 1
      ) AS last ON true
      WHERE last.slot IS NULL OR last.slot <= seen.slot
    ), undone AS (
      DELETE FROM launch_activity USING fresh
      WHERE launch_id = fresh."launchId" AND launch_activity.time > fresh.time
        AND launch_activity.slot > fresh.slot - ${FINAL_SLOTS}
    )
    INSERT INTO launch_activity AS known
      (launch_id, time, slot, raised, sold, supply, price_quote, price_base, progress, participants, creator_fees)
    SELECT fresh."launchId", greatest(fresh.time, kept.time), fresh.slot, fresh.raised, fresh.sold, fresh.supply,
      fresh."priceQuote", fresh."priceBase", fresh.progress, fresh.participants, fresh."creatorFees"
    FROM fresh
    LEFT JOIN LATERAL (
      SELECT * FROM launch_activity AS stored
      WHERE launch_id = fresh."launchId"
        -- The same rows as above: a statement doesn't see its own deletions.
        AND NOT (stored.time > fresh.time AND stored.slot > fresh.slot - ${FINAL_SLOTS})
      ORDER BY time DESC, slot DESC LIMIT 1
    ) AS kept ON true
    WHERE (kept.raised, kept.sold, kept.supply, kept.price_quote, kept.price_base, kept.progress, kept.participants,
        kept.creator_fees) IS DISTINCT FROM
      (fresh.raised, fresh.sold, fresh.supply, fresh."priceQuote", fresh."priceBase", fresh.progress,
        fresh.participants, fresh."creatorFees")
    -- A slot that is still open has several states.
    ON CONFLICT (launch_id, time, slot) DO UPDATE SET
      raised = excluded.raised, sold = excluded.sold, supply = excluded.supply, price_quote = excluded.price_quote,
      price_base = excluded.price_base, progress = excluded.progress, participants = excluded.participants,
      creator_fees = excluded.creator_fees`)
}

/** Stores what the figures of launches are counted in. */
export async function saveActivitySources(
  db: NodePgDatabase,
  sources: readonly ActivitySource[],
): Promise<void> {
  if (sources.length === 0) return
  await db.execute(sql`
    INSERT INTO activity_sources (launch_id, quote_mint, quote_decimals, base_decimals, pool)
    SELECT "launchId", "quoteMint", "quoteDecimals", "baseDecimals", "pool"
    FROM jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) AS source
      ("launchId" uuid, "quoteMint" text, "quoteDecimals" smallint, "baseDecimals" smallint, "pool" text)
    ON CONFLICT (launch_id) DO UPDATE SET
      quote_mint = excluded.quote_mint, quote_decimals = excluded.quote_decimals,
      base_decimals = excluded.base_decimals, pool = excluded.pool`)
}

/** Deletes states from slots that the chain has not reached. Their launches are then read as if for the first time. */
export async function forgetActivityAfter(db: NodePgDatabase, network: Network, slot: number): Promise<void> {
  await db.execute(sql`
    WITH forgotten AS (
      DELETE FROM launch_activity AS known USING launches
      WHERE launches.network = ${network} AND known.launch_id = launches.id AND known.slot > ${slot}
      RETURNING known.launch_id
    )
    DELETE FROM activity_sources USING forgotten WHERE activity_sources.launch_id = forgotten.launch_id`)
}

/** A launch's figures at several instants. */
export interface Activity {
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  /** When its figures ended, because it graduated and its pool can't be read. */
  endedAt: Date | null
  /** Undefined until the indexer has read the launch. */
  current: StoredFigures | undefined
  /** In the order of the instants. Undefined before the first known state. */
  points: (StoredFigures | undefined)[]
}

interface ActivityRow extends Record<string, unknown>, StoredFigures {
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  endedAt: Date | null
}

/**
 * Reads the last state before each of these instants, and the newest one. One query, which looks up each state in the
 * index: its cost doesn't depend on how many there are. Undefined if there is no such launch, or it is hidden.
 */
export async function readActivity(
  database: Database,
  { network, genesisAddress }: { network: Network; genesisAddress: Address },
  before: readonly Date[],
): Promise<Activity | undefined> {
  const instants = [...before.map(at => at.toISOString()), 'infinity']
  const { rows } = await database.run('activity.read', db =>
    db.execute<ActivityRow>(sql`
      SELECT source.quote_mint AS "quoteMint", source.quote_decimals AS "quoteDecimals",
        source.base_decimals AS "baseDecimals",
        CASE WHEN launches.graduated_at IS NOT NULL AND source.pool = ''
          THEN greatest(launches.graduated_at, newest.time) END AS "endedAt",
        state.*
      FROM launches
      LEFT JOIN activity_sources AS source ON source.launch_id = launches.id
      LEFT JOIN LATERAL (
        SELECT time FROM launch_activity WHERE launch_id = launches.id ORDER BY time DESC, slot DESC LIMIT 1
      ) AS newest ON true
      CROSS JOIN unnest(${`{${instants.join()}}`}::timestamptz[]) WITH ORDINALITY AS instant (at, position)
      LEFT JOIN LATERAL (
        SELECT raised, sold, supply, price_quote AS "priceQuote", price_base AS "priceBase", progress, participants,
          creator_fees AS "creatorFees"
        FROM launch_activity WHERE launch_id = launches.id AND time < instant.at
        ORDER BY time DESC, slot DESC LIMIT 1
      ) AS state ON true
      WHERE launches.network = ${network} AND launches.genesis_address = ${genesisAddress} AND NOT launches.hidden
      ORDER BY instant.position`),
  )
  const newest = rows.at(-1)
  if (!newest) return undefined
  const { quoteMint, quoteDecimals, baseDecimals, endedAt } = newest
  const states = rows.map(row => (row.raised === null ? undefined : row))
  return {
    quoteMint,
    quoteDecimals,
    baseDecimals,
    endedAt: endedAt && new Date(endedAt),
    current: states.at(-1),
    points: states.slice(0, -1),
  }
}
