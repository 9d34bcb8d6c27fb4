import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, isNull, like, sql } from 'drizzle-orm'
import { saveListing } from './agent-listing.ts'
import { scheduleRefreshes } from './agent-refreshes.ts'
import type { Database } from './database.ts'
import { documents } from './documents-table.ts'
import { agents } from './tables.ts'

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
  const isIt = and(isDocument({ sha256, network, asset }), IS_NOT_REMOVED)
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

/** A document and the account that it was prepared for. */
export interface DocumentKey {
  sha256: string
  network: Network
  asset: Address
}

export const isDocument = ({ sha256, network, asset }: DocumentKey) =>
  and(eq(documents.sha256, sha256), eq(documents.network, network), eq(documents.asset, asset))

/** A document is removed for every account, also for one that a concurrent request prepares it for. */
const IS_NOT_REMOVED = sql`NOT EXISTS (
  SELECT FROM documents AS removed WHERE removed.sha256 = documents.sha256 AND removed.removed_at IS NOT NULL)`

/**
 * Whether the index knows that the account names the document, even if nothing has claimed it yet. Of a launch, it knows
 * only that there is one, so its document has a day to be claimed by the registration.
 */
export const IS_INDEXED = sql`(EXISTS (
  SELECT FROM agents WHERE agents.network = documents.network AND agents.address = documents.asset
    AND strpos(agents.agent_uri, documents.sha256) > 0)
  OR (prepared_at > now() - interval '1 day' AND EXISTS (
    SELECT FROM buckets WHERE buckets.network = documents.network
      AND buckets.genesis_address = documents.asset)))`

/** A pending document is kept for an hour. */
export const IS_KEPT = sql`prepared_at > now() - interval '1 hour'`
