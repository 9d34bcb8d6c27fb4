import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type ListedDisplay, saveListing } from './agent-listing.ts'
import { agentRefreshes, curatedAgents } from './agent-tables.ts'
import { isIndexComplete } from './chain-progress.ts'
import type { Database } from './database.ts'
import { IS_PENDING } from './hosted-documents.ts'
import { agents, authoredCards, chainProgress, verifiedAgents } from './tables.ts'

export type AgentRow = typeof agents.$inferSelect

/** Everything stored about an agent. Fields that operators set are independent of the row that comes from the chain. */
export interface RememberedAgent {
  row: AgentRow | undefined
  verifiedAt: Date | undefined
  authoredCard: Buffer | undefined
  /** Whether the owner has asked for the synthesised card. */
  isCardRemoved?: boolean
  /** Set while an operator hides the agent. */
  hiddenAt?: Date | undefined
  /** Whether the index has the agent if the chain does, unless it was registered elsewhere in the last seconds. */
  isIndexCurrent?: boolean
}

/** Little more than an index that keeps up is behind. If it is further behind, the chain is asked. */
const IS_INDEX_CURRENT = isIndexComplete(4)

/** Whoever mints an agent here asks for it as soon as its transaction is confirmed, and must find it. */
const isBeingMinted = (network: Network, address: Address) =>
  sql`EXISTS (SELECT FROM documents WHERE network = ${network} AND asset = ${address} AND ${IS_PENDING})`

const is = (
  table: typeof agents | typeof verifiedAgents | typeof authoredCards | typeof curatedAgents,
  network: Network,
  address: Address,
) => and(eq(table.network, network), eq(table.address, address))

/** Finds everything stored about an agent in one query. */
export async function findAgent(
  database: Database,
  network: Network,
  address: Address,
): Promise<RememberedAgent> {
  const [found] = await database.run('agents.find', db =>
    db
      .select({
        row: agents,
        verifiedAt: verifiedAgents.verifiedAt,
        authoredCard: authoredCards.body,
        cardOwner: authoredCards.owner,
        hiddenAt: curatedAgents.hiddenAt,
        isIndexCurrent: sql<boolean>`${IS_INDEX_CURRENT} AND NOT ${isBeingMinted(network, address)}`,
      })
      // A single row to join the tables to, even if all of them are empty.
      .from(sql`(SELECT 1) AS one`)
      .leftJoin(agents, is(agents, network, address))
      .leftJoin(verifiedAgents, is(verifiedAgents, network, address))
      // The card of a former owner doesn't count, even before the trigger removes it.
      .leftJoin(
        authoredCards,
        and(
          is(authoredCards, network, address),
          or(isNull(authoredCards.owner), eq(authoredCards.owner, agents.owner)),
        ),
      )
      .leftJoin(curatedAgents, is(curatedAgents, network, address))
      .leftJoin(chainProgress, eq(chainProgress.network, network)),
  )
  return {
    row: found?.row ?? undefined,
    verifiedAt: found?.verifiedAt ?? undefined,
    authoredCard: found?.authoredCard ?? undefined,
    ...(found?.cardOwner && !found.authoredCard && { isCardRemoved: true }),
    hiddenAt: found?.hiddenAt ?? undefined,
    isIndexCurrent: found?.isIndexCurrent ?? false,
  }
}

/** Whether the store knows an agent at an address. */
export const knownAgents =
  (database: Database, network: Network) =>
  async (address: Address): Promise<boolean> =>
    (await findAgent(database, network, address)).row !== undefined

/** Finds the row of an agent, and keeps it from being removed until the transaction ends. */
export async function lockAgent(
  db: NodePgDatabase,
  network: Network,
  address: Address,
): Promise<AgentRow | undefined> {
  const [row] = await db
    .select()
    .from(agents)
    .where(is(agents, network, address))
    .for('share')
  return row
}

/** Stores the state of the chain unless a newer one is stored, and lists the agent. Returns whether it was written. */
export async function saveAgent(database: Database, row: AgentRow, display: ListedDisplay): Promise<boolean> {
  return database.transact('agents.save', async db => {
    const written = await db
      .insert(agents)
      .values(row)
      .onConflictDoUpdate({
        target: [agents.network, agents.address],
        set: row,
        setWhere: sql`${agents.slot} <= excluded.slot`,
      })
      .returning({ address: agents.address })
    if (written.length === 0) return false
    const { network, address, agentToken } = row
    await saveListing(db, network, { address, agentToken, ...display }, { hasChanged: true })
    await db.insert(agentRefreshes).values({ network, address }).onConflictDoNothing()
    return true
  })
}

/** Removes an agent that the chain no longer has as of this slot. Returns false if a later state is stored. */
export async function removeAgent(
  database: Database,
  network: Network,
  address: Address,
  slot: number,
): Promise<boolean> {
  const removed = await database.run('agents.remove', db =>
    db
      .delete(agents)
      .where(and(is(agents, network, address), sql`${agents.slot} <= ${slot}`))
      .returning({ address: agents.address }),
  )
  return removed.length > 0
}

/** Returns false if nothing changed. */
export async function setVerified(
  database: Database,
  network: Network,
  address: Address,
  isVerified: boolean,
): Promise<boolean> {
  const { address: changed } = verifiedAgents
  const rows = await database.run('agents.set-verified', db =>
    isVerified
      ? db.insert(verifiedAgents).values({ network, address }).onConflictDoNothing().returning({ changed })
      : db
          .delete(verifiedAgents)
          .where(is(verifiedAgents, network, address))
          .returning({ changed }),
  )
  return rows.length > 0
}

/** Returns false if the operator has hosted the same card already. */
export async function saveAuthoredCard(
  database: Database,
  network: Network,
  address: Address,
  body: Buffer,
): Promise<boolean> {
  const saved = await database.run('agents.save-card', db =>
    db
      .insert(authoredCards)
      .values({ network, address, body })
      .onConflictDoUpdate({
        target: [authoredCards.network, authoredCards.address],
        set: { body, owner: null, slot: null },
        setWhere: sql`${authoredCards.body} IS DISTINCT FROM excluded.body OR ${authoredCards.owner} IS NOT NULL`,
      })
      .returning({ address: authoredCards.address }),
  )
  return saved.length > 0
}

/** Returns false if there was none. */
export async function removeAuthoredCard(
  database: Database,
  network: Network,
  address: Address,
): Promise<boolean> {
  const removed = await database.run('agents.remove-card', db =>
    db
      .delete(authoredCards)
      .where(is(authoredCards, network, address))
      .returning({ address: authoredCards.address }),
  )
  return removed.length > 0
}
