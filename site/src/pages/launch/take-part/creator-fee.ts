import type { FittedQuote } from '../../../lib/fit-answers.ts'

/** Both are in basis points. The service rounds the impact, so a fee of less than a few can't be told. */
const ERROR_MAX = 1.5
const DIFFERENCE_MIN = 3

/**
 * Whether a pool takes the creator's fee from what is paid or from what is received. The quote says how much it is, but not of
 * which token. The price impact, which is without fees, shows it; undefined if it doesn't.
 */
export function findCreatorFeeSide(quote: FittedQuote): 'paid' | 'received' | undefined {
  const { amountIn, amountOut, fees, priceImpactBps } = quote
  if (priceImpactBps === null || !fees.creator || !fees.pool) return undefined
  const [paid, received, creator] = [
    Number(amountIn) - Number(fees.pool),
    Number(amountOut),
    Number(fees.creator),
  ]
  const errors = {
    paid: Math.abs(impactOf(quote, paid - creator, received) - priceImpactBps),
    received: Math.abs(impactOf(quote, paid, received + creator) - priceImpactBps),
  }
  if (errors.paid <= ERROR_MAX && errors.received >= DIFFERENCE_MIN) return 'paid'
  if (errors.received <= ERROR_MAX && errors.paid >= DIFFERENCE_MIN) return 'received'
  return undefined
}

/** How far the average price is from the price before the trade, in basis points. */
function impactOf(
  { side, price, quoteDecimals, baseDecimals }: FittedQuote,
  joins: number,
  leaves: number,
): number {
  const [quote, base] = side === 'buy' ? [joins, leaves] : [leaves, joins]
  const average = quote / 10 ** quoteDecimals / (base / 10 ** baseDecimals)
  return Math.abs(average / Number(price) - 1) * 10_000
}
