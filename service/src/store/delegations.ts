import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { agentDelegations } from './delegation-table.ts'

export type DelegationRow = typeof agentDelegations.$inferSelect
/** `firstOwner` is the agent's owner as of the same slot; null if it could not be read. */
export type SeenDelegation = Pick<DelegationRow, 'record' | 'agent' | 'executive' | 'wallet' | 'firstOwner'>

/** The records among these that are stored with an owner. */
export async function findOwned(
  database: Database,
  network: Network,
  records: readonly Address[],
): Promise<Set<Address>> {
  const { record, firstOwner } = agentDelegations
  const rows = await database.run('delegations.owned', db =>
    db
      .select({ record })
      .from(agentDelegations)
      .where(
        and(
          eq(agentDelegations.network, network),
          sql`${record} = ANY(${sql.param(records)}::text[])`,
          isNotNull(firstOwner),
        ),
      ),
  )
  return new Set(rows.map(row => row.record))
}

/** Stores records that are new here. */
export async function saveDelegations(
  database: Database,
  network: Network,
  seen: readonly SeenDelegation[],
  slot: number,
): Promise<void> {
  if (seen.length === 0) return
  // A node may list a record twice, which one statement can't store.
  const unique = [...new Map(seen.map(row => [row.record, row])).values()]
  const column = (name: keyof SeenDelegation) => sql`${sql.param(unique.map(row => row[name]))}::text[]`
  await database.run('delegations.save', db =>
    db.execute(sql`WITH saved AS (
        INSERT INTO agent_delegations AS known (network, record, agent, executive, wallet, slot, first_owner)
        SELECT ${network}, record, agent, executive, wallet, ${slot}, first_owner
        FROM unnest(${column('record')}, ${column('agent')}, ${column('executive')}, ${column('wallet')},
          ${column('firstOwner')}) AS seen (record, agent, executive, wallet, first_owner)
        ORDER BY record
        ON CONFLICT (network, record) DO UPDATE SET first_owner = excluded.first_owner
          WHERE known.first_owner IS NULL AND excluded.first_owner IS NOT NULL
        RETURNING agent)
      ${touchAgents(network, sql`saved`)}`),
  )
}

/** Locks them in one order, so that two nodes never wait for each other. */
const touchAgents = (network: Network, changed: SQL) => sql`, locked AS (
        SELECT address FROM agent_listing
        WHERE network = ${network} AND address IN (SELECT agent FROM ${changed})
        ORDER BY address FOR NO KEY UPDATE)
      UPDATE agent_listing SET updated_at = now()
      FROM locked WHERE network = ${network} AND agent_listing.address = locked.address`

/** Removes records that the chain does not have as of this slot. */
export async function removeDelegations(
  database: Database,
  network: Network,
  records: readonly Address[],
  slot: number,
): Promise<void> {
  if (records.length === 0) return
  await database.run('delegations.remove', db =>
    db.execute(sql`WITH removed AS (
        DELETE FROM agent_delegations
        WHERE network = ${network} AND record IN (
          SELECT record FROM agent_delegations
          WHERE network = ${network} AND record = ANY(${sql.param(records)}::text[]) AND slot <= ${slot}
          ORDER BY record FOR UPDATE)
        RETURNING agent)
      ${touchAgents(network, sql`removed`)}`),
  )
}

export const findDelegations = (
  database: Database,
  network: Network,
  agent: Address,
): Promise<DelegationRow[]> =>
  database.run('delegations.find', db =>
    db
      .select()
      .from(agentDelegations)
      .where(and(eq(agentDelegations.network, network), eq(agentDelegations.agent, agent))),
  )

/** The next records after this one, in the order of their addresses. */
export async function listDelegations(
  database: Database,
  network: Network,
  { after = '', limit }: { after?: string; limit?: number } = {},
): Promise<Address[]> {
  const rows = await database.run('delegations.list', db => {
    const query = db
      .select({ record: agentDelegations.record })
      .from(agentDelegations)
      .where(and(eq(agentDelegations.network, network), gt(agentDelegations.record, after as Address)))
      .orderBy(asc(agentDelegations.record))
    return limit === undefined ? query : query.limit(limit)
  })
  return rows.map(({ record }) => record)
}
