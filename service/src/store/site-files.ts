import { eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { siteFiles } from './site-files-table.ts'

export interface SiteFileRow {
  name: string
  type: string
  identity: Buffer
  gzip?: Buffer | undefined
  br?: Buffer | undefined
}

/** All files together. A build has about two megabytes. */
const BYTES_MAX = 100_000_000

/** Notes that these files belong to a node's current build, and stores those that are new. */
export async function offerSiteFiles(database: Database, files: readonly SiteFileRow[]): Promise<void> {
  const names = files.map(({ name }) => name)
  const known = await database.run('site-files.offer', db =>
    db
      .update(siteFiles)
      .set({ offeredAt: sql`now()` })
      .where(inArray(siteFiles.name, names))
      .returning({ name: siteFiles.name }),
  )
  const isKnown = new Set(known.map(({ name }) => name))
  for (const file of files) {
    if (isKnown.has(file.name)) continue
    const { name, type, identity, gzip = null, br = null } = file
    const size = identity.length + (gzip?.length ?? 0) + (br?.length ?? 0)
    await database.run('site-files.save', db =>
      db
        .insert(siteFiles)
        .values({ name, type, identity, gzip, br, size })
        // Another node has the same build.
        .onConflictDoUpdate({ target: siteFiles.name, set: { offeredAt: sql`now()` } }),
    )
  }
}

/**
 * Deletes the files that no node has offered for a day, and the oldest if there are too many. Never deletes the files
 * in `own`, which belong to this node.
 */
export async function sweepSiteFiles(
  database: Database,
  own: readonly string[],
  { bytesMax = BYTES_MAX }: { bytesMax?: number } = {},
): Promise<void> {
  await database.run('site-files.sweep', async db => {
    const kept = db.$with('kept').as(
      db
        .select({
          name: siteFiles.name,
          total: sql<number>`sum(size) OVER (ORDER BY offered_at DESC, name)`.as('total'),
        })
        .from(siteFiles),
    )
    const expired = sql`${siteFiles.offeredAt} < now() - interval '1 day'`
    const tooMany = sql`${siteFiles.name} IN (SELECT name FROM kept WHERE total > ${bytesMax})`
    await db
      .with(kept)
      .delete(siteFiles)
      .where(sql`${notInArray(siteFiles.name, [...own])} AND (${expired} OR ${tooMany})`)
  })
}

export async function findSiteFile(database: Database, name: string): Promise<SiteFileRow | undefined> {
  const [row] = await database.run('site-files.find', db =>
    db.select().from(siteFiles).where(eq(siteFiles.name, name)),
  )
  return row && { ...row, gzip: row.gzip ?? undefined, br: row.br ?? undefined }
}
