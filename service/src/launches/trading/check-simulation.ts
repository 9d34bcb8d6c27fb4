import { findFailure, type TradeFailure, tradeFailureOf } from '@slipway/launch-model/trade/failures'
import { ERRORS, type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { describeFailure } from '../../chain/describe-failure.ts'
import type { Simulation } from '../../chain/rpc/requests.ts'

/** Finds failures that only a simulation shows: a paused curve, a frozen token account, a price that has just moved. */
export function assertSucceeds(
  simulation: Simulation,
  otherwise: 'TRADE_WOULD_FAIL' | 'TRANSACTION_WOULD_FAIL' = 'TRADE_WOULD_FAIL',
): void {
  if (simulation.err === null) return
  const failure = findFailure(simulation.logs)
  const known: ErrorCode | TradeFailure | undefined = failure && tradeFailureOf(failure.program, failure.code)
  // A text with an ellipsis needs an amount or a time, which only the account has.
  if (known && !ERRORS[known].text.includes('…')) throw new ServiceError(known)
  const shortage = shortageOf(simulation.err)
  if (shortage)
    throw new ServiceError('INSUFFICIENT_BALANCE', { details: [{ path: ['amount'], message: shortage }] })
  throw new ServiceError(otherwise, { details: [{ path: '', message: describeFailure(simulation) }] })
}

/** What the runtime itself reports, before or after any program. */
function shortageOf(err: unknown): string | undefined {
  if (err === 'InsufficientFundsForFee') return 'too little for the fee'
  const isRent = typeof err === 'object' && err !== null && 'InsufficientFundsForRent' in err
  return isRent ? 'would leave an account below the rent minimum' : undefined
}
