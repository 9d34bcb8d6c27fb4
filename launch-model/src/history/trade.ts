import type { Address } from '@slipway/schema/address'

export const TRADE_KINDS = ['buy', 'sell', 'deposit', 'withdraw', 'claim', 'refund'] as const
export type TradeKind = (typeof TRADE_KINDS)[number]

/** One movement of a wallet's funds in a launch, as the token transfers of its transaction show it. */
export interface Trade {
  signature: string
  /** Tells several in one transaction apart. */
  index: number
  slot: number
  /** The block's time, in seconds. */
  time: number
  kind: TradeKind
  /** The wallet whose funds moved. For a trade through an agent, the agent's wallet. */
  wallet: Address
  agent: Address | null
  baseAmount: bigint
  /** What the wallet paid or received, after all fees. */
  quoteAmount: bigint
  protocolFee: bigint
  creatorFee: bigint
  /** The fee that stays in the pool, in the quote token: 0 for trades of the sale, and at least 1 after graduation. */
  poolFee: bigint
}

/**
 * A buy or sell has a price if it moved at least this many of the smallest units of both tokens, before fees. With
 * fewer, rounding both amounts by one unit could move the price by more than 0.1 %, and anyone could make such a trade
 * for the fee of a transaction.
 */
export const PRICED_UNITS_MIN = 2_000
