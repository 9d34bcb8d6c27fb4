import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { agents, authoredCards, verifiedAgents } from './tables.ts'

export type AgentRow = typeof agents.$inferSelect

/** Everything stored about an agent. Fields that operators set are independent of the row that comes from the chain. */
export interface RememberedAgent {
  row: AgentRow | undefined
  verifiedAt: Date | undefined
  authoredCard: Buffer | undefined
  /** Whether the owner has asked for the synthesised card. */
  isCardRemoved?: boolean
}

const is = (
  table: typeof agents | typeof verifiedAgents | typeof authoredCards,
  network: Network,
  address: Address,
) => and(eq(table.network, network), eq(table.address, address))

/** In one query. */
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
      })
      // A single row to join the three tables to, even if all of them are empty.
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
      ),
  )
  return {
    row: found?.row ?? undefined,
    verifiedAt: found?.verifiedAt ?? undefined,
    authoredCard: found?.authoredCard ?? undefined,
    ...(found?.cardOwner && !found.authoredCard && { isCardRemoved: true }),
  }
}

/** Stores the state of the chain unless a newer one is stored. Returns whether it was written. */
export async function saveAgent(database: Database, row: AgentRow): Promise<boolean> {
  const written = await database.run('agents.save', db =>
    db
      .insert(agents)
      .values(row)
      .onConflictDoUpdate({
        target: [agents.network, agents.address],
        set: row,
        setWhere: sql`${agents.slot} <= excluded.slot`,
      })
      .returning({ address: agents.address }),
  )
  return written.length > 0
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

export async function setVerified(
  database: Database,
  network: Network,
  address: Address,
  isVerified: boolean,
): Promise<void> {
  await database.run('agents.set-verified', async db => {
    if (isVerified) await db.insert(verifiedAgents).values({ network, address }).onConflictDoNothing()
    else await db.delete(verifiedAgents).where(is(verifiedAgents, network, address))
  })
}

export async function saveAuthoredCard(
  database: Database,
  network: Network,
  address: Address,
  body: Buffer,
): Promise<void> {
  await database.run('agents.save-card', db =>
    db
      .insert(authoredCards)
      .values({ network, address, body })
      .onConflictDoUpdate({
        target: [authoredCards.network, authoredCards.address],
        set: { body, owner: null, slot: null },
      }),
  )
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
