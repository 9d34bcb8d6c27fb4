import type { Address } from '@slipway/schema/address'
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type ClientNetwork, listClientNetworks, storedClient } from './client-networks.ts'
import type { Database } from './database.ts'
import { type BudgetRefusal, type DocumentBudgets, findBudgetRefusal } from './document-budgets.ts'
import {
  claimIndexed,
  type DocumentKey,
  IS_KEPT,
  IS_LAUNCHED,
  IS_PENDING,
  isDocument,
} from './hosted-documents.ts'
import { documents } from './hosted-documents-table.ts'

export interface PendingDocument extends DocumentKey {
  body: Buffer
  card: Buffer | undefined
  /** The wallet whose limit the document counts toward once the chain names it. */
  owner: Address
  /** An IPv4 address, or the /64 network of an IPv6 address. */
  client: string
}

/** Bounds of the documents that the chain does not name yet. */
interface PendingLimits {
  /** A larger network has a multiple of these. */
  clientCountMax: number
  clientBytesMax: number
  /** One client gets at most this share of the free space, so that many clients together can't fill it. */
  freeShare: number
  countMax: number
  bytesMax: number
}

const PENDING_LIMITS: PendingLimits = {
  clientCountMax: 200,
  clientBytesMax: 2 * 1_024 * 1_024,
  freeShare: 1 / 64,
  countMax: 20_000,
  bytesMax: 256 * 1_024 * 1_024,
}

export interface HostingRules {
  /** The URIs of documents hosted here, with `{sha256}` in place of the hash. */
  uriPatterns: readonly string[]
  budgets: DocumentBudgets
  pending?: PendingLimits
}

/** A row costs this much besides its bytes. */
const OVERHEAD_BYTES = 512

export type Saved =
  | 'saved'
  /** This client, or a network that it belongs to, has too many documents that are younger than ten minutes. */
  | 'client-full'
  /** All clients together have too many such documents. */
  | 'full'
  /** Too much is hosted already. */
  | BudgetRefusal
  /** An operator has removed this document. */
  | 'removed'

/** Hosts a document until the chain names it. Throws if a limit is reached. */
export type HostDocument = (document: PendingDocument) => Promise<'saved' | 'removed'>

/**
 * Stores a pending document if there is room, or if dropping older ones makes room. Preparing a document again starts
 * its hour again. Concurrent calls may exceed the limits by one document each.
 */
export async function savePendingDocument(
  database: Database,
  { card, ...document }: PendingDocument,
  rules: HostingRules,
): Promise<Saved> {
  const size = document.body.length + (card?.length ?? 0) + OVERHEAD_BYTES
  return database.run('documents.save', async db => {
    const { isKnown, isRemoved } = await findKnown(db, document)
    if (isRemoved) return 'removed'
    const refusal = isKnown
      ? undefined
      : ((await findBudgetRefusal(db, { ...document, size }, rules.budgets)) ??
        (await makeRoom(db, { client: document.client, size }, rules)))
    if (refusal) return refusal
    await db
      .insert(documents)
      .values({ ...document, client: storedClient(document.client), card: card ?? null, size })
      .onConflictDoUpdate({
        target: [documents.sha256, documents.network, documents.asset],
        set: { preparedAt: sql`now()` },
      })
    await deleteExpired(db, rules.uriPatterns)
    return 'saved'
  })
}

/**
 * How far the index has followed the network's chain. It may not have seen later transactions that name a document.
 * An index that has not moved for a day has been turned off, and must not block minting.
 */
const INDEXED_UNTIL = sql`coalesce(
  (SELECT least(now(), greatest(updated_at, now() - interval '1 day'))
   FROM chain_progress WHERE chain_progress.network = documents.network), now())`

/** Can be dropped: its transaction has expired, and the index would know if it had landed. */
const IS_SETTLED = sql`prepared_at < ${INDEXED_UNTIL} - interval '10 minutes' AND NOT ${IS_LAUNCHED}`

/** Never waits for a concurrent clean-up. */
async function deleteExpired(db: NodePgDatabase, uriPatterns: readonly string[]): Promise<void> {
  await claimIndexed(db, uriPatterns, sql`NOT (${IS_KEPT})`)
  await db.execute(sql`
    DELETE FROM documents WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM documents WHERE ${IS_PENDING} AND NOT (${IS_KEPT}) AND ${IS_SETTLED}
      LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`)
}

/** Whether this document is stored already, and whether an operator has removed it. */
async function findKnown(
  db: NodePgDatabase,
  { sha256, network, asset }: DocumentKey,
): Promise<{ isKnown: boolean; isRemoved: boolean }> {
  const { rows } = await db.execute<{ isKnown: boolean; isRemoved: boolean }>(sql`
    SELECT count(*) FILTER (WHERE network = ${network} AND asset = ${asset}) > 0 AS "isKnown",
      count(removed_at) > 0 AS "isRemoved"
    FROM documents WHERE sha256 = ${sha256}`)
  return rows[0] as { isKnown: boolean; isRemoved: boolean }
}

/** Makes room in each of the client's networks, smallest first, and then among all documents. */
async function makeRoom(
  db: NodePgDatabase,
  { client, size }: { client: string; size: number },
  { uriPatterns, pending = PENDING_LIMITS }: HostingRules,
): Promise<'client-full' | 'full' | undefined> {
  const networks = listClientNetworks(client)
  const used = await readUsage(db, networks)
  const isRoom = listBounds(used, used.all, { networks, size, pending }).every(
    ({ needed }) => needed.count <= 0 && needed.bytes <= 0,
  )
  if (isRoom) return undefined
  // Finding out which documents the chain names and which can be dropped takes longer, so it comes only now.
  const isSame = (await claimIndexed(db, uriPatterns)) === 0
  const left = isSame ? used : await readUsage(db, networks)
  const unsettled = await readUnsettled(db)
  if (unsettled.count >= pending.countMax || unsettled.bytes + size > pending.bytesMax) return 'full'
  // A document dropped from a network is also dropped from the larger networks around it.
  const freed = { count: 0, bytes: 0 }
  for (const { which, needed, refusal } of listBounds(left, unsettled, { networks, size, pending })) {
    const dropped = await dropOldest(db, which, {
      count: needed.count - freed.count,
      bytes: needed.bytes - freed.bytes,
    })
    if (!dropped) return refusal
    freed.count += dropped.count
    freed.bytes += dropped.bytes
  }
  return undefined
}

/** How much must be dropped in each network, and in total, before another document of this size fits. */
function listBounds(
  used: Usage,
  unsettled: Amount,
  { networks, size, pending }: { networks: ClientNetwork[]; size: number; pending: PendingLimits },
) {
  const { clientCountMax, clientBytesMax, freeShare, countMax, bytesMax } = pending
  // A client with nothing pending may prepare one document for as long as there is room.
  const countShare = Math.max(1, (countMax - unsettled.count) * freeShare)
  const bytesShare = Math.max(size, (bytesMax - unsettled.bytes) * freeShare)
  const neededFor = ({ count, bytes }: Amount, max: Amount): Amount => ({
    count: count + 1 - max.count,
    bytes: bytes + size - max.bytes,
  })
  return [
    ...networks.map(({ prefix, times }, at) => ({
      which: sql`starts_with(client, ${prefix})`,
      needed: neededFor(used.networks[at] as Amount, {
        count: Math.min(clientCountMax, countShare) * times,
        bytes: Math.min(clientBytesMax, bytesShare) * times,
      }),
      refusal: 'client-full' as const,
    })),
    {
      which: sql`true`,
      needed: neededFor(used.all, { count: countMax, bytes: bytesMax }),
      refusal: 'full' as const,
    },
  ]
}

interface Usage {
  networks: Amount[]
  all: Amount
}

/** The pending documents of each of these networks, and in total. */
async function readUsage(db: NodePgDatabase, networks: readonly ClientNetwork[]): Promise<Usage> {
  const amounts = [...networks.map(({ prefix }) => sql`starts_with(client, ${prefix})`), sql`true`].map(
    which => sql`json_build_object('count', count(*) FILTER (WHERE ${which}),
      'bytes', coalesce(sum(size) FILTER (WHERE ${which}), 0))`,
  )
  const { rows } = await db.execute<{ used: Amount[] }>(sql`
    SELECT json_build_array(${sql.join(amounts, sql`, `)}) AS used FROM documents WHERE ${IS_PENDING}`)
  const used = rows[0]?.used ?? []
  return { networks: used.slice(0, -1), all: used.at(-1) as Amount }
}

/** Documents that can't be dropped yet. */
async function readUnsettled(db: NodePgDatabase): Promise<Amount> {
  const { rows } = await db.execute<Record<keyof Amount, number>>(sql`
    SELECT count(*)::int AS count, coalesce(sum(size), 0)::float8 AS bytes
    FROM documents WHERE ${IS_PENDING} AND NOT (${IS_SETTLED})`)
  return rows[0] as Amount
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
