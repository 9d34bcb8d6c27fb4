import { FAILURE_NUMBERS, FAILURE_PROGRAMS } from './error-codes.ts'
import { SlipwayError } from './slipway-error.ts'

/** Why a trade, a deposit or a claim failed. Each is also the code of an API error, except `EXPIRED`. */
export type TradeFailureCode = (typeof FAILURE_NUMBERS)[keyof typeof FAILURE_NUMBERS] | 'EXPIRED'

export interface TradeFailure {
  code: TradeFailureCode
  /** For the person who took part. */
  message: string
}

const MESSAGES: Record<TradeFailureCode, string> = {
  PRICE_MOVED: 'The price has moved beyond your limit',
  SOLD_OUT: 'This launch is sold out and has not graduated yet',
  TRADING_NOT_STARTED: 'Trading has not started',
  TRADING_ENDED: 'Trading has ended',
  TRADING_PAUSED: 'Trading is paused',
  FIRST_BUY_OPEN: 'The reserved first buy is still open',
  INSUFFICIENT_BALANCE: 'Insufficient balance',
  AMOUNT_TOO_SMALL: 'The amount is too small',
  DEPOSITS_NOT_STARTED: 'Deposits have not started',
  DEPOSITS_ENDED: 'Deposits have ended',
  BELOW_MINIMUM: 'Below the minimum deposit',
  ABOVE_LIMIT: 'Above the limit per wallet',
  ABOVE_DEPOSIT_LIMIT: 'Above the limit per deposit',
  COOLDOWN: 'It is too early for the next deposit',
  CAP_REACHED: 'The cap is reached',
  ALLOW_LIST_ONLY: 'Only wallets on the allow list may deposit',
  CLAIMS_NOT_STARTED: 'Claims have not started',
  NOTHING_TO_CLAIM: 'Nothing to claim',
  NOT_ENDED: 'This launch has not ended',
  EXPIRED: 'The transaction has expired. Nothing was traded; build it again',
}

/**
 * Why a trade, a deposit or a claim failed: from the error of `launches.swap` or the like, of a submitter, or of the
 * library that sent it. Undefined if it failed for another reason.
 */
export function explainFailure(error: unknown): TradeFailure | undefined {
  const code = findCode(error)
  return code && { code, message: MESSAGES[code] }
}

function findCode(error: unknown): TradeFailureCode | undefined {
  if (error instanceof SlipwayError)
    return error.code in MESSAGES ? (error.code as TradeFailureCode) : undefined
  const number = findNumber(error, DEPTH_MAX)
  if (number !== undefined) return FAILURE_NUMBERS[number as keyof typeof FAILURE_NUMBERS]
  return asRecord(error).reason === 'expired' ? 'EXPIRED' : undefined
}

/** Errors of libraries have their causes inside them. */
const DEPTH_MAX = 6

/** The number of the program that failed first. Each library puts it somewhere else. */
function findNumber(error: unknown, depth: number): number | undefined {
  if (depth === 0 || error === null || error === undefined) return undefined
  if (typeof error === 'string') return numberIn(error)
  const { logs, context, InstructionError, message, cause } = asRecord(error)
  const lines = logs ?? asRecord(context).logs
  const failure = Array.isArray(lines) ? findFailure(lines.map(String)) : undefined
  // A wallet may have added instructions of other programs, which have numbers of their own.
  if (failure) return FAILURE_PROGRAMS.includes(failure.program) ? failure.number : Number.NaN
  const custom = Array.isArray(InstructionError) ? asRecord(InstructionError[1]).Custom : undefined
  if (custom !== undefined) return Number(custom)
  return findNumber(cause, depth - 1) ?? (typeof message === 'string' ? numberIn(message) : undefined)
}

/** The program that failed first, which is the innermost. */
function findFailure(logs: readonly string[]): { program: string; number: number } | undefined {
  for (const line of logs) {
    const [, program] = /^Program (\w+) failed: /.exec(line) ?? []
    const number = numberIn(line)
    if (program && number !== undefined) return { program, number }
  }
  return undefined
}

/** As in “custom program error: 0x57”, “Custom program error: #87”, or JSON. */
function numberIn(text: string): number | undefined {
  const [, hex, decimal, json] =
    /custom program error: (?:0x([0-9a-f]+)|#(\d+))|"Custom":\s*(\d+)/i.exec(text) ?? []
  if (hex) return Number.parseInt(hex, 16)
  return decimal || json ? Number(decimal ?? json) : undefined
}

const asRecord = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
