import type { Address } from '@slipway/schema/address'
import type { Change } from './listing/catalogue.ts'
import type { Entry } from './listing/entry.ts'

/** The launches of one network by address, by token and by agent. */
export interface LaunchBook {
  get(address: Address): Entry | undefined
  addresses(): IterableIterator<Address>
  ofToken(mint: Address): Entry[]
  ofAgent(agent: Address): Entry[]
  apply(changes: readonly Change[]): void
  readonly size: number
}

export function createLaunchBook(): LaunchBook {
  const entries = new Map<Address, Entry>()
  const byMint = createIndex()
  const byAgent = createIndex()

  function remove({ genesisAddress, mint, agent }: Entry) {
    entries.delete(genesisAddress)
    byMint.remove(mint, genesisAddress)
    if (agent) byAgent.remove(agent, genesisAddress)
  }

  function add(entry: Entry) {
    entries.set(entry.genesisAddress, entry)
    byMint.add(entry.mint, entry.genesisAddress)
    if (entry.agent) byAgent.add(entry.agent, entry.genesisAddress)
  }

  const entriesAt = (addresses: Iterable<Address>) =>
    [...addresses].map(address => entries.get(address) as Entry)

  return {
    get: address => entries.get(address),
    addresses: () => entries.keys(),
    ofToken: mint => entriesAt(byMint.of(mint)),
    ofAgent: agent => entriesAt(byAgent.of(agent)),
    apply(changes) {
      for (const { before, after } of changes) {
        if (before) remove(before)
        if (after) add(after)
      }
    },
    get size() {
      return entries.size
    },
  }
}

function createIndex() {
  const members = new Map<Address, Set<Address>>()
  return {
    of: (key: Address): Iterable<Address> => members.get(key) ?? [],
    add(key: Address, member: Address) {
      const known = members.get(key)
      if (known) known.add(member)
      else members.set(key, new Set([member]))
    },
    remove(key: Address, member: Address) {
      const known = members.get(key)
      known?.delete(member)
      if (known?.size === 0) members.delete(key)
    },
  }
}
