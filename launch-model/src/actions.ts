import type { Address } from '@slipway/schema/address'
import type { Condition } from './conditions.ts'

/** What a wallet can do with a launch. `graduate` is for anyone: it creates the pool that a launch becomes. */
export const ACTIONS = ['buy', 'sell', 'deposit', 'withdraw', 'claim', 'refund', 'graduate'] as const
export type Action = (typeof ACTIONS)[number]

/** Why something is not possible now, in words for the person who asked for it. */
export const REFUSALS = {
  TRADING_NOT_STARTED: 'Trading has not started',
  TRADING_ENDED: 'Trading has ended',
  FIRST_BUY_OPEN: 'The reserved first buy is still open',
  SOLD_OUT: 'This launch is sold out and has not graduated yet',
  /** The account doesn't show this; only a simulation of the transaction does. */
  TRADING_PAUSED: 'Trading is paused',
  POOL_TOO_SMALL: 'The pool holds less than that',
  /** The launch, or its pool, has unexpected numbers or accounts. */
  NOT_PRICED: "This launch's price can't be computed",
  /** The mint takes a fee from transfers, calls a program on each, or can stop them. */
  RESTRICTED_TOKEN: "This launch's tokens have restricted transfers",
  TAKES_DEPOSITS: 'This launch takes deposits, not trades',
  TRADES: 'This launch trades; use swap',
  NEEDS_OPERATOR: "This launch needs its operator's signature",
  DEPOSITS_NOT_STARTED: 'Deposits have not started',
  DEPOSITS_ENDED: 'Deposits have ended',
  CAP_REACHED: 'The cap is reached',
  ALLOW_LIST_ONLY: 'Only wallets on the allow list may deposit',
  BELOW_MINIMUM: 'Below the minimum deposit of …',
  ABOVE_LIMIT: 'Above the limit of … per wallet',
  ABOVE_DEPOSIT_LIMIT: 'Above the limit of … per deposit',
  COOLDOWN: 'Wait … before the next deposit',
  WITHDRAWALS_ENDED: 'Withdrawals have ended',
  /** Presales have no instruction for withdrawals. */
  NO_WITHDRAWALS: 'A presale pays no deposits back',
  CLAIMS_NOT_STARTED: 'Claims have not started',
  NOTHING_TO_CLAIM: 'Nothing to claim',
  NOTHING_TO_WITHDRAW: 'Nothing to withdraw',
  NO_REFUND: 'This launch has no deposits to refund',
  NOT_GRADUATED: 'This launch has ended and has not graduated yet',
  GRADUATED: 'This launch has graduated',
  NOT_ENDED: 'This launch has not ended',
  NO_POOL: 'This launch does not become a pool',
} as const
export type Refusal = keyof typeof REFUSALS

/** Why each action is refused; undefined for one that is possible. */
export type Refusals = Record<Action, Refusal | undefined>

/** What an action depends on besides the account of the bucket. */
export interface Moment {
  /** Whether a condition has come true, recorded on the chain or not. */
  isMet(condition: Condition | undefined): boolean
  nowSeconds: number
  /** The caller's wallet and its deposit in the bucket, if there are any. */
  wallet?: Address | undefined
  deposit?: { claimed: boolean; refunded?: boolean | undefined } | undefined
}

/** The first of these that applies. */
export const firstOf = (...reasons: readonly [applies: boolean, Refusal][]): Refusal | undefined =>
  reasons.find(([applies]) => applies)?.[1]
