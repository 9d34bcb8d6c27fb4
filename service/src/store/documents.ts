import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, isNull, like, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { saveListing } from './agent-listing.ts'
import { scheduleRefreshes } from './agent-refreshes.ts'
import type { Database } from './database.ts'
import { documents } from './documents-table.ts'
import { agents } from './tables.ts'

interface NewDocument {
  sha256: string
  network: Network
  asset: Address
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

type Key = Pick<NewDocument, 'sha256' | 'network' | 'asset'>

const KEY = { sha256: documents.sha256, network: documents.network, asset: documents.asset }
const is = ({ sha256, network, asset }: Key) =>
  and(eq(documents.sha256, sha256), eq(documents.network, network), eq(documents.asset, asset))

/** A document is removed for every account, also for one that a concurrent request prepares it for. */
const IS_NOT_REMOVED = sql`NOT EXISTS (
  SELECT FROM documents AS removed WHERE removed.sha256 = documents.sha256 AND removed.removed_at IS NOT NULL)`

const IS_PENDING = sql`named_at IS NULL AND removed_at IS NULL`

/**
 * How far the index has followed the network's chain: a later mention of a document may not have been seen yet. An index that
 * has not moved for a day has been turned off, and must not block minting.
 */
const INDEXED_UNTIL = sql`coalesce(
  (SELECT least(now(), greatest(updated_at, now() - interval '1 day'))
   FROM chain_progress WHERE chain_progress.network = documents.network), now())`

/**
 * Whether the index knows that the account names the document, even if nothing has claimed it yet. Of a launch, it knows
 * only that there is one, so its document has a day to be claimed by the registration.
 */
const IS_INDEXED = sql`(EXISTS (
  SELECT FROM agents WHERE agents.network = documents.network AND agents.address = documents.asset
    AND strpos(agents.agent_uri, documents.sha256) > 0)
  OR (prepared_at > now() - interval '1 day' AND EXISTS (
    SELECT FROM buckets WHERE buckets.network = documents.network
      AND buckets.genesis_address = documents.asset)))`

/** Can be dropped: its transaction has expired, and the index would know if it had landed. */
const IS_SETTLED = sql`prepared_at < ${INDEXED_UNTIL} - interval '10 minutes' AND NOT ${IS_INDEXED}`

const IS_KEPT = sql`prepared_at > now() - interval '1 hour'`

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
  const dropped: Key[] = []
  for (const { key, size } of oldest) {
    if (isEnough()) break
    dropped.push(key)
    freed.count += 1
    freed.bytes += size
  }
  if (!isEnough()) return undefined
  // In the meantime, the chain may have named one of them, or a client may have prepared it again.
  await db.delete(documents).where(and(IS_PENDING, IS_SETTLED, or(...dropped.map(is))))
  return freed
}

/** Finds a document to serve. A pending one is served for an hour. */
export async function findDocument(
  database: Database,
  sha256: string,
): Promise<{ body: Buffer; isNamed: boolean } | undefined> {
  const [found] = await database.run('documents.find', db =>
    db
      .select({ body: documents.body, namedAt: documents.namedAt })
      .from(documents)
      .where(
        and(
          eq(documents.sha256, sha256),
          IS_NOT_REMOVED,
          sql`(named_at IS NOT NULL OR ${IS_KEPT} OR ${IS_INDEXED})`,
        ),
      )
      .orderBy(sql`named_at NULLS LAST`)
      .limit(1),
  )
  return found && { body: found.body, isNamed: found.namedAt !== null }
}

/** Finds the document that an agent names, however old it is. */
export async function findHostedBody(database: Database, sha256: string): Promise<Buffer | undefined> {
  const [found] = await database.run('documents.find-body', db =>
    db
      .select({ body: documents.body })
      .from(documents)
      .where(and(eq(documents.sha256, sha256), IS_NOT_REMOVED))
      .limit(1),
  )
  return found?.body
}

/**
 * Records that the chain names a document for this account, so that it is kept, and returns the card that comes with it.
 * Undefined if the document was prepared for another account: an agent cannot take over another's card.
 */
export async function claimDocument(
  database: Database,
  network: Network,
  { sha256, asset }: { sha256: string; asset: Address },
): Promise<{ card: Buffer | null } | undefined> {
  const isIt = and(is({ sha256, network, asset }), IS_NOT_REMOVED)
  return database.run('documents.claim', async db => {
    const [found] = await db
      .select({ card: documents.card, namedAt: documents.namedAt })
      .from(documents)
      .where(isIt)
    if (found && !found.namedAt)
      await db.update(documents).set({ namedAt: sql`now()`, client: null }).where(isIt)
    return found && { card: found.card }
  })
}

/**
 * Removes a document, the copies that agents have of it and its words from the search, and refuses it from now on. Returns
 * false if there is none with this hash.
 */
export async function removeDocument(database: Database, sha256: string): Promise<boolean> {
  return database.transact('documents.remove', async db => {
    const removed = await db
      .update(documents)
      .set({ body: Buffer.alloc(0), card: null, size: 0, client: null, removedAt: sql`now()` })
      .where(and(eq(documents.sha256, sha256), isNull(documents.removedAt)))
      .returning({ sha256: documents.sha256 })
    const named = await db
      .update(agents)
      .set({ documents: {} })
      .where(like(agents.agentUri, `%/v1/documents/${sha256}.json%`))
      .returning()
    for (const { network, ...agent } of named) {
      // Until a node has read its documents again, the agent is listed as the chain describes it.
      const display = { description: '', isActive: true, hasServices: false }
      await saveListing(db, network, { ...agent, ...display }, { hasChanged: true })
      await scheduleRefreshes(db, network, [agent.address])
    }
    return removed.length > 0
  })
}
