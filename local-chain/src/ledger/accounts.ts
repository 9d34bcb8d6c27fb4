import type { Address } from '@solana/kit'
import { type AccountChanges, type ChainAccount, sameAccount } from './account.ts'

type Version = { readonly slot: number; readonly before: ChainAccount | undefined }

export type Accounts = ReturnType<typeof createAccounts>

/**
 * Every account that was ever written, beside the virtual machine: the machine cannot list its accounts, and a read
 * through its JavaScript face costs a hundred times a look-up here.
 *
 * For as long as a slot is not final, each write keeps what it replaced, so that a reader at `finalized` sees the
 * chain as it was then. `fallback` answers for what nobody wrote: sysvars and built-in programs.
 */
export function createAccounts(fallback: (address: Address) => ChainAccount | undefined) {
  const current = new Map<Address, ChainAccount>()
  const byOwner = new Map<Address, Map<Address, ChainAccount>>()
  const unfinished = new Map<Address, Version[]>()

  const disown = (address: Address, owner: Address) => {
    const owned = byOwner.get(owner)
    owned?.delete(address)
    if (owned?.size === 0) byOwner.delete(owner)
  }

  const get = (address: Address): ChainAccount | undefined => current.get(address) ?? fallback(address)

  /** The account as of the end of `slot`. */
  const getAt = (address: Address, slot: number): ChainAccount | undefined => {
    const later = unfinished.get(address)?.find(version => version.slot > slot)
    return later ? later.before : get(address)
  }

  const put = (address: Address, account: ChainAccount | undefined) => {
    const before = current.get(address)
    if (before && before.owner !== account?.owner) disown(address, before.owner)
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

    /** Of what a transaction left behind, only what differs from before. */
    differing(changes: AccountChanges): Map<Address, ChainAccount | undefined> {
      return new Map([...changes].filter(([address, account]) => !sameAccount(get(address), account)))
    },

    apply(slot: number, changes: AccountChanges): void {
      for (const [address, account] of changes) {
        const version = { slot, before: get(address) }
        const versions = unfinished.get(address)
        if (versions) versions.push(version)
        else unfinished.set(address, [version])
        put(address, account)
      }
    },

    /** Loads an account without history: the state that a restart begins with is final. */
    restore: put,

    /** Forgets what no reader can ask for any more. */
    finalize(slot: number): void {
      for (const [address, versions] of unfinished) {
        const kept = versions.filter(version => version.slot > slot)
        if (kept.length === 0) unfinished.delete(address)
        else if (kept.length < versions.length) unfinished.set(address, kept)
      }
    },

    /** A program's accounts, now or as of the end of `slot`. */
    *ownedBy(owner: Address, slot?: number): Iterable<readonly [Address, ChainAccount]> {
      for (const entry of byOwner.get(owner) ?? []) {
        if (slot === undefined || !unfinished.has(entry[0])) yield entry
      }
      if (slot === undefined) return
      for (const address of unfinished.keys()) {
        const account = getAt(address, slot)
        if (account?.owner === owner) yield [address, account]
      }
    },

    entries: () => current.entries(),
  }
}
