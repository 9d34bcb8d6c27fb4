import type { Address } from '@slipway/schema/address'
import type { Socials } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, eq, lte, ne, sql } from 'drizzle-orm'
import { type NewBucket, saveBuckets } from './buckets.ts'
import type { CurationOutcome } from './curated-agents.ts'
import type { Database } from './database.ts'
import { fillWords } from './fill-words.ts'
import type { Transaction } from './owner-changes.ts'
import type { LaunchRecord } from './read-launches.ts'
import { launches, tokens } from './tables.ts'

export type NewLaunch = typeof launches.$inferInsert
export type NewToken = typeof tokens.$inferInsert

const BATCH = 2_000

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
  return database.transact(query, async db => {
    const changed = await db
      .update(launches)
      .set({ [column]: value })
      .where(and(isLaunch, ne(launches[column], value)))
      .returning({ id: launches.id })
    if (changed.length > 0) {
      await fillWords(db)
      return 'changed'
    }
    const known = await db.select({ id: launches.id }).from(launches).where(isLaunch)
    return known.length > 0 ? 'unchanged' : 'missing'
  })
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

/**
 * Replaces the links of a launch, and its agent if one is given. A proof of the social handle counts only as long as
 * the handle stays the same.
 */
export async function saveLinks(
  db: Transaction,
  { network, genesisAddress }: { network: Network; genesisAddress: Address },
  { website, socials, agent }: { website: string; socials: Socials; agent?: Address | null | undefined },
): Promise<void> {
  const handle = socials.x ?? ''
  await db
    .update(launches)
    .set({
      website,
      socials,
      ...(agent !== undefined && { agent }),
      verifiedSocials: sql`CASE WHEN lower(${launches.socials} ->> 'x') = lower(${handle})
        THEN ${launches.verifiedSocials} ELSE array_remove(${launches.verifiedSocials}, 'x') END`,
    })
    .where(and(eq(launches.network, network), eq(launches.genesisAddress, genesisAddress)))
}
