import type { Address } from '@slipway/schema/address'
import type { BaseToken, Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, asc, count, desc, eq, lte, ne, sql } from 'drizzle-orm'
import { type NewBucket, saveBuckets } from './buckets.ts'
import type { CurationOutcome } from './curated-agents.ts'
import type { Database } from './database.ts'
import { fillWords } from './fill-words.ts'
import type { Transaction } from './owner-changes.ts'
import { launches, tokens } from './tables.ts'

/** A registered launch with its token. The status is not stored, because it depends on the clock. */
export type LaunchRecord = typeof launches.$inferSelect & { token: BaseToken }

export type NewLaunch = typeof launches.$inferInsert
export type NewToken = typeof tokens.$inferInsert

const BATCH = 2_000
/** A small batch, so that a node that reads all launches can answer requests in between, and needs little memory. */
const BATCH_OF_ALL = 500

/** Reads every visible launch in batches, to keep memory and statements small. */
export async function* readAllLaunches(database: Database): AsyncGenerator<LaunchRecord[]> {
  let after: string | undefined
  for (;;) {
    const { rows } = await database.run('launches.read-all', db =>
      db.execute<LaunchRow>(sql`
        SELECT launches.id, network, genesis_address, mint, mechanic, ${epochMs('starts_at')}, ${epochMs('ends_at')},
          ${epochMs('graduated_at')}, ${epochMs('last_activity_at')}, ${epochMs('registered_at')}, spotlight, slot,
          hero_url, website, socials, agent, nullif(verified_socials, '{}') AS verified_socials, name, symbol, image, description
        FROM launches JOIN tokens USING (network, mint)
        WHERE NOT hidden ${after ? sql`AND launches.id > ${after}` : sql``}
        ORDER BY launches.id LIMIT ${BATCH_OF_ALL}`),
    )
    // The timer of `query_timeout` keeps the driver's result from being collected early; without its rows, it is small.
    const records = rows.splice(0).map(rowToRecord)
    if (records.length > 0) yield records
    if (records.length < BATCH_OF_ALL) return
    after = records.at(-1)?.id
  }
}

/** A number is read faster than the text of a time. */
const epochMs = (column: string) => sql.raw(`round(date_part('epoch', ${column}) * 1000) AS ${column}`)

/** A launch and its token as the driver reads them. */
type LaunchRow = Pick<
  LaunchRecord,
  'id' | 'network' | 'mint' | 'mechanic' | 'spotlight' | 'website' | 'socials' | 'agent'
> & {
  genesis_address: Address
  starts_at: number
  ends_at: number
  graduated_at: number | null
  last_activity_at: number
  registered_at: number
  slot: string
  hero_url: string | null
  verified_socials: LaunchRecord['verifiedSocials'] | null
} & Omit<BaseToken, 'address'>

/** Mapped by hand: start-up reads every launch, and Drizzle's mapping took a quarter of its CPU time. */
const rowToRecord = (row: LaunchRow): LaunchRecord => ({
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
  hidden: false,
  slot: Number(row.slot),
  heroUrl: row.hero_url,
  website: row.website,
  socials: row.socials,
  agent: row.agent,
  verifiedSocials: row.verified_socials ?? [],
  token: {
    address: row.mint,
    name: row.name,
    symbol: row.symbol,
    image: row.image,
    description: row.description,
  },
})

/** Reads these launches. One that is missing from the result was removed or hidden. */
export async function readLaunches(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<LaunchRecord[]> {
  const records: LaunchRecord[] = []
  for (let start = 0; start < addresses.length; start += BATCH) {
    const rows = await database.run('launches.read', db =>
      db
        .select()
        .from(launches)
        .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
        .where(
          and(
            eq(launches.network, network),
            eq(launches.hidden, false),
            // One parameter: planning hundreds takes longer than reading the rows.
            sql`${launches.genesisAddress} = ANY(${sql.param(addresses.slice(start, start + BATCH))}::text[])`,
          ),
        ),
    )
    records.push(...rows.map(toRecord))
  }
  return records
}

/** Adds launches with their tokens in one transaction. Existing rows stay as they are. */
export async function insertLaunches(
  database: Database,
  added: readonly { launch: NewLaunch; token: NewToken }[],
): Promise<void> {
  await database.transact('launches.insert', async db => {
    for (let start = 0; start < added.length; start += BATCH) {
      const batch = added.slice(start, start + BATCH)
      await db
        .insert(tokens)
        .values(batch.map(({ token }) => token))
        .onConflictDoNothing()
      await db
        .insert(launches)
        .values(batch.map(({ launch }) => launch))
        .onConflictDoNothing()
    }
    await fillWords(db)
  })
}

export async function countLaunches(database: Database): Promise<number> {
  const [row] = await database.run('launches.count', db => db.select({ value: count() }).from(launches))
  return row?.value ?? 0
}

/** Returns false if no such launch is registered. */
export async function setSpotlight(
  database: Database,
  network: Network,
  address: Address,
  spotlight: boolean,
): Promise<CurationOutcome> {
  return curate(database, 'launches.set-spotlight', [network, address], 'spotlight', spotlight)
}

/** Hides a launch from every response, or shows it again. */
export async function setHidden(
  database: Database,
  network: Network,
  address: Address,
  hidden: boolean,
): Promise<CurationOutcome> {
  return curate(database, 'launches.set-hidden', [network, address], 'hidden', hidden)
}

function curate(
  database: Database,
  query: string,
  [network, address]: [Network, Address],
  column: 'hidden' | 'spotlight',
  value: boolean,
): Promise<CurationOutcome> {
  const isLaunch = and(eq(launches.network, network), eq(launches.genesisAddress, address))
  return database.run(query, async db => {
    const changed = await db
      .update(launches)
      .set({ [column]: value })
      .where(and(isLaunch, ne(launches[column], value)))
      .returning({ id: launches.id })
    if (changed.length > 0) return 'changed'
    const known = await db.select({ id: launches.id }).from(launches).where(isLaunch)
    return known.length > 0 ? 'unchanged' : 'missing'
  })
}

/** Finds a registered launch, hidden or not. */
export async function findLaunch(
  database: Database,
  network: Network,
  address: Address,
): Promise<LaunchRecord | undefined> {
  const [row] = await database.run('launches.find', db =>
    db
      .select()
      .from(launches)
      .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
      .where(and(eq(launches.network, network), eq(launches.genesisAddress, address))),
  )
  return row && toRecord(row)
}

/** New facts about a registered launch, from the chain and the token's document. */
interface LaunchCorrection {
  launch: Pick<NewLaunch, 'mechanic' | 'startsAt' | 'endsAt' | 'graduatedAt'> & { slot: number }
  token: Pick<NewToken, 'name' | 'symbol' | 'image' | 'description'>
  buckets: NewBucket[]
}

/** Corrects a launch in one transaction. Returns false if a newer state of the chain is stored. */
export async function correctLaunch(
  database: Database,
  { network, genesisAddress, mint }: Pick<LaunchRecord, 'network' | 'genesisAddress' | 'mint'>,
  { launch, token, buckets }: LaunchCorrection,
): Promise<boolean> {
  return database.transact('launches.correct', async db => {
    const corrected = await db
      .update(launches)
      .set(launch)
      .where(
        and(
          eq(launches.network, network),
          eq(launches.genesisAddress, genesisAddress),
          lte(launches.slot, launch.slot),
        ),
      )
      .returning({ id: launches.id })
    if (corrected.length === 0) return false
    await db
      .update(tokens)
      .set(token)
      .where(and(eq(tokens.network, network), eq(tokens.mint, mint)))
    await fillWords(db)
    await saveBuckets(db, buckets)
    return true
  })
}

/** Stores image and description from the token's document. An absent or empty one keeps the stored value. */
export async function saveDisplayMetadata(
  database: Database,
  { network, mint }: Pick<NewToken, 'network' | 'mint'>,
  { image, description }: { image?: string; description?: string },
): Promise<void> {
  const changes = { ...(image && { image }), ...(description && { description }) }
  if (Object.keys(changes).length === 0) return
  await database.run('tokens.save-metadata', db =>
    db
      .update(tokens)
      .set(changes)
      .where(and(eq(tokens.network, network), eq(tokens.mint, mint))),
  )
}

export async function findSpotlight(database: Database): Promise<LaunchRecord[]> {
  const rows = await database.run('launches.find-spotlight', db =>
    db
      .select()
      .from(launches)
      .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
      .where(eq(launches.spotlight, true))
      // chain-mainnet comes first.
      .orderBy(desc(launches.network), desc(launches.lastActivityAt), asc(launches.genesisAddress)),
  )
  return rows.map(toRecord)
}

function toRecord(row: {
  launches: typeof launches.$inferSelect
  tokens: typeof tokens.$inferSelect
}): LaunchRecord {
  const { mint: address, name, symbol, image, description } = row.tokens
  return { ...row.launches, token: { address, name, symbol, image, description } }
}

/** Replaces the links of a launch. A proof of the social handle counts only as long as the handle stays the same. */
export async function saveLinks(
  db: Transaction,
  { network, genesisAddress }: { network: Network; genesisAddress: Address },
  { website, socials }: { website: string; socials: Socials },
): Promise<void> {
  const handle = socials.x ?? ''
  await db
    .update(launches)
    .set({
      website,
      socials,
      verifiedSocials: sql`CASE WHEN lower(${launches.socials} ->> 'x') = lower(${handle})
        THEN ${launches.verifiedSocials} ELSE array_remove(${launches.verifiedSocials}, 'x') END`,
    })
    .where(and(eq(launches.network, network), eq(launches.genesisAddress, genesisAddress)))
}
