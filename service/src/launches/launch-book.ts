import type { Address } from '@slipway/schema/address'
import type { Change } from './listing/catalogue.ts'
import type { Entry } from './listing/entry.ts'

/** The launches of one network by address and by token. */
export interface LaunchBook {
  get(address: Address): Entry | undefined
  addresses(): IterableIterator<Address>
  ofToken(mint: Address): Entry[]
  apply(changes: readonly Change[]): void
  readonly size: number
}

export function createLaunchBook(): LaunchBook {
  const entries = new Map<Address, Entry>()
  const byMint = new Map<Address, Set<Address>>()

  function remove({ genesisAddress, mint }: Entry) {
    entries.delete(genesisAddress)
    const addresses = byMint.get(mint)
    addresses?.delete(genesisAddress)
    if (addresses?.size === 0) byMint.delete(mint)
  }

  function add(entry: Entry) {
    entries.set(entry.genesisAddress, entry)
    const addresses = byMint.get(entry.mint)
    if (addresses) addresses.add(entry.genesisAddress)
    else byMint.set(entry.mint, new Set([entry.genesisAddress]))
  }

  return {
    get: address => entries.get(address),
    addresses: () => entries.keys(),
    ofToken: mint => [...(byMint.get(mint) ?? [])].map(address => entries.get(address) as Entry),
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
