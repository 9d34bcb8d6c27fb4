import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'

/** Amounts as decimal text, because they exceed what a JSON number can hold. */
export interface StoredFigures {
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
  /** Decimal text. */
  goal: string | null
  pool: string | null
}

/** A change this many slots old is final, however long they are. Until then, a fork that is dropped can undo it. */
const FINAL_SLOTS = 300

/**
 * Adds states to the series of their launches, at most one for each. A state that equals the last one, or is older than
 * it, is not written. Call it in a transaction of the node that indexes the network.
 */
export async function saveActivity(db: NodePgDatabase, rows: readonly NewActivity[]): Promise<void> {
  if (rows.length === 0) return
  const newest = await findNewest(db, rows)
  const added: NewActivity[] = []
  for (const row of rows) {
    const last = newest.get(row.launchId)
    if (last && (last.slot > row.slot || hasSameFigures(last, row))) continue
    const isLater = !last || row.time.getTime() >= last.timeMs
    if (isLater) added.push(row)
    // The time recorded for a change can be too early, but a later change never moves it back.
    else if (!(await undoChanges(db, row))) added.push({ ...row, time: new Date(last.timeMs) })
  }
  if (added.length > 0) await insertStates(db, added)
}

const FIGURES = [
  'raised',
  'sold',
  'supply',
  'priceQuote',
  'priceBase',
  'progress',
  'participants',
  'creatorFees',
] as const satisfies (keyof StoredFigures)[]

const hasSameFigures = (a: StoredFigures, b: StoredFigures) =>
  FIGURES.every(figure => a[figure] === b[figure])

export type StoredState = StoredFigures & { launchId: string; slot: number; timeMs: number }

/** The columns of `StoredFigures`. */
export const FIGURE_COLUMNS = sql`raised, sold, supply, price_quote AS "priceQuote", price_base AS "priceBase", progress,
  participants, creator_fees AS "creatorFees"`

export const STATE = sql`launch_id AS "launchId", slot::float8 AS slot, extract(epoch FROM time)::float8 * 1000 AS "timeMs",
  ${FIGURE_COLUMNS}`

/** The last state of each launch, by launch. */
async function findNewest(
  db: NodePgDatabase,
  launches: readonly { launchId: string }[],
): Promise<Map<string, StoredState>> {
  const { rows } = await db.execute<Record<string, unknown> & StoredState>(sql`
    SELECT last.* FROM unnest(${toArray(launches.map(({ launchId }) => launchId))}::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT ${STATE} FROM launch_activity WHERE launch_id = wanted.id ORDER BY time DESC, slot DESC LIMIT 1
    ) AS last`)
  return new Map(rows.map(row => [row.launchId, row]))
}

/**
 * Deletes the changes since this time if the launch is back in the state that it had then: they were on a dropped
 * fork. Returns whether they were deleted. Final changes stay.
 */
async function undoChanges(db: NodePgDatabase, row: NewActivity): Promise<boolean> {
  const { launchId, slot, time } = row
  const isUndone = sql`time > ${time.toISOString()} AND slot > ${slot - FINAL_SLOTS}`
  const { rows } = await db.execute<Record<string, unknown> & StoredState>(sql`
    SELECT ${STATE} FROM launch_activity WHERE launch_id = ${launchId} AND NOT (${isUndone})
    ORDER BY time DESC, slot DESC LIMIT 1`)
  const before = rows[0]
  if (!before || !hasSameFigures(before, row)) return false
  await db.execute(sql`DELETE FROM launch_activity WHERE launch_id = ${launchId} AND ${isUndone}`)
  return true
}

async function insertStates(db: NodePgDatabase, rows: readonly NewActivity[]): Promise<void> {
  await db.execute(sql`
    INSERT INTO launch_activity
      (launch_id, time, slot, raised, sold, supply, price_quote, price_base, progress, participants, creator_fees)
    SELECT "launchId", "time", "slot", "raised", "sold", "supply", "priceQuote", "priceBase", "progress",
      "participants", "creatorFees"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      ("launchId" uuid, "slot" bigint, "time" timestamptz, "raised" numeric, "sold" numeric, "supply" numeric,
       "priceQuote" numeric, "priceBase" numeric, "progress" integer, "participants" numeric, "creatorFees" numeric)
    -- A slot that is still open has several states.
    ON CONFLICT (launch_id, time, slot) DO UPDATE SET
      raised = excluded.raised, sold = excluded.sold, supply = excluded.supply, price_quote = excluded.price_quote,
      price_base = excluded.price_base, progress = excluded.progress, participants = excluded.participants,
      creator_fees = excluded.creator_fees`)
}

/** In PostgreSQL's array syntax. None of the values needs quotes. */
const toArray = (values: readonly string[]) => `{${values.join()}}`

/** Stores the units of launches' figures. */
export async function saveActivitySources(
  db: NodePgDatabase,
  sources: readonly ActivitySource[],
): Promise<void> {
  if (sources.length === 0) return
  await db.execute(sql`
    INSERT INTO activity_sources (launch_id, quote_mint, quote_decimals, base_decimals, goal, pool)
    SELECT "launchId", "quoteMint", "quoteDecimals", "baseDecimals", "goal", "pool"
    FROM jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) AS source
      ("launchId" uuid, "quoteMint" text, "quoteDecimals" smallint, "baseDecimals" smallint, "goal" numeric,
       "pool" text)
    ON CONFLICT (launch_id) DO UPDATE SET
      quote_mint = excluded.quote_mint, quote_decimals = excluded.quote_decimals,
      base_decimals = excluded.base_decimals, goal = excluded.goal, pool = excluded.pool`)
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
  goal: string | null
  creatorWallets: Address[]
  /** When its figures ended, because it graduated and its pool can't be read. */
  endedAt: Date | null
  /** Undefined until the indexer has read the launch. */
  current: StoredFigures | undefined
  /** In the order of the instants. Undefined before the first known state. */
  points: (StoredFigures | undefined)[]
}

/** The activity, and what is needed to find the launch's trades. */
export interface FoundActivity extends Activity {
  launchId: string
  graduatedAt: Date | null
}

interface ActivityRow extends Record<string, unknown>, StoredFigures {
  launchId: string
  graduatedAt: Date | null
  quoteMint: Address | null
  quoteDecimals: number | null
  baseDecimals: number | null
  goal: string | null
  creatorWallets: Address[]
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
): Promise<FoundActivity | undefined> {
  const instants = [...before.map(at => at.toISOString()), 'infinity']
  const { rows } = await database.run('activity.read', db =>
    db.execute<ActivityRow>(sql`
      SELECT launches.id AS "launchId", launches.graduated_at AS "graduatedAt", source.quote_mint AS "quoteMint", source.quote_decimals AS "quoteDecimals",
        source.base_decimals AS "baseDecimals", source.goal, creators.wallets AS "creatorWallets",
        CASE WHEN launches.graduated_at IS NOT NULL AND source.pool = ''
          THEN greatest(launches.graduated_at, newest.time) END AS "endedAt",
        state.*
      FROM launches
      LEFT JOIN activity_sources AS source ON source.launch_id = launches.id
      LEFT JOIN LATERAL (
        SELECT time FROM launch_activity WHERE launch_id = launches.id ORDER BY time DESC, slot DESC LIMIT 1
      ) AS newest ON true
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(DISTINCT creator_fee_wallet), '{}') AS wallets FROM buckets
        WHERE buckets.network = launches.network AND buckets.genesis_address = launches.genesis_address
          AND creator_fee_wallet IS NOT NULL
      ) AS creators
      CROSS JOIN unnest(${toArray(instants)}::timestamptz[]) WITH ORDINALITY AS instant (at, position)
      LEFT JOIN LATERAL (
        SELECT ${FIGURE_COLUMNS} FROM launch_activity WHERE launch_id = launches.id AND time < instant.at
        ORDER BY time DESC, slot DESC LIMIT 1
      ) AS state ON true
      WHERE launches.network = ${network} AND launches.genesis_address = ${genesisAddress} AND NOT launches.hidden
      ORDER BY instant.position`),
  )
  const newest = rows.at(-1)
  if (!newest) return undefined
  const { launchId, graduatedAt, quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets, endedAt } =
    newest
  const states = rows.map(row => (row.raised === null ? undefined : row))
  return {
    launchId,
    graduatedAt: graduatedAt && new Date(graduatedAt),
    quoteMint,
    quoteDecimals,
    baseDecimals,
    goal,
    creatorWallets,
    endedAt: endedAt && new Date(endedAt),
    current: states.at(-1),
    points: states.slice(0, -1),
  }
}
