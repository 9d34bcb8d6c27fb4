import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { count, type SQL, sql } from 'drizzle-orm'
import { LISTED_BYTES } from '../lib/shorten.ts'
import type { Database } from './database.ts'
import { launches } from './tables.ts'

/** A registered launch with its token. The status is not stored, because it depends on the clock. */
export type LaunchRecord = typeof launches.$inferSelect & {
  token: BaseToken
  /** Changes with every write of the launch or its token. */
  version: number
  /** Whether only the beginning of a long description or picture was read. */
  isPartial?: boolean
}

/** Which version of a launch is stored. */
export type LaunchVersion = Pick<LaunchRecord, 'network' | 'genesisAddress' | 'version'>

const BATCH = 2_000

/**
 * A launch's version: a hash of everything that it shows, cut so that a number can hold it. It includes the transactions that
 * wrote the rows. Otherwise, an attacker could search for two contents with the same hash.
 */
const VERSION = `(hash_record_extended(ROW(launches.xmin, tokens.xmin, mint, mechanic, starts_at, ends_at, graduated_at,
  last_activity_at, registered_at, spotlight, hero_url, website, socials, agent, created_token, verified_socials, name, symbol, image,
  description), 0) & ${Number.MAX_SAFE_INTEGER})::float8 AS version`

/** Reads the version of every visible launch in batches, to keep memory and statements small. */
export async function* readLaunchVersions(database: Database): AsyncGenerator<LaunchVersion[]> {
  let after: string | undefined
  for (;;) {
    const { rows } = await database.run('launches.read-versions', db =>
      db.execute<{ id: string; network: Network; genesis_address: Address; version: number }>(sql`
        SELECT launches.id, network, genesis_address, ${sql.raw(VERSION)}
        FROM launches ${sql.raw(JOIN_TOKEN)}
        WHERE NOT hidden ${after ? sql`AND launches.id > ${after}` : sql``}
        ORDER BY launches.id LIMIT ${BATCH}`),
    )
    after = rows.at(-1)?.id
    const isLast = rows.length < BATCH
    // The timer of `query_timeout` keeps the driver's result from being collected early; without its rows, it is small.
    const versions = rows.splice(0).map(({ network, genesis_address, version }) => ({
      network,
      genesisAddress: genesis_address,
      version,
    }))
    if (versions.length > 0) yield versions
    if (isLast) return
  }
}

/**
 * Looks the token of each launch up by itself. As long as PostgreSQL has not counted the rows, as after a restore, it plans a plain
 * join that compares every launch with every token.
 */
export const JOIN_TOKEN = `CROSS JOIN LATERAL (SELECT xmin, name, symbol, image, description FROM tokens
    WHERE tokens.network = launches.network AND tokens.mint = launches.mint OFFSET 0) AS tokens`

/** A number is read faster than the text of a time. */
const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000) AS ${column}`

/** One character more than a list shows, so that it is known to be too long. The rest is not even decompressed. */
const beginningOf = (column: 'description' | 'image', bytesMax: number) =>
  `left(${column}, ${bytesMax + 1}) AS ${column}`
const { picture, pictureAndDescription } = LISTED_BYTES
const LISTED_TEXTS = `${beginningOf('image', picture)}, ${beginningOf('description', pictureAndDescription)},
    octet_length(image) > ${picture} OR octet_length(description) > ${pictureAndDescription} AS is_partial`

const select = (texts: string) =>
  sql.raw(`
  SELECT launches.id, network, genesis_address, mint, mechanic, ${epochMs('starts_at')}, ${epochMs('ends_at')},
    ${epochMs('graduated_at')}, ${epochMs('last_activity_at')}, ${epochMs('registered_at')}, spotlight, hidden, slot,
    hero_url, website, socials, agent, created_token, nullif(verified_socials, '{}') AS verified_socials, name, symbol, ${texts},
    ${VERSION}
  FROM launches ${JOIN_TOKEN}`)
const SELECT_WHOLE = select('image, description')
const SELECT_LISTED = select(LISTED_TEXTS)

/** A launch and its token as the driver reads them. */
type LaunchRow = Pick<
  LaunchRecord,
  | 'id'
  | 'network'
  | 'mint'
  | 'mechanic'
  | 'spotlight'
  | 'hidden'
  | 'website'
  | 'socials'
  | 'agent'
  | 'version'
> & {
  genesis_address: Address
  starts_at: number
  ends_at: number
  graduated_at: number | null
  last_activity_at: number
  registered_at: number
  slot: string
  created_token: boolean
  hero_url: string | null
  verified_socials: LaunchRecord['verifiedSocials'] | null
  is_partial?: boolean
} & Omit<BaseToken, 'address'>

/** Mapped by hand: start-up may read every launch, and Drizzle's mapping took a quarter of its CPU time. */
const toRecord = (row: LaunchRow): LaunchRecord => ({
  id: row.id,
  network: row.network,
  genesisAddress: row.genesis_address,
  mint: row.mint,
  mechanic: row.mechanic,
  startsAt: new Date(row.starts_at),
  endsAt: new Date(row.ends_at),
  graduatedAt: row.graduated_at === null ? null : new Date(row.graduated_at),
  lastActivityAt: new Date(row.last_activity_at),
  registeredAt: new Date(row.registered_at),
  spotlight: row.spotlight,
  hidden: row.hidden,
  slot: Number(row.slot),
  heroUrl: row.hero_url,
  website: row.website,
  socials: row.socials,
  agent: row.agent,
  createdToken: row.created_token,
  verifiedSocials: row.verified_socials ?? [],
  token: {
    address: row.mint,
    name: row.name,
    symbol: row.symbol,
    image: row.image,
    description: row.description,
  },
  version: row.version,
  ...(row.is_partial && { isPartial: true }),
})

async function selectLaunches(
  database: Database,
  query: string,
  where: SQL,
  columns = SELECT_WHOLE,
): Promise<LaunchRecord[]> {
  const { rows } = await database.run(query, db => db.execute<LaunchRow>(sql`${columns} WHERE ${where}`))
  return rows.splice(0).map(toRecord)
}

/** Reads what lists show of these launches. One that is missing from the result was removed or hidden. */
export const readLaunches = (
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<LaunchRecord[]> =>
  selectLaunches(
    database,
    'launches.read',
    // One parameter: planning hundreds takes longer than reading the rows.
    sql`NOT hidden AND network = ${network} AND genesis_address = ANY(${sql.param(addresses)}::text[])`,
    SELECT_LISTED,
  )

/** Finds a registered launch, hidden or not, with everything that is said about it. */
export async function findLaunch(
  database: Database,
  network: Network,
  address: Address,
): Promise<LaunchRecord | undefined> {
  const where = sql`network = ${network} AND genesis_address = ${address}`
  return (await selectLaunches(database, 'launches.find', where))[0]
}

export async function countLaunches(database: Database): Promise<number> {
  const [row] = await database.run('launches.count', db => db.select({ value: count() }).from(launches))
  return row?.value ?? 0
}
