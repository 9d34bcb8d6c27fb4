import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { and, eq, isNull, like, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { saveListing } from './agent-listing.ts'
import { scheduleRefreshes } from './agent-refreshes.ts'
import type { Database } from './database.ts'
import { documents } from './hosted-documents-table.ts'
import { agents } from './tables.ts'

/**
 * Finds a document to serve. A pending one is served for an hour, and one that the chain no longer names for a week.
 */
export async function findHostedDocument(
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
          sql`(${IS_EXPIRED} IS NOT TRUE AND (named_at IS NOT NULL OR ${IS_KEPT} OR ${IS_LAUNCHED}))`,
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
 * Records that the chain names a document for this account, so that it is kept, and returns the card that comes with
 * it. Undefined if the document was prepared for another account: an agent cannot take over another's card.
 */
export async function claimDocument(
  database: Database,
  network: Network,
  { sha256, asset }: { sha256: string; asset: Address },
): Promise<{ card: Buffer | null } | undefined> {
  const isIt = and(isDocument({ sha256, network, asset }), IS_NOT_REMOVED)
  return database.run('documents.claim', async db => {
    const [found] = await db
      .select({
        card: documents.card,
        isClaimed: sql<boolean>`named_at IS NOT NULL AND unnamed_at IS NULL AND owner IS NOT NULL`,
      })
      .from(documents)
      .where(isIt)
    if (found && !found.isClaimed)
      await db
        .update(documents)
        .set(claim(sql`(${OWNER_OF_AGENT})`))
        .where(isIt)
    return found && { card: found.card }
  })
}

/** The owner of an agent that was read before its document was claimed. */
const OWNER_OF_AGENT = sql`
  SELECT agents.owner FROM agents WHERE agents.network = documents.network AND agents.address = documents.asset`

/** Agents cost nothing there, so clients count for a day after the chain has named their documents. */
export const isFreeNetwork = (network: Network): boolean => NETWORK_TABLE[network].isFree
const FREE_NETWORKS = sql.join(
  NETWORKS.filter(isFreeNetwork).map(network => sql`${network}`),
  sql`, `,
)

/** The first claim decides whose limit the document counts toward: a later owner has not asked for it. */
const claim = (owner: SQL) => ({
  namedAt: sql`coalesce(named_at, now())`,
  unnamedAt: null,
  owner: sql`CASE WHEN named_at IS NULL THEN coalesce(${owner}, documents.owner)
    ELSE coalesce(documents.owner, ${owner}) END`,
  client: sql`CASE WHEN documents.network IN (${FREE_NETWORKS}) THEN documents.client END`,
})

/**
 * Claims the pending documents that agents in the index name. `uriPatterns` are the URIs of documents hosted here, with
 * `{sha256}` in place of the hash; any other URI that contains the hash names nothing. Returns how many were claimed.
 */
export async function claimIndexed(
  db: NodePgDatabase,
  uriPatterns: readonly string[],
  which: SQL = sql`true`,
): Promise<number> {
  const { rowCount } = await db
    .update(documents)
    .set(claim(sql`agents.owner`))
    .from(agents)
    .where(
      and(
        IS_PENDING,
        which,
        eq(agents.network, documents.network),
        eq(agents.address, documents.asset),
        sql`agents.agent_uri = ANY (
          SELECT replace(pattern, '{sha256}', documents.sha256)
          FROM unnest(${sql.param(uriPatterns)}::text[]) AS pattern)`,
      ),
    )
  return rowCount ?? 0
}

/**
 * Removes a document, the copies that agents have of it and its words from the search, and refuses it from now on.
 * Returns false if there is none with this hash.
 */
export async function removeDocument(database: Database, sha256: string): Promise<boolean> {
  return database.transact('documents.remove', async db => {
    // Agents come first, as when the chain changes: a trigger then writes to their documents.
    const named = await db
      .update(agents)
      .set({ documents: {} })
      .where(like(agents.agentUri, `%/v1/documents/${sha256}.json%`))
      .returning()
    const removed = await db
      .update(documents)
      .set({ body: Buffer.alloc(0), card: null, size: 0, client: null, removedAt: sql`now()` })
      .where(and(eq(documents.sha256, sha256), isNull(documents.removedAt)))
      .returning({ sha256: documents.sha256 })
    for (const { network, ...agent } of named) {
      // Until a node has read its documents again, the agent is listed as the chain describes it.
      const display = { description: '', isActive: true, hasServices: false }
      await saveListing(db, network, { ...agent, ...display }, { hasChanged: true })
      await scheduleRefreshes(db, network, [agent.address])
    }
    return removed.length > 0
  })
}

/** A document and the account that it was prepared for. */
export interface DocumentKey {
  sha256: string
  network: Network
  asset: Address
}

export const isDocument = ({ sha256, network, asset }: DocumentKey) =>
  and(eq(documents.sha256, sha256), eq(documents.network, network), eq(documents.asset, asset))

/** A document is removed for every account, including one that a concurrent request prepares it for. */
const IS_NOT_REMOVED = sql`NOT EXISTS (
  SELECT FROM documents AS removed WHERE removed.sha256 = documents.sha256 AND removed.removed_at IS NOT NULL)`

export const IS_PENDING = sql`documents.named_at IS NULL AND documents.removed_at IS NULL`

/**
 * Whether the index has the launch that the document was prepared for. It doesn't know which document the token
 * names, so the last one has a day to be claimed by the registration.
 */
export const IS_LAUNCHED = sql`(prepared_at > now() - interval '1 day' AND EXISTS (
  SELECT FROM buckets WHERE buckets.network = documents.network AND buckets.genesis_address = documents.asset)
  AND NOT EXISTS (SELECT FROM documents AS later WHERE later.network = documents.network
    AND later.asset = documents.asset AND later.prepared_at > documents.prepared_at))`

/** A pending document is kept for an hour. */
export const IS_KEPT = sql`prepared_at > now() - interval '1 hour'`

/** A document that the chain no longer names is kept for a week. */
export const IS_EXPIRED = sql`(documents.unnamed_at < now() - interval '7 days')`
