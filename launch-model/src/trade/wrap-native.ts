import type { Address } from '@slipway/schema/address'
import type { Call } from '../call.ts'
import {
  closeTokenAccountCall,
  openTokenAccountCall,
  setComputeLimitCall,
  setComputePriceCall,
  syncNativeCall,
  type Token,
  transferCall,
} from '../calls/tokens.ts'
import { type TradedTokens, tokensOf } from '../calls/trades.ts'
import { WRAPPED_NATIVE_MINT } from '../programs.ts'

/** Whose funds move, and who pays. */
export interface Funds {
  tokens: TradedTokens
  /** The wallet whose funds move. If it is an agent's wallet, the agent's owner is the payer. */
  trader: Address
  /** Pays fees and rent. */
  payer: Address
  isAgent: boolean
  holds: TraderAccounts
  /** The rent of a token account. */
  accountRent: bigint
  /** Micro-lamports per compute unit. */
  priorityFee: bigint
}

/** The trader's token accounts, as they were read. */
export interface TraderAccounts {
  hasBase: boolean
  /** Undefined if there is none. */
  quote: { amount: bigint; isDelegated: boolean } | undefined
}

/** One instruction. Those that the agent signs run inside Core's `execute`. */
export interface Step {
  call: Call
  byAgent: boolean
}

/**
 * The instructions around those of a program: the budget, missing accounts, and native currency that is wrapped and
 * unwrapped.
 */
export function fundsSteps({ tokens, trader, payer, isAgent, holds, accountRent, priorityFee }: Funds) {
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const quoteAccount = tokensOf(tokens.quote, trader)
  const free = (call: Call): Step => ({ call, byAgent: false })
  const signed = (call: Call): Step => ({ call, byAgent: isAgent })
  const open = (token: Token, owner = trader) => free(openTokenAccountCall(payer, owner, token))
  const close = signed(closeTokenAccountCall(quoteAccount, trader, trader))
  // It gets its rent from what it held, so that the payer is charged nothing.
  const reopenWith = (lamports: bigint) => [
    close,
    signed(transferCall(trader, quoteAccount, accountRent + lamports)),
    open(tokens.quote),
  ]
  const openQuote = holds.quote ? [] : [open(tokens.quote)]
  const wrap = (lamports: bigint): Step[] =>
    isNative ? [signed(transferCall(trader, quoteAccount, lamports)), free(syncNativeCall(quoteAccount))] : []
  // Closing an account that someone else may spend from would end their right.
  const mayReopen = isNative && holds.quote && !holds.quote.isDelegated ? holds.quote : undefined
  return {
    isNative,
    free,
    signed,
    open,
    budget: (units: number): Step[] => [
      free(setComputeLimitCall(units)),
      ...(priorityFee > 0n ? [free(setComputePriceCall(priorityFee))] : []),
    ],
    openQuote,
    wrap,
    /**
     * Wraps this amount, and keeps everything that the account held before out of it, so that no more can be spent.
     * `unwrapArrived` puts that back.
     */
    wrapAlone: (lamports: bigint): Step[] =>
      mayReopen ? reopenWith(lamports) : [...openQuote, ...wrap(lamports)],
    /**
     * Fails if the account has been closed since it was read. The program would create it again, at the payer's cost.
     */
    assertOpen: isNative && holds.quote && payer !== trader ? [free(syncNativeCall(quoteAccount))] : [],
    /** Closes an account that this transaction created, so that its rent goes back to the payer. */
    closeTemporary: (): Step[] => {
      if (!isNative || holds.quote) return []
      return trader === payer ? [close] : [close, signed(transferCall(trader, payer, accountRent))]
    },
    /** Unwraps what has arrived. An account that existed before is created again with its former balance. */
    unwrapArrived: (): Step[] => (mayReopen ? reopenWith(mayReopen.amount) : []),
  }
}
