import type { Address } from '@solana/kit'
import type { ChainAccount } from './account.ts'
import type { Execution } from './execution.ts'
import type { LandedTransaction } from './history.ts'
import type { WireTransaction } from './parse-transaction.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import { tokenBalances } from './token-balances.ts'

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
