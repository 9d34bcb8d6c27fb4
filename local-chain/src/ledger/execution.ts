import type { Address } from '@solana/kit'
import type { ChainAccount } from './account.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
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
