import type { Address } from '@slipway/schema/address'
import type { Call } from '../call.ts'
import {
  closeTokenAccountCall,
  openTokenAccountCall,
  setComputeLimitCall,
  setComputePriceCall,
  syncNativeCall,
  transferCall,
} from '../calls/tokens.ts'
import {
  type ExactInput,
  type SwappedPool,
  swapInPoolCall,
  swapOnCurveCall,
  type TradedTokens,
  tokensOf,
} from '../calls/trades.ts'
import { WRAPPED_NATIVE_MINT } from '../programs.ts'

/** A trade, and everything that its transaction depends on. */
export interface Swap extends ExactInput {
  genesis: Address
  tokens: TradedTokens
  /** Where it trades. */
  at: { curve: Address } | { pool: SwappedPool }
  /** Whose funds are traded: a wallet, or the wallet of an agent, whose owner is then the payer. */
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
export interface SwapStep {
  call: Call
  byAgent: boolean
}

/**
 * What a swap consists of. Native currency is wrapped before it and unwrapped after it. A wrapped account that existed
 * before holds the same afterwards; one that this transaction creates is closed again, and its rent goes back to whoever
 * paid it.
 */
export function planSwap(swap: Swap): SwapStep[] {
  const { tokens, trader, payer, isAgent, holds, amountIn, side } = swap
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const quoteAccount = tokensOf(tokens.quote, trader)
  const free = (call: Call): SwapStep => ({ call, byAgent: false })
  const signed = (call: Call): SwapStep => ({ call, byAgent: isAgent })
  const open = (token: TradedTokens['base']) =>
    free(openTokenAccountCall(payer, trader, token.mint, token.program))
  return [
    free(setComputeLimitCall(computeLimitOf(swap))),
    ...(swap.priorityFee > 0n ? [free(setComputePriceCall(swap.priorityFee))] : []),
    ...(side === 'buy' && !holds.hasBase ? [open(tokens.base)] : []),
    ...(holds.quote ? [] : [open(tokens.quote)]),
    ...(isNative && side === 'buy'
      ? [signed(transferCall(trader, quoteAccount, amountIn)), free(syncNativeCall(quoteAccount))]
      : []),
    // Fails if the account has been closed since it was read. The program would create it again, at the payer's cost.
    ...(isNative && side === 'sell' && holds.quote && payer !== trader
      ? [free(syncNativeCall(quoteAccount))]
      : []),
    signed(swapCall(swap)),
    ...(isNative ? unwrap(swap, { quoteAccount, open, signed }) : []),
  ]
}

function swapCall(swap: Swap): Call {
  const { tokens, at, genesis, trader, payer } = swap
  return 'pool' in at
    ? swapInPoolCall(tokens, at.pool, trader, swap)
    : swapOnCurveCall(tokens, { genesis, curve: at.curve }, { payer, trader }, swap)
}

/** Makes what a sale has brought, or what a purchase has left over, native again. */
function unwrap(
  { tokens, trader, payer, holds, side, accountRent }: Swap,
  {
    quoteAccount,
    open,
    signed,
  }: {
    quoteAccount: Address
    open(token: TradedTokens['quote']): SwapStep
    signed(call: Call): SwapStep
  },
): SwapStep[] {
  const close = signed(closeTokenAccountCall(quoteAccount, trader, trader))
  const giveBack = signed(transferCall(trader, payer, accountRent))
  if (!holds.quote) return trader === payer ? [close] : [close, giveBack]
  // What a purchase leaves over stays wrapped. So does everything in an account that someone else may spend from.
  if (side === 'buy' || holds.quote.isDelegated) return []
  // The account is created again with its rent and its tokens in it, so that the payer is charged nothing for it.
  const refill = signed(transferCall(trader, quoteAccount, accountRent + holds.quote.amount))
  return [close, refill, open(tokens.quote)]
}

/**
 * Per kind of transaction: more than twice the highest that was measured on the real programs (117,859 and 153,917 units on
 * a curve, 69,503 and 125,413 in a pool; addresses make a difference), 10,000 for each of its at most eight token
 * instructions, because the token program of a test costs less than the chain's, and 50,000 for a wallet's guards.
 */
const COMPUTE_LIMITS = {
  curve: { wallet: 480_000, agent: 640_000 },
  pool: { wallet: 400_000, agent: 560_000 },
}

export const computeLimitOf = ({ at, isAgent }: Pick<Swap, 'at' | 'isAgent'>): number =>
  COMPUTE_LIMITS['pool' in at ? 'pool' : 'curve'][isAgent ? 'agent' : 'wallet']
