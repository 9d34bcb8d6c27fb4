import type { Address } from '@solana/kit'
import { BLOCKHASHES_VALID } from './slot-clock.ts'
import type { TransactionError } from './transaction-error.ts'
import type { VmInstruction } from './vm.ts'

export type TokenBalance = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly amount: bigint
  readonly decimals: number
}

/** A transaction that made it into a block. */
export type LandedTransaction = {
  readonly signature: string
  readonly slot: number
  readonly wire: Uint8Array
  readonly version: 'legacy' | 0
  readonly err: TransactionError | null
  readonly fee: bigint
  readonly keys: readonly Address[]
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
  readonly logs: readonly string[]
  readonly inner: readonly (readonly VmInstruction[])[]
  readonly unitsConsumed: number
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
}

const KEPT_MAX = 10_000
/** A repeat is recognised by its signature, so nothing is forgotten while its blockhash could still be good. */
const KEPT_SLOTS = 2 * BLOCKHASHES_VALID

export type History = ReturnType<typeof createHistory>

/** The transactions of the chain, oldest forgotten first, and who took part in them. */
export function createHistory(keptMax = KEPT_MAX) {
  const bySignature = new Map<string, LandedTransaction>()
  const byAddress = new Map<Address, string[]>()
  const bySlot = new Map<number, string[]>()
  let count = 0

  const forget = (tx: LandedTransaction) => {
    bySignature.delete(tx.signature)
    for (const key of tx.keys) {
      const list = byAddress.get(key)
      // Lists are in order of time: the oldest transaction is at the front of each of its lists.
      if (list?.[0] === tx.signature) list.shift()
      if (list?.length === 0) byAddress.delete(key)
    }
    const slot = bySlot.get(tx.slot)
    if (slot?.[0] === tx.signature) slot.shift()
    if (slot?.length === 0) bySlot.delete(tx.slot)
  }

  return {
    add(tx: LandedTransaction): void {
      count++
      bySignature.set(tx.signature, tx)
      for (const key of tx.keys) append(byAddress, key, tx.signature)
      append(bySlot, tx.slot, tx.signature)
      const oldest = bySignature.values().next().value as LandedTransaction
      if (bySignature.size > keptMax && oldest.slot < tx.slot - KEPT_SLOTS) forget(oldest)
    },
    get: (signature: string) => bySignature.get(signature),
    /** Newest last. */
    ofAddress: (address: Address): readonly string[] => byAddress.get(address) ?? [],
    inSlot: (slot: number): readonly string[] => bySlot.get(slot) ?? [],
    all: () => bySignature.values(),
    count: () => count,
    setCount(value: number) {
      count = value
    },
    firstSlot: () => bySignature.values().next().value?.slot ?? 0,
  }
}

function append<K>(map: Map<K, string[]>, key: K, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
