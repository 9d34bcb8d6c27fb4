import type { Address } from '@slipway/schema/address'
import type { Call } from '../call.ts'
import { type ExactInput, type SwappedPool, swapInPoolCall, swapOnCurveCall } from '../calls/trades.ts'
import { type Funds, fundsSteps, type Step } from './wrap-native.ts'

/** A trade, and everything that its transaction depends on. */
export interface Swap extends ExactInput, Funds {
  genesis: Address
  /** Where it trades. */
  at: { curve: Address } | { pool: SwappedPool }
}

/**
 * The instructions of a swap. Native currency is wrapped before it and unwrapped after it. A wrapped account that
 * existed before holds the same afterwards, or more if a purchase leaves a remainder. An account that this
 * transaction creates is closed again, and its rent goes back to the payer.
 */
export function planSwap(swap: Swap): Step[] {
  const { tokens, holds, amountIn, side } = swap
  const funds = fundsSteps(swap)
  return [
    ...funds.budget(computeLimitOf(swap)),
    ...(side === 'buy' && !holds.hasBase ? [funds.open(tokens.base)] : []),
    ...funds.openQuote,
    ...(side === 'buy' ? funds.wrap(amountIn) : funds.assertOpen),
    funds.signed(swapCall(swap)),
    ...funds.closeTemporary(),
    ...(side === 'sell' ? funds.unwrapArrived() : []),
  ]
}

function swapCall(swap: Swap): Call {
  const { tokens, at, genesis, trader, payer } = swap
  return 'pool' in at
    ? swapInPoolCall(tokens, at.pool, trader, swap)
    : swapOnCurveCall(tokens, { genesis, curve: at.curve }, { payer, trader }, swap)
}

/**
 * Each limit is more than twice the highest use measured on the real programs (117,859 and 153,917 units on a curve,
 * 69,503 and 125,413 in a pool, depending on the addresses), plus 10,000 for each of at most eight token
 * instructions, because the tests' token program uses less than the chain's, plus 50,000 for a wallet's guards.
 */
const COMPUTE_LIMITS = {
  curve: { wallet: 480_000, agent: 640_000 },
  pool: { wallet: 400_000, agent: 560_000 },
}

export const computeLimitOf = ({ at, isAgent }: Pick<Swap, 'at' | 'isAgent'>): number =>
  COMPUTE_LIMITS['pool' in at ? 'pool' : 'curve'][isAgent ? 'agent' : 'wallet']
