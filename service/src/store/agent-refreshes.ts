import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { agentRefreshes } from './agent-tables.ts'
import type { Database } from './database.ts'

/** A document that was fetched is fetched again a day later: most hosts can change it at any time. */
const AGAIN = sql`interval '1 day'`
/** The first retry; each further one waits four times as long. */
const RETRY_SECONDS = 60
/** The last of these comes about a day after the first. */
const FAILURES_MAX = 7

/** Makes the documents of these agents due now, even after many failures. */
export async function scheduleRefreshes(
  db: NodePgDatabase,
  network: Network,
  addresses: readonly Address[],
): Promise<void> {
  if (addresses.length === 0) return
  await db
    .insert(agentRefreshes)
    .values(addresses.map(address => ({ network, address })))
    .onConflictDoUpdate({
      target: [agentRefreshes.network, agentRefreshes.address],
      set: { dueAt: sql`now()`, failures: 0 },
    })
}

/** Lists agents whose documents are due, the longest due first, except for these. */
export async function listDueRefreshes(
  database: Database,
  network: Network,
  count: number,
  except: readonly Address[] = [],
): Promise<Address[]> {
  const rows = await database.run('agents.due', db =>
    db
      .select({ address: agentRefreshes.address })
      .from(agentRefreshes)
      .where(
        sql`${agentRefreshes.network} = ${network} AND ${agentRefreshes.dueAt} <= now()
          AND ${agentRefreshes.address} <> ALL(${sql.param([...except])}::text[])`,
      )
      .orderBy(agentRefreshes.dueAt)
      .limit(count),
  )
  return rows.map(({ address }) => address)
}

/** Records how a refresh went. After too many failures the agent is left alone until it changes on the chain. */
export async function recordRefresh(
  database: Database,
  network: Network,
  address: Address,
  isDone: boolean,
): Promise<void> {
  const is = sql`network = ${network} AND address = ${address}`
  await database.run('agents.record-refresh', db =>
    db.execute(
      isDone
        ? sql`UPDATE agent_refreshes SET due_at = now() + ${AGAIN} * (0.9 + 0.2 * random()), failures = 0 WHERE ${is}`
        : sql`UPDATE agent_refreshes SET failures = failures + 1,
            due_at = CASE WHEN failures + 1 < ${FAILURES_MAX}
              THEN now() + ${RETRY_SECONDS} * interval '1 second' * power(4, failures) END
            WHERE ${is}`,
    ),
  )
}
