import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { LandedTransaction } from '../ledger/history.ts'

/** What the files hold, in this order: who the chain is, then what happened on it. */
export type ChainRecord =
  | { readonly kind: 'genesis'; readonly seed: Uint8Array; readonly genesisMs: number }
  | { readonly kind: 'count'; readonly transactions: number }
  | {
      readonly kind: 'commit'
      readonly slot: number
      /** `null` stands for an account that is gone: JSON has no `undefined`. */
      readonly accounts: readonly (readonly [Address, ChainAccount | null])[]
      readonly transaction?: LandedTransaction
    }
