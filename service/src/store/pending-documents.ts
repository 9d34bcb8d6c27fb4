import { and, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import { type DocumentKey, IS_INDEXED, IS_KEPT, isDocument } from './documents.ts'
import { documents } from './documents-table.ts'

interface NewDocument extends DocumentKey {
  body: Buffer
  card: Buffer | undefined
  client: string
}

/** Bounds of the documents that the chain does not name yet. */
interface PendingLimits {
  clientCountMax: number
  clientBytesMax: number
  countMax: number
  bytesMax: number
}

const PENDING_LIMITS: PendingLimits = {
  clientCountMax: 200,
  clientBytesMax: 2 * 1_024 * 1_024,
  countMax: 20_000,
  bytesMax: 256 * 1_024 * 1_024,
}

/** A row costs this much besides its bytes. */
const OVERHEAD_BYTES = 512

type Saved =
  | 'saved'
  /** This client has too many documents that are younger than ten minutes. */
  | 'client-full'
  /** All clients together have too many such documents. */
  | 'full'
  /** An operator has removed this document. */
  | 'removed'

/**
 * Stores a pending document, if there is room or can be made by dropping older ones. Preparing a document again starts its
 * hour again. Concurrent calls may exceed the limits by one document each.
 */
export async function saveDocument(
  database: Database,
  { card, ...document }: NewDocument,
  limits: PendingLimits = PENDING_LIMITS,
): Promise<Saved> {
  const size = document.body.length + (card?.length ?? 0) + OVERHEAD_BYTES
  return database.run('documents.save', async db => {
    const usage = await readUsage(db, document)
    if (usage.isRemoved) return 'removed'
    const refusal = usage.isKnown ? undefined : await makeRoom(db, document.client, size, usage, limits)
    if (refusal) return refusal
    await db
      .insert(documents)
      .values({ ...document, card: card ?? null, size })
      .onConflictDoUpdate({
        target: [documents.sha256, documents.network, documents.asset],
        set: { preparedAt: sql`now()` },
      })
    await deleteExpired(db)
    return 'saved'
  })
}

const IS_PENDING = sql`named_at IS NULL AND removed_at IS NULL`

/**
 * How far the index has followed the network's chain: a later mention of a document may not have been seen yet. An index that
 * has not moved for a day has been turned off, and must not block minting.
 */
const INDEXED_UNTIL = sql`coalesce(
  (SELECT least(now(), greatest(updated_at, now() - interval '1 day'))
   FROM chain_progress WHERE chain_progress.network = documents.network), now())`

/** Can be dropped: its transaction has expired, and the index would know if it had landed. */
const IS_SETTLED = sql`prepared_at < ${INDEXED_UNTIL} - interval '10 minutes' AND NOT ${IS_INDEXED}`

/** Never waits for a concurrent clean-up. */
async function deleteExpired(db: NodePgDatabase): Promise<void> {
  await db.execute(sql`
    DELETE FROM documents WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM documents WHERE ${IS_PENDING} AND NOT (${IS_KEPT}) AND ${IS_SETTLED}
      LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`)
}

type Usage = Record<'clientCount' | 'clientBytes' | 'count' | 'bytes', number> &
  Record<'isKnown' | 'isRemoved', boolean>

/** What is pending, and whether this document is stored already. */
async function readUsage(
  db: NodePgDatabase,
  { sha256, network, asset, client }: Omit<NewDocument, 'card'>,
): Promise<Usage> {
  const { rows } = await db.execute<Usage>(sql`
    SELECT known.*, pending.* FROM (
      SELECT count(*) FILTER (WHERE network = ${network} AND asset = ${asset}) > 0 AS "isKnown",
        count(removed_at) > 0 AS "isRemoved"
      FROM documents WHERE sha256 = ${sha256}
    ) AS known, (
      SELECT count(*) FILTER (WHERE client = ${client})::int AS "clientCount",
        coalesce(sum(size) FILTER (WHERE client = ${client}), 0)::float8 AS "clientBytes",
        count(*)::int AS "count", coalesce(sum(size), 0)::float8 AS "bytes"
      FROM documents WHERE ${IS_PENDING}
    ) AS pending`)
  return rows[0] as Usage
}

async function makeRoom(
  db: NodePgDatabase,
  client: string,
  size: number,
  used: Usage,
  limits: PendingLimits,
): Promise<'client-full' | 'full' | undefined> {
  const ofClient = await dropOldest(db, sql`client = ${client}`, {
    count: used.clientCount + 1 - limits.clientCountMax,
    bytes: used.clientBytes + size - limits.clientBytesMax,
  })
  if (!ofClient) return 'client-full'
  const ofAll = await dropOldest(db, sql`true`, {
    count: used.count + 1 - ofClient.count - limits.countMax,
    bytes: used.bytes + size - ofClient.bytes - limits.bytesMax,
  })
  return ofAll ? undefined : 'full'
}

interface Amount {
  count: number
  bytes: number
}

const KEY = { sha256: documents.sha256, network: documents.network, asset: documents.asset }
/** More than enough to make room for one document. */
const DROPPED_MAX = 500

/** Drops settled documents, oldest first, until this much is free. Undefined if there are too few. */
async function dropOldest(db: NodePgDatabase, which: SQL, needed: Amount): Promise<Amount | undefined> {
  const freed = { count: 0, bytes: 0 }
  const isEnough = () => freed.count >= needed.count && freed.bytes >= needed.bytes
  if (isEnough()) return freed
  const oldest = await db
    .select({ key: KEY, size: documents.size })
    .from(documents)
    .where(and(IS_PENDING, which, IS_SETTLED))
    .orderBy(documents.preparedAt)
    .limit(DROPPED_MAX)
  const dropped: DocumentKey[] = []
  for (const { key, size } of oldest) {
    if (isEnough()) break
    dropped.push(key)
    freed.count += 1
    freed.bytes += size
  }
  if (!isEnough()) return undefined
  // In the meantime, the chain may have named one of them, or a client may have prepared it again.
  await db.delete(documents).where(and(IS_PENDING, IS_SETTLED, or(...dropped.map(isDocument))))
  return freed
}
