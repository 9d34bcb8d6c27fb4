import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from './owner-changes.ts'
import { agents, authoredCards } from './tables.ts'

/** The owner of an agent, as the chain has it at a slot. */
interface AgentOwner {
  network: Network
  address: Address
  owner: Address
  slot: number
}

/**
 * Replaces the hosted card with the owner's, or with the synthesised one if `body` is null. Returns false if the
 * agent was transferred after the slot at which the owner was read, or if another owner, read at that slot or later,
 * has set the card. The index may not have seen that transfer yet.
 */
export async function saveOwnerCard(
  db: Transaction,
  { network, address, owner, slot }: AgentOwner,
  body: Buffer | null,
): Promise<boolean> {
  // Until the transaction ends, no other owner can be stored. When one is, a trigger removes the card.
  const [row] = await db
    .select({ owner: agents.owner, slot: agents.slot })
    .from(agents)
    .where(and(eq(agents.network, network), eq(agents.address, address)))
    .for('share')
  if (row && row.owner !== owner && row.slot >= slot) return false
  const isSameOwner = sql`coalesce(${authoredCards.owner}, excluded.owner) = excluded.owner`
  const written = await db
    .insert(authoredCards)
    .values({ network, address, body, owner, slot })
    .onConflictDoUpdate({
      target: [authoredCards.network, authoredCards.address],
      set: { body, owner, slot: sql`greatest(${authoredCards.slot}, excluded.slot)` },
      setWhere: sql`${isSameOwner} OR ${authoredCards.slot} < excluded.slot`,
    })
    .returning({ address: authoredCards.address })
  return written.length > 0
}
