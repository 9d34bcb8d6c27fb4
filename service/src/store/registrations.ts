import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type NewBucket, saveBuckets } from './buckets.ts'
import type { Database } from './database.ts'
import { fillWords } from './fill-words.ts'
import type { NewLaunch, NewToken } from './launches.ts'
import { launches, tokens, usedVerifications } from './tables.ts'

export interface StoredRegistration {
  launchId: string
  tokenId: string
  mint: Address
}

export interface LaunchRows {
  launch: NewLaunch
  token: NewToken
  buckets: NewBucket[]
}

/** A verification token that counts, and the link whose ownership it proves. */
export interface SocialProof {
  id: string
  expiresAt: Date
  link: string
}

type LaunchKey = Pick<NewLaunch, 'network' | 'genesisAddress'>

const isLaunch = ({ network, genesisAddress }: LaunchKey) =>
  and(eq(launches.network, network), eq(launches.genesisAddress, genesisAddress))

export async function findRegistration(
  database: Database,
  key: LaunchKey,
): Promise<(StoredRegistration & { agent: Address | null }) | undefined> {
  return database.run('registrations.find', db => selectRegistration(db, key))
}

/**
 * Registers a launch with its token, links and buckets in one transaction. If calls run concurrently, on any node,
 * one creates the launch; the others change nothing and get the stored ids. Undefined if the proof belongs to another
 * launch.
 */
export async function saveRegistration(
  database: Database,
  rows: LaunchRows,
  proof: SocialProof | undefined,
): Promise<(StoredRegistration & { existing: boolean }) | undefined> {
  return database.transact('registrations.save', async db => {
    // This comes first, while there is nothing to undo.
    if (proof && !(await bindProof(db, rows.launch, proof))) return undefined
    await db.insert(tokens).values(rows.token).onConflictDoNothing()
    const inserted = await db
      .insert(launches)
      .values(rows.launch)
      .onConflictDoNothing()
      .returning({ id: launches.id })
    const existing = inserted.length === 0
    if (!existing) {
      if (rows.launch.createdToken) await completeToken(db, rows.token)
      await fillWords(db)
      await saveBuckets(db, rows.buckets)
    }
    if (proof) await markProven(db, rows.launch, proof)
    const registration = await selectRegistration(db, rows.launch)
    if (!registration) throw new Error('a launch that was just registered is missing')
    const { launchId, tokenId, mint } = registration
    return { launchId, tokenId, mint, existing }
  })
}

/** Applies a proof to a launch that is already registered. Returns false if the proof belongs to another launch. */
export async function saveProof(database: Database, key: LaunchKey, proof: SocialProof): Promise<boolean> {
  return database.transact('registrations.prove', async db => {
    const isBound = await bindProof(db, key, proof)
    if (isBound) await markProven(db, key, proof)
    return isBound
  })
}

/** Which of these launches are registered, hidden ones included. */
export async function findRegistered(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<Set<Address>> {
  const rows = await database.run('registrations.find-registered', db =>
    db
      .select({ address: launches.genesisAddress })
      .from(launches)
      .where(and(eq(launches.network, network), inArray(launches.genesisAddress, [...addresses]))),
  )
  return new Set(rows.map(({ address }) => address))
}

async function selectRegistration(
  db: NodePgDatabase,
  key: LaunchKey,
): Promise<(StoredRegistration & { agent: Address | null }) | undefined> {
  const [row] = await db
    .select({ launchId: launches.id, tokenId: tokens.id, mint: launches.mint, agent: launches.agent })
    .from(launches)
    .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
    .where(isLaunch(key))
  return row
}

/** What a token's document doesn't say comes from the launch that created it, even if another was registered before. */
async function completeToken(
  db: NodePgDatabase,
  { network, mint, image, description }: NewToken,
): Promise<void> {
  await db
    .update(tokens)
    .set({
      image: sql`coalesce(nullif(${tokens.image}, ''), ${image ?? ''})`,
      description: sql`coalesce(nullif(${tokens.description}, ''), ${description ?? ''})`,
    })
    .where(
      and(
        eq(tokens.network, network),
        eq(tokens.mint, mint),
        sql`(${tokens.image} = '' AND ${image ?? ''} <> '' OR ${tokens.description} = '' AND ${description ?? ''} <> '')`,
      ),
    )
}

/** Binds a proof to the first launch that it is used for. Concurrent uses of the same proof wait here. */
async function bindProof(
  db: NodePgDatabase,
  { network, genesisAddress }: LaunchKey,
  { id, expiresAt }: SocialProof,
): Promise<boolean> {
  await forgetExpired(db)
  await db.insert(usedVerifications).values({ id, network, genesisAddress, expiresAt }).onConflictDoNothing()
  const [bound] = await db.select().from(usedVerifications).where(eq(usedVerifications.id, id))
  return bound?.network === network && bound.genesisAddress === genesisAddress
}

/**
 * Keeps a margin after expiry, because the clocks of nodes and database may differ. Never waits for a concurrent
 * clean-up.
 */
async function forgetExpired(db: NodePgDatabase): Promise<void> {
  await db.execute(sql`
    DELETE FROM ${usedVerifications} WHERE id IN (
      SELECT id FROM ${usedVerifications} WHERE expires_at < now() - interval '1 hour'
      LIMIT 1000 FOR UPDATE SKIP LOCKED
    )`)
}

/** Compares without case, because handles that differ only in case are the same account. */
async function markProven(db: NodePgDatabase, key: LaunchKey, { link }: SocialProof): Promise<void> {
  await db
    .update(launches)
    .set({ verifiedSocials: sql`array_append(${launches.verifiedSocials}, 'x')` })
    .where(
      and(
        isLaunch(key),
        sql`lower(${launches.socials} ->> 'x') = lower(${link})`,
        sql`NOT 'x' = ANY (${launches.verifiedSocials})`,
      ),
    )
}
