import { quoteOrder, type TradeRefusal } from '@slipway/launch-model/trade/market'
import { applySlippage, type Order, priceImpactBps, type Trade } from '@slipway/launch-model/trade/trade'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { SLIPPAGE_BPS_DEFAULT, type TradeQuote } from '@slipway/schema/trade'
import { formatPrice } from '../../lib/format-price.ts'
import type { MarketReading } from './read-market.ts'

/** How much less than quoted a trader accepts: a share of it, or an exact amount. */
export interface Limit {
  slippageBps?: number | undefined
  minAmountOut?: bigint | undefined
}

export interface QuotedTrade {
  trade: Trade
  /** The least that the trade may give. */
  minAmountOut: bigint
  quote: TradeQuote
}

/** What an order would do now. Throws the reason if it can't be filled. */
export function quoteTrade(
  { market, shape, slot }: MarketReading,
  order: Order,
  { wallet, ...limit }: Limit & { wallet?: Address | undefined },
): QuotedTrade {
  const { base, quote } = shape
  if (base.isRestricted || quote.isRestricted) throw refusal('RESTRICTED_TOKEN')
  const found = quoteOrder(market, order, wallet)
  if (typeof found === 'string') throw refusal(found)
  const { venue, trade } = found
  const minAmountOut = leastOf(order, trade, limit)
  const decimals = { quoteDecimals: quote.decimals, baseDecimals: base.decimals }
  return {
    trade,
    minAmountOut,
    quote: {
      side: order.side,
      venue,
      amountIn: `${trade.amountIn}`,
      amountOut: `${trade.amountOut}`,
      minAmountOut: `${minAmountOut}`,
      fees: {
        protocol: `${trade.fees.protocol}`,
        creator: `${trade.fees.creator}`,
        pool: `${trade.fees.pool}`,
      },
      price: formatPrice(trade.before, decimals),
      priceAfter: formatPrice(trade.after, decimals),
      priceImpactBps: Math.min(priceImpactBps(trade), Number.MAX_SAFE_INTEGER),
      partial: trade.partial,
      quoteMint: quote.mint,
      ...decimals,
      slot,
    },
  }
}

/** A caller who asks for an output gets at least that, less the slippage, unless there is less. */
function leastOf(
  { mode, amount }: Order,
  { amountOut }: Trade,
  { slippageBps, minAmountOut }: Limit,
): bigint {
  if (minAmountOut !== undefined) return minAmountOut
  const expected = mode === 'out' && amount < amountOut ? amount : amountOut
  return applySlippage(expected, slippageBps ?? SLIPPAGE_BPS_DEFAULT)
}

/** Reasons outside `TRADE_REFUSALS` can't occur in a trade. */
function refusal(code: TradeRefusal): ServiceError {
  return new ServiceError(TRADE_REFUSALS.find(known => known === code) ?? 'NOT_PRICED')
}

/** The errors that a quote can end with. */
export const TRADE_REFUSALS = [
  'AMOUNT_TOO_SMALL',
  'TRADING_NOT_STARTED',
  'TRADING_ENDED',
  'FIRST_BUY_OPEN',
  'SOLD_OUT',
  'POOL_TOO_SMALL',
  'TRADING_PAUSED',
  'TAKES_DEPOSITS',
  'NEEDS_OPERATOR',
  'NOT_PRICED',
  'RESTRICTED_TOKEN',
] as const satisfies TradeRefusal[]
