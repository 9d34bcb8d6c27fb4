import type { TransactionError } from '@slipway/client/kit'
import { explainFailure } from '../transactions/explain-failure.ts'

/** Why a transaction was not confirmed, in words. Undefined if its state says everything. */
export function explainOutcome({
  reason,
  cause,
  logs = [],
}: Pick<TransactionError, 'reason' | 'cause' | 'logs'>): string | undefined {
  if (reason === 'expired' || reason === 'unknown') return undefined
  if (!(cause instanceof Error)) return explainFailure(cause, logs)
  // The RPC refused it before it was executed. Kit's error contains the error that the transaction would have failed
  // with.
  const { message, context } = (cause.cause ?? cause) as Error & { context?: Record<string, unknown> }
  if (typeof context?.index === 'number' && typeof context.code === 'number')
    return explainFailure({ InstructionError: [context.index, { Custom: context.code }] }, logs)
  return `The network refused it: ${message}.`
}
