import { BPS } from '../fees.ts'

/** What a trader asks for: to pay an exact amount, or to receive at least an amount after fees. */
export interface Order {
  side: 'buy' | 'sell'
  mode: 'in' | 'out'
  /** In the smallest unit. For `in` it is what is paid: quote tokens for a buy, base tokens for a sale. */
  amount: bigint
}

/** What would happen. Amounts are in the smallest unit. */
export interface Trade {
  amountIn: bigint
  /** After all fees. */
  amountOut: bigint
  /** A curve's fees are in quote tokens. A pool takes its own from the input, and the creator's as configured. */
  fees: { protocol: bigint; creator: bigint; pool: bigint }
  /** Whether less is available than was asked for. */
  partial: boolean
  /** What moved between the trader and the reserves, without fees. */
  moved: Reserves
  /** The ratio of the reserves is the price. */
  before: Reserves
  after: Reserves
}

/** The two sides of the constant product. */
export interface Reserves {
  quote: bigint
  base: bigint
}

/** Why an order can't be quoted: the program would refuse it, or its price follows no known formula. */
export type QuoteRefusal =
  | 'AMOUNT_TOO_SMALL'
  | 'SOLD_OUT'
  | 'POOL_TOO_SMALL'
  | 'FIRST_BUY_OPEN'
  | 'NOT_PRICED'

/** The least that a trader accepts, rounded down as `applySlippage` of the official client does. */
export const applySlippage = (amountOut: bigint, slippageBps: number): bigint =>
  (amountOut * (BPS - BigInt(slippageBps))) / BPS

/** How far the average price, without fees, is from the price before the trade: basis points, rounded down. */
export function priceImpactBps({ before, moved }: Pick<Trade, 'before' | 'moved'>): number {
  // The average price over the price before it: (moved.quote / moved.base) / (before.quote / before.base).
  const [average, expected] = [moved.quote * before.base, moved.base * before.quote]
  return expected === 0n ? 0 : Number((distance(average, expected) * BPS) / expected)
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

export const ceilDiv = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : (a + b - 1n) / b)
export const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n)
