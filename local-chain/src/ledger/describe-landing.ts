import type { Address } from '@solana/kit'
import type { ChainAccount } from './account.ts'
import type { Execution } from './execution.ts'
import type { LandedTransaction } from './history.ts'
import type { WireTransaction } from './parse-transaction.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import { tokenBalances } from './token-balances.ts'

type Read = (address: Address) => ChainAccount | undefined

/** What the history keeps of a transaction. `after` may know of more than the run itself: what was written along with it. */
export function describeLanding(
  tx: WireTransaction,
  execution: Execution & { keys: ResolvedKeys },
  { slot, before, after }: { slot: number; before: Read; after: Read },
): LandedTransaction {
  const { keys, loaded } = execution.keys
  const lamports = (read: Read) => keys.map(key => read(key)?.lamports ?? 0n)
  const ran: Read = address =>
    execution.accounts.has(address) ? execution.accounts.get(address) : before(address)
  return {
    signature: tx.signature,
    slot,
    wire: tx.wire,
    version: tx.version,
    err: execution.err,
    fee: sum(lamports(before)) - sum(lamports(ran)),
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

/** What was there before and is not any more is the fee: lamports leave a transaction in no other way. */
const sum = (list: readonly bigint[]): bigint => list.reduce((total, value) => total + value, 0n)
