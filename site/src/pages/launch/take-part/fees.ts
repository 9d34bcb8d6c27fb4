import type { TradeQuote } from '@slipway/client'
import { nameFee } from '../../../lib/format.ts'
import type { Expected } from '../../../transactions/intent.ts'
import { say, type Token } from './context.ts'

/**
 * What is kept of a trade, as the box and the sheet say it, and its share of the trade if that is known. Undefined if
 * it is nothing.
 */
export function describeTradeFee(
  { quote: inQuote, base }: { quote: Token; base: Token },
  quote: TradeQuote,
): (Expected & { share: number | undefined }) | undefined {
  const { side, venue, fees, amountIn, amountOut } = quote
  const isBuy = side === 'buy'
  const [creator, protocol, pool] = [fees.creator, fees.protocol, fees.pool].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  // A curve's fees are in the payment token. A pool takes its own from what is paid.
  const creatorSide = creator > 0n && venue !== 'curve' ? findCreatorFeeSide(quote) : 'paid'
  const [paid, received] =
    venue === 'curve'
      ? isBuy
        ? [protocol + creator, 0n]
        : [0n, protocol + creator]
      : [pool + (creatorSide === 'paid' ? creator : 0n), creatorSide === 'received' ? creator : 0n]
  const share = Number(paid) / Number(amountIn) + Number(received) / (Number(amountOut) + Number(received))
  const [inPaid, inReceived] = isBuy ? [inQuote, base] : [base, inQuote]
  const parts = [
    paid > 0n && say(paid, inPaid),
    received > 0n && say(received, inReceived),
    creatorSide === undefined && 'the creator’s',
  ].filter(part => part !== false)
  if (parts.length === 0) return undefined
  const isWhole = creatorSide !== undefined
  const name = isWhole ? nameFee(share) : 'Fees'
  return {
    label: isBuy ? `${name}, included` : name,
    amount: parts.join(' and '),
    share: isWhole ? share : undefined,
  }
}

/** What is kept of a withdrawal. */
export function describeKept(
  { quote }: { quote: Token },
  units: bigint,
  receives: bigint,
  hasPenalty: boolean,
): Expected | undefined {
  const kept = units - receives
  if (kept <= 0n) return undefined
  return {
    label: nameFee(Number(kept) / Number(units), hasPenalty ? 'Fee and penalty' : 'Fee'),
    amount: say(kept, quote),
  }
}

/** Both are in basis points. The service rounds the impact, so a fee of less than a few can't be told. */
const ERROR_MAX = 1.5
const DIFFERENCE_MIN = 3

/**
 * Whether a pool takes the creator's fee from what is paid or from what is received. The quote says how much it is, but not of
 * which token. The price impact, which is without fees, shows it; undefined if it doesn't.
 */
export function findCreatorFeeSide(quote: TradeQuote): 'paid' | 'received' | undefined {
  const { amountIn, amountOut, fees, priceImpactBps } = quote
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
  { side, price, quoteDecimals, baseDecimals }: TradeQuote,
  joins: number,
  leaves: number,
): number {
  const [quote, base] = side === 'buy' ? [joins, leaves] : [leaves, joins]
  const average = quote / 10 ** quoteDecimals / (base / 10 ** baseDecimals)
  return Math.abs(average / Number(price) - 1) * 10_000
}
