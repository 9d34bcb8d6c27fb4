import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { and, asc, count, desc, eq, gt, inArray } from 'drizzle-orm'
import type { Database } from './database.ts'
import { launches, tokens } from './tables.ts'

/** A registered launch with the token it shows. Status is not in here: it follows from the clock. */
export type LaunchRecord = typeof launches.$inferSelect & { token: BaseToken }

export type NewLaunch = typeof launches.$inferInsert
export type NewToken = typeof tokens.$inferInsert

const BATCH = 2_000

/** Every launch that is shown, in batches, so that memory and single statements stay small. */
export async function* readAllLaunches(database: Database): AsyncGenerator<LaunchRecord[]> {
  let after: string | undefined
  for (;;) {
    const rows = await database.run('launches.read-all', db =>
      db
        .select()
        .from(launches)
        .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
        .where(and(eq(launches.hidden, false), after ? gt(launches.id, after) : undefined))
        .orderBy(asc(launches.id))
        .limit(BATCH),
    )
    if (rows.length > 0) yield rows.map(toRecord)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.launches.id
  }
}

/** The named launches that are shown; one that is missing from the answer has been removed or hidden. */
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
            inArray(launches.genesisAddress, addresses.slice(start, start + BATCH)),
          ),
        ),
    )
    records.push(...rows.map(toRecord))
  }
  return records
}

/** Adds launches with their tokens, all or nothing; what is already there stays as it is. */
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
  })
}

export async function countLaunches(database: Database): Promise<number> {
  const [row] = await database.run('launches.count', db => db.select({ value: count() }).from(launches))
  return row?.value ?? 0
}

/** False when no such launch is registered. */
export async function setSpotlight(
  database: Database,
  network: Network,
  address: Address,
  spotlight: boolean,
): Promise<boolean> {
  const rows = await database.run('launches.set-spotlight', db =>
    db
      .update(launches)
      .set({ spotlight })
      .where(and(eq(launches.network, network), eq(launches.genesisAddress, address)))
      .returning({ id: launches.id }),
  )
  return rows.length > 0
}

export async function findSpotlight(database: Database): Promise<LaunchRecord[]> {
  const rows = await database.run('launches.find-spotlight', db =>
    db
      .select()
      .from(launches)
      .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
      .where(eq(launches.spotlight, true))
      .orderBy(asc(launches.network), desc(launches.lastActivityAt), asc(launches.genesisAddress)),
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
