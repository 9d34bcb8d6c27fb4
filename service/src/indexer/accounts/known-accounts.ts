import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Database } from '../../store/database.ts'
import { listAgentAddresses } from '../../store/indexed-agents.ts'
import { listLaunchAddresses } from '../../store/indexed-launches.ts'
import type { IndexedKind } from '../../store/tables.ts'

/** Which launches are registered and which agents exist, so that a reported change costs no query. */
export interface KnownAccounts {
  launches: Set<Address>
  agents: Set<Address>
}

export const readKnownAccounts = async (database: Database, network: Network): Promise<KnownAccounts> => ({
  launches: new Set(await listLaunchAddresses(database, network)),
  agents: new Set(await listAgentAddresses(database, network)),
})

/** Accounts that the index holds and a read did not find. Only a full read decides whether to drop them. */
export interface MissingAccounts {
  noticed(kind: IndexedKind, addresses: readonly Address[]): void
  found(kind: IndexedKind, addresses: Iterable<Address>): void
  list(kind: IndexedKind): Address[]
  size(): number
}

export function createMissingAccounts(onNoticed: () => void = () => {}): MissingAccounts {
  const missing = { agents: new Set<Address>(), buckets: new Set<Address>() }
  return {
    noticed(kind, addresses) {
      const before = missing[kind].size
      for (const address of addresses) missing[kind].add(address)
      if (missing[kind].size > before) onNoticed()
    },
    found(kind, addresses) {
      if (missing[kind].size === 0) return
      for (const address of addresses) missing[kind].delete(address)
    },
    list: kind => [...missing[kind]],
    size: () => missing.agents.size + missing.buckets.size,
  }
}
