import { findFailure, type TradeFailure, tradeFailureOf } from '@slipway/launch-model/trade/failures'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import type { Simulation } from '../../chain/rpc/requests.ts'

/** What only a simulation shows: a curve that is paused, a token account that is frozen, a price that has just moved. */
export function assertSucceeds({ err, logs }: Simulation): void {
  if (err === null) return
  const failure = findFailure(logs)
  const known: ErrorCode | TradeFailure | undefined = failure && tradeFailureOf(failure.program, failure.code)
  if (known) throw new ServiceError(known)
  const message = lastWords(logs) ?? JSON.stringify(err)
  throw new ServiceError('TRADE_WOULD_FAIL', { details: [{ path: '', message }] })
}

const MESSAGE_MAX = 200

/** What a program said last about itself. */
const lastWords = (logs: readonly string[]): string | undefined =>
  logs
    .filter(line => line.startsWith('Program log: ') && !line.startsWith('Program log: Instruction: '))
    .at(-1)
    ?.slice('Program log: '.length)
    .slice(0, MESSAGE_MAX)
