import type { Address } from '@solana/kit'
import { type ChainAccount, UPGRADEABLE_LOADER } from './account.ts'
import { addressAt } from './address-bytes.ts'
import type { LandedTransaction } from './history.ts'
import type { WireTransaction } from './parse-transaction.ts'
import { tokenBalances } from './token-balances.ts'
import type { TransactionError } from './transaction-error.ts'
import type { VmResult } from './vm.ts'

/** The result of running a transaction. */
export type Execution = VmResult & {
  /** State after the run of every account that the message can write. */
  readonly accounts: ReadonlyMap<Address, ChainAccount | undefined>
  readonly keys: ResolvedKeys | undefined
  /** False if the transaction was refused before it ran: nothing was charged and nothing is recorded. */
  readonly landed: boolean
}

export const refused = (err: TransactionError): Execution => ({
  err,
  logs: [],
  unitsConsumed: 0,
  inner: [],
  returnData: null,
  accounts: new Map(),
  keys: undefined,
  landed: false,
})

/** All accounts of a transaction in message order, with their privileges. */
export type ResolvedKeys = {
  readonly keys: readonly Address[]
  readonly isSigner: (index: number) => boolean
  readonly isWritable: (index: number) => boolean
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
}

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address
const LOOKUP_TABLE_HEADER_BYTES = 56
const RESERVED_OWNERS: readonly (string | undefined)[] = [
  'NativeLoader1111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
]

export function resolveKeys(
  tx: WireTransaction,
  read: (address: Address) => ChainAccount | undefined,
): ResolvedKeys | { error: string } {
  const loaded = { writable: [] as Address[], readonly: [] as Address[] }
  for (const lookup of tx.lookups) {
    const table = read(lookup.table)
    if (!table) return { error: 'AddressLookupTableNotFound' }
    if (table.owner !== LOOKUP_TABLE_PROGRAM) return { error: 'InvalidAddressLookupTableOwner' }
    if (table.data.length < LOOKUP_TABLE_HEADER_BYTES) return { error: 'InvalidAddressLookupTableData' }
    for (const kind of ['writable', 'readonly'] as const) {
      for (const index of lookup[kind]) {
        const from = LOOKUP_TABLE_HEADER_BYTES + index * 32
        if (from + 32 > table.data.length) return { error: 'InvalidAddressLookupTableIndex' }
        loaded[kind].push(addressAt(table.data, from))
      }
    }
  }
  const keys = [...tx.staticKeys, ...loaded.writable, ...loaded.readonly]
  if (new Set(keys).size !== keys.length) return { error: 'AccountLoadedTwice' }
  const writable = keys.map(
    (key, index) =>
      isMarkedWritable(tx, keys, loaded.writable.length, index) &&
      !RESERVED_OWNERS.includes(read(key)?.owner),
  )
  return {
    keys,
    loaded,
    isSigner: index => index < tx.signers,
    isWritable: index => writable[index] ?? false,
  }
}

/** Whether the message makes an account writable. A called program never is, whatever the message says. */
export function isMarkedWritable(
  tx: WireTransaction,
  keys: readonly Address[],
  loadedWritable: number,
  index: number,
): boolean {
  const called = tx.instructions.some(ix => ix.programIndex === index)
  if (called && !keys.includes(UPGRADEABLE_LOADER)) return false
  const statics = tx.staticKeys.length
  if (index < tx.signers) return index < tx.signers - tx.readonlySigners
  if (index < statics) return index < statics - tx.readonlyNonSigners
  return index < statics + loadedWritable
}

type Read = (address: Address) => ChainAccount | undefined

/** The record of a transaction for the history. `after` also includes accounts that were written along with it. */
export function toLandedTransaction(
  tx: WireTransaction,
  execution: Execution & { keys: ResolvedKeys },
  { slot, before, after }: { slot: number; before: Read; after: Read },
): LandedTransaction {
  const { keys, loaded } = execution.keys
  const lamports = (read: Read) => keys.map(key => read(key)?.lamports ?? 0n)
  const afterRun: Read = address =>
    execution.accounts.has(address) ? execution.accounts.get(address) : before(address)
  return {
    signature: tx.signature,
    slot,
    wire: tx.wire,
    version: tx.version,
    err: execution.err,
    // Lamports leave the accounts of a transaction only as its fee.
    fee: sum(lamports(before)) - sum(lamports(afterRun)),
    keys,
    loaded,
    preBalances: lamports(before),
    postBalances: lamports(after),
    preTokenBalances: tokenBalances(keys, before),
    postTokenBalances: tokenBalances(keys, after),
    logs: execution.logs,
    inner: execution.inner,
    unitsConsumed: execution.unitsConsumed,
    returnData: execution.returnData,
  }
}

const sum = (list: readonly bigint[]): bigint => list.reduce((total, value) => total + value, 0n)
