import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { agents, authoredCards, verifiedAgents } from './tables.ts'

export type AgentRow = typeof agents.$inferSelect

/** All that is remembered of an agent. What operators said of it stands, whether or not the chain was ever asked. */
export interface RememberedAgent {
  row: AgentRow | undefined
  verifiedAt: Date | undefined
  authoredCard: Buffer | undefined
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
      .select({ row: agents, verifiedAt: verifiedAgents.verifiedAt, authoredCard: authoredCards.body })
      // One row whether or not anything is known, to join the three to.
      .from(sql`(SELECT 1) AS one`)
      .leftJoin(agents, is(agents, network, address))
      .leftJoin(verifiedAgents, is(verifiedAgents, network, address))
      .leftJoin(authoredCards, is(authoredCards, network, address)),
  )
  return {
    row: found?.row ?? undefined,
    verifiedAt: found?.verifiedAt ?? undefined,
    authoredCard: found?.authoredCard ?? undefined,
  }
}

/** Remembers what the chain said, unless a newer state is already there. False when nothing was written. */
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

/** The chain no longer knows it, as of this slot. False when nothing was removed: another node knows of a later state. */
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
      .onConflictDoUpdate({ target: [authoredCards.network, authoredCards.address], set: { body } }),
  )
}

/** False when there was none. */
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
