import { PRICED_UNITS_MIN } from '@slipway/launch-model/history/trade'
import type { LaunchCandle, LaunchTrade } from '@slipway/schema/market'
import { formatPrice } from '../../lib/format-price.ts'
import { PRICE_SCALE, type StoredCandle } from '../../store/candles.ts'
import type { StoredTrade } from '../../store/list-trades.ts'

export interface MarketDecimals {
  quoteDecimals: number | null
  baseDecimals: number | null
}

/** A trade as it is served. */
export function showTrade(trade: StoredTrade, decimals: MarketDecimals): LaunchTrade {
  const { signature, index, slot, time, kind, wallet, agent, baseAmount, quoteAmount } = trade
  const { protocolFee, creatorFee } = trade
  return {
    signature,
    index,
    slot,
    time: new Date(time * 1_000).toISOString(),
    kind,
    wallet,
    agent,
    baseAmount,
    quoteAmount,
    protocolFee,
    creatorFee,
    price: priceOf(trade, decimals),
  }
}

/** The price of the trade before fees. The store computes candles in the same way. */
function priceOf(trade: StoredTrade, decimals: MarketDecimals): string | null {
  if (trade.kind !== 'buy' && trade.kind !== 'sell') return null
  const base = BigInt(trade.baseAmount)
  const fees = BigInt(trade.protocolFee) + BigInt(trade.creatorFee) + BigInt(trade.poolFee)
  const quote = BigInt(trade.quoteAmount) + (trade.kind === 'buy' ? -fees : fees)
  return base >= PRICED_UNITS_MIN && quote >= PRICED_UNITS_MIN ? format(quote, base, decimals) : null
}

export function showCandle(
  { timeMs, open, high, low, close, ...volumes }: StoredCandle,
  decimals: MarketDecimals,
): LaunchCandle {
  const show = (price: string | null) =>
    price === null ? null : format(BigInt(price), PRICE_SCALE, decimals)
  return {
    time: new Date(timeMs).toISOString(),
    open: show(open),
    high: show(high),
    low: show(low),
    close: show(close),
    volumeBase: volumes.volumeBase,
    volumeQuote: volumes.volumeQuote,
    trades: volumes.trades,
  }
}

const format = (quote: bigint, base: bigint, { quoteDecimals, baseDecimals }: MarketDecimals) =>
  quoteDecimals === null || baseDecimals === null
    ? null
    : formatPrice({ quote, base }, { quoteDecimals, baseDecimals })
