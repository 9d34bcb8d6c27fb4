import { formatNumber } from './format.ts'

/** From here on, a trade moves the price so far that it is probably a mistake. */
export const HIGH_IMPACT_BPS = 500
/** From here on, people must say that they mean it. */
export const EXTREME_IMPACT_BPS = 1_500

export interface PriceImpact {
  side: 'buy' | 'sell'
  /** How far the average price, without fees, is from the current price. */
  bps: number
}

/** What a high price impact means, in words. Undefined if it is not high. */
export function describeImpact({ side, bps }: PriceImpact): string | undefined {
  if (bps < HIGH_IMPACT_BPS) return undefined
  return `${side === 'buy' ? describePaid(bps) : describeSold(bps)}: a high price impact.`
}

const describePaid = (bps: number): string =>
  bps > 10_000
    ? 'You pay more than twice the current price, before fees'
    : `You pay ${formatNumber(bps / 100)}% more than the current price, before fees`

const describeSold = (bps: number): string =>
  bps > 5_000
    ? 'You get less than half the current price, before fees'
    : `You get ${formatNumber(bps / 100)}% less than the current price, before fees`
