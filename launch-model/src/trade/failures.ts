import type { Refusal } from '../actions.ts'
import {
  GENESIS_PROGRAM,
  RAYDIUM_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs.ts'

/** Why a trade, a deposit or a claim failed, for the errors that programs have numbers for. */
export type TradeFailure =
  | Extract<
      Refusal,
      | 'TRADING_NOT_STARTED'
      | 'TRADING_ENDED'
      | 'SOLD_OUT'
      | 'TRADING_PAUSED'
      | 'FIRST_BUY_OPEN'
      | 'DEPOSITS_NOT_STARTED'
      | 'DEPOSITS_ENDED'
      | 'CLAIMS_NOT_STARTED'
      | 'CAP_REACHED'
      | 'BELOW_MINIMUM'
      | 'ABOVE_LIMIT'
      | 'ABOVE_DEPOSIT_LIMIT'
      | 'COOLDOWN'
      | 'ALLOW_LIST_ONLY'
      | 'NOTHING_TO_CLAIM'
      | 'NOT_ENDED'
    >
  | 'PRICE_MOVED'
  | 'INSUFFICIENT_BALANCE'
  | 'AMOUNT_TOO_SMALL'

const RAYDIUM: Record<number, TradeFailure> = {
  2505: 'AMOUNT_TOO_SMALL',
  6000: 'TRADING_NOT_STARTED',
  6005: 'PRICE_MOVED',
}

/** By program, and its numbers. */
export const FAILURES: Record<string, Record<number, TradeFailure>> = {
  [GENESIS_PROGRAM]: {
    20: 'DEPOSITS_NOT_STARTED',
    21: 'DEPOSITS_ENDED',
    22: 'CLAIMS_NOT_STARTED',
    25: 'NOT_ENDED',
    49: 'NOTHING_TO_CLAIM',
    64: 'DEPOSITS_NOT_STARTED',
    65: 'DEPOSITS_ENDED',
    66: 'CAP_REACHED',
    70: 'AMOUNT_TOO_SMALL',
    71: 'ABOVE_LIMIT',
    72: 'COOLDOWN',
    73: 'ABOVE_DEPOSIT_LIMIT',
    74: 'ALLOW_LIST_ONLY',
    81: 'INSUFFICIENT_BALANCE',
    86: 'AMOUNT_TOO_SMALL',
    87: 'PRICE_MOVED',
    90: 'TRADING_NOT_STARTED',
    91: 'TRADING_ENDED',
    93: 'SOLD_OUT',
    98: 'TRADING_PAUSED',
    167: 'BELOW_MINIMUM',
    172: 'NOTHING_TO_CLAIM',
    173: 'NOTHING_TO_CLAIM',
    177: 'NOTHING_TO_CLAIM',
    210: 'FIRST_BUY_OPEN',
    211: 'FIRST_BUY_OPEN',
    215: 'AMOUNT_TOO_SMALL',
  },
  [TOKEN_PROGRAM]: { 1: 'INSUFFICIENT_BALANCE' },
  [TOKEN_2022_PROGRAM]: { 1: 'INSUFFICIENT_BALANCE' },
  // `ResultWithNegativeLamports` of the system program.
  [SYSTEM_PROGRAM]: { 1: 'INSUFFICIENT_BALANCE' },
  [RAYDIUM_PROGRAMS.mainnet]: RAYDIUM,
  [RAYDIUM_PROGRAMS.devnet]: RAYDIUM,
}

export const tradeFailureOf = (program: string, code: number): TradeFailure | undefined =>
  FAILURES[program]?.[code]

/** The program that failed first, which is the innermost, and its number. */
export function findFailure(logs: readonly string[]): { program: string; code: number } | undefined {
  for (const line of logs) {
    const [, program, code] = /^Program (\w+) failed: custom program error: 0x([0-9a-f]+)$/.exec(line) ?? []
    if (program && code) return { program, code: Number.parseInt(code, 16) }
  }
  return undefined
}
