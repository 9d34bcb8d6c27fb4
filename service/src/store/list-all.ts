import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { agentListing } from './agent-tables.ts'
import type { Database } from './database.ts'
import { agents, launches, tokens } from './tables.ts'

/** What an operator lists. Unlike in responses, hidden ones are included. */
export interface ListAll {
  networks: readonly Network[]
  /** Only those that have this mark. */
  only?: 'hidden' | 'spotlight' | undefined
  limit: number
}

export interface AgentLine {
  network: Network
  address: Address
  name: string
  registeredAt: Date
  verifiedAt: Date | null
  spotlightedAt: Date | null
  hiddenAt: Date | null
}

/** The newest agents. */
export const listAllAgents = (database: Database, { networks, only, limit }: ListAll): Promise<AgentLine[]> =>
  database.run('agents.list-all', db =>
    db
      .select({
        network: agents.network,
        address: agents.address,
        name: agents.name,
        registeredAt: agentListing.registeredAt,
        verifiedAt: agentListing.verifiedAt,
        spotlightedAt: agentListing.spotlightedAt,
        hiddenAt: agentListing.hiddenAt,
      })
      .from(agentListing)
      .innerJoin(
        agents,
        and(eq(agents.network, agentListing.network), eq(agents.address, agentListing.address)),
      )
      .where(
        and(
          inArray(agentListing.network, [...networks]),
          only && isNotNull(only === 'hidden' ? agentListing.hiddenAt : agentListing.spotlightedAt),
        ),
      )
      .orderBy(desc(agentListing.registeredAt), desc(agentListing.address))
      .limit(limit),
  )

export interface LaunchLine {
  network: Network
  genesisAddress: Address
  name: string
  symbol: string
  mechanic: string
  startsAt: Date
  graduatedAt: Date | null
  registeredAt: Date
  spotlight: boolean
  hidden: boolean
}

/** The launches that were registered last. */
export const listAllLaunches = (
  database: Database,
  { networks, only, limit }: ListAll,
): Promise<LaunchLine[]> =>
  database.run('launches.list-all', db =>
    db
      .select({
        network: launches.network,
        genesisAddress: launches.genesisAddress,
        name: tokens.name,
        symbol: tokens.symbol,
        mechanic: launches.mechanic,
        startsAt: launches.startsAt,
        graduatedAt: launches.graduatedAt,
        registeredAt: launches.registeredAt,
        spotlight: launches.spotlight,
        hidden: launches.hidden,
      })
      .from(launches)
      .innerJoin(tokens, and(eq(tokens.network, launches.network), eq(tokens.mint, launches.mint)))
      .where(and(inArray(launches.network, [...networks]), only && eq(launches[only], true)))
      .orderBy(desc(launches.registeredAt), desc(launches.genesisAddress))
      .limit(limit),
  )
