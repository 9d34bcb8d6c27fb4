import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import { messageOf, type TransactionVersion } from './parse-transaction.ts'
import { BLOCKHASHES_VALID } from './slot-clock.ts'
import type { TransactionError } from './transaction-error.ts'
import type { CompiledInnerInstruction } from './vm.ts'

export type TokenBalance = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly amount: bigint
  readonly decimals: number
}

/** A transaction in a block. */
export type LandedTransaction = {
  readonly signature: string
  readonly slot: number
  readonly wire: Uint8Array
  readonly version: TransactionVersion
  readonly err: TransactionError | null
  readonly fee: bigint
  readonly keys: readonly Address[]
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
  readonly logs: readonly string[]
  readonly inner: readonly (readonly CompiledInnerInstruction[])[]
  readonly unitsConsumed: number
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
}

const KEPT_MAX = 10_000
/** Repeats are recognised by their message, so a transaction is kept while its blockhash could still be valid. */
const KEPT_SLOTS = 2 * BLOCKHASHES_VALID

/** The chain's transactions by signature, address and slot. The oldest are dropped first. */
export function createHistory(keptMax = KEPT_MAX) {
  const bySignature = new Map<string, { readonly tx: LandedTransaction; readonly position: number }>()
  /** Hashes of messages, because a signer can sign the same message twice with different signatures. */
  const messages = new Set<string>()
  const byAddress = new Map<Address, string[]>()
  const bySlot = new Map<number, string[]>()
  let count = 0
  let next = 0

  const oldest = () => bySignature.values().next().value?.tx
  const drop = (tx: LandedTransaction) => {
    bySignature.delete(tx.signature)
    messages.delete(hashOf(messageOf(tx.wire)))
    for (const key of tx.keys) {
      const list = byAddress.get(key)
      // The lists are in order of time, so the oldest transaction is first in each of its lists.
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
      bySignature.set(tx.signature, { tx, position: next++ })
      messages.add(hashOf(messageOf(tx.wire)))
      for (const key of tx.keys) append(byAddress, key, tx.signature)
      append(bySlot, tx.slot, tx.signature)
      for (let old = oldest(); old && bySignature.size > keptMax; old = oldest()) {
        if (old.slot >= tx.slot - KEPT_SLOTS) break
        drop(old)
      }
    },
    get: (signature: string) => bySignature.get(signature)?.tx,
    hasMessage: (message: Uint8Array): boolean => messages.has(hashOf(message)),

    /**
     * An address's transactions between `until` and `before`, newest first. Neither of the two need involve the
     * address.
     */
    *ofAddress(
      address: Address,
      { before, until }: { before?: string | undefined; until?: string | undefined } = {},
    ): Iterable<LandedTransaction> {
      const end = before === undefined ? next : (bySignature.get(before)?.position ?? 0)
      const start = until === undefined ? -1 : (bySignature.get(until)?.position ?? -1)
      const signatures = byAddress.get(address) ?? []
      for (let at = signatures.length - 1; at >= 0; at--) {
        const entry = bySignature.get(signatures[at] as string)
        if (!entry || entry.position >= end) continue
        if (entry.position <= start) return
        yield entry.tx
      }
    },
    inSlot: (slot: number): readonly string[] => bySlot.get(slot) ?? [],
    *all(): Iterable<LandedTransaction> {
      for (const { tx } of bySignature.values()) yield tx
    },
    count: () => count,
    setCount(value: number) {
      count = value
    },
  }
}

const hashOf = (message: Uint8Array): string => createHash('sha256').update(message).digest('base64')

function append<K>(map: Map<K, string[]>, key: K, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
