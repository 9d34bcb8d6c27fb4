import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import { curatedAgents } from './agent-tables.ts'
import type { Database } from './database.ts'
import { agents } from './tables.ts'

/** Hides an agent from every response, or shows it again. */
export async function setAgentHidden(
  database: Database,
  network: Network,
  address: Address,
  isHidden: boolean,
): Promise<CurationOutcome> {
  return curate(database, network, address, { column: 'hiddenAt', isSet: isHidden })
}

export async function setAgentSpotlight(
  database: Database,
  network: Network,
  address: Address,
  isSpotlighted: boolean,
): Promise<CurationOutcome> {
  return curate(database, network, address, { column: 'spotlightedAt', isSet: isSpotlighted })
}

/** A time that is set already stays as it is. */
async function curate(
  database: Database,
  network: Network,
  address: Address,
  { column, isSet }: { column: 'hiddenAt' | 'spotlightedAt'; isSet: boolean },
): Promise<CurationOutcome> {
  return database.transact('agents.curate', async db => {
    const [known] = await db
      .select({ since: curatedAgents[column] })
      .from(agents)
      .leftJoin(
        curatedAgents,
        and(eq(curatedAgents.network, agents.network), eq(curatedAgents.address, agents.address)),
      )
      .where(and(eq(agents.network, network), eq(agents.address, address)))
    if (!known) return 'missing'
    if ((known.since !== null) === isSet) return 'unchanged'
    await db
      .insert(curatedAgents)
      .values({ network, address, [column]: isSet ? sql`now()` : null })
      .onConflictDoUpdate({
        target: [curatedAgents.network, curatedAgents.address],
        set: { [column]: isSet ? sql`coalesce(${curatedAgents[column]}, now())` : null },
      })
    return 'changed'
  })
}

/** The effect of an operator's decision. `missing`: there is no such agent or launch. */
export type CurationOutcome = 'changed' | 'unchanged' | 'missing'
