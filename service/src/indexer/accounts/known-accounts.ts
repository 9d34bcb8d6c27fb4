import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Database } from '../../store/database.ts'
import { listAgentAddresses } from '../../store/indexed-agents.ts'
import { listLaunchAddresses } from '../../store/indexed-launches.ts'

/** Which launches are registered and which agents exist, so that a reported change costs no query. */
export interface KnownAccounts {
  launches: Set<Address>
  agents: Set<Address>
}

export const readKnownAccounts = async (database: Database, network: Network): Promise<KnownAccounts> => ({
  launches: new Set(await listLaunchAddresses(database, network)),
  agents: new Set(await listAgentAddresses(database, network)),
})
