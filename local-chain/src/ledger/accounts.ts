import type { Address } from '@solana/kit'
import { type AccountChanges, type ChainAccount, sameAccount } from './account.ts'

type Version = { readonly slot: number; readonly before: ChainAccount | undefined }

/**
 * A copy of every account that was written. The VM cannot list its accounts, and reading one through its JavaScript API
 * is a hundred times slower than a lookup here.
 *
 * Until a slot is final, each write keeps the version that it replaced, so that readers at `finalized` see the chain as
 * it was then. `fallback` supplies accounts that were never written: sysvars and built-in programs.
 */
export function createAccounts(fallback: (address: Address) => ChainAccount | undefined) {
  const current = new Map<Address, ChainAccount>()
  const byOwner = new Map<Address, Map<Address, ChainAccount>>()
  const unfinalized = new Map<Address, Version[]>()

  const removeFromOwner = (address: Address, owner: Address) => {
    const owned = byOwner.get(owner)
    owned?.delete(address)
    if (owned?.size === 0) byOwner.delete(owner)
  }

  const get = (address: Address): ChainAccount | undefined => current.get(address) ?? fallback(address)

  /** The account as of the end of `slot`. */
  const getAt = (address: Address, slot: number): ChainAccount | undefined => {
    const later = unfinalized.get(address)?.find(version => version.slot > slot)
    return later ? later.before : get(address)
  }

  const put = (address: Address, account: ChainAccount | undefined) => {
    const before = current.get(address)
    if (before && before.owner !== account?.owner) removeFromOwner(address, before.owner)
    if (!account) {
      current.delete(address)
      return
    }
    current.set(address, account)
    const owned = byOwner.get(account.owner)
    if (owned) owned.set(address, account)
    else byOwner.set(account.owner, new Map([[address, account]]))
  }

  return {
    get,
    getAt,

    /** The changes that differ from the current state. */
    differing(changes: AccountChanges): Map<Address, ChainAccount | undefined> {
      return new Map([...changes].filter(([address, account]) => !sameAccount(get(address), account)))
    },

    apply(slot: number, changes: AccountChanges): void {
      for (const [address, account] of changes) {
        const version = { slot, before: get(address) }
        const versions = unfinalized.get(address)
        if (versions) versions.push(version)
        else unfinalized.set(address, [version])
        put(address, account)
      }
    },

    /** Sets an account without keeping its earlier version: the state that a chain starts with is final. */
    restore: put,

    /** Drops the versions that can no longer be read. */
    finalize(slot: number): void {
      for (const [address, versions] of unfinalized) {
        const kept = versions.filter(version => version.slot > slot)
        if (kept.length === 0) unfinalized.delete(address)
        else if (kept.length < versions.length) unfinalized.set(address, kept)
      }
    },

    /** A program's accounts, now or as of the end of `slot`. */
    *ownedBy(owner: Address, slot?: number): Iterable<readonly [Address, ChainAccount]> {
      for (const entry of byOwner.get(owner) ?? []) {
        if (slot === undefined || !unfinalized.has(entry[0])) yield entry
      }
      if (slot === undefined) return
      for (const address of unfinalized.keys()) {
        const account = getAt(address, slot)
        if (account?.owner === owner) yield [address, account]
      }
    },

    entries: () => current.entries(),
  }
}
