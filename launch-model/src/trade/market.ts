import type { Address } from '@slipway/schema/address'
import type { Refusal } from '../actions.ts'
import type { Bucket } from '../bucket.ts'
import { kindOf } from '../kinds/kinds.ts'
import { resolveRefusals } from '../launch-actions.ts'
import { resolveLaunchTimes } from '../launch-times.ts'
import { quoteInPool, type TradedPool } from './pool.ts'
import type { Order, QuoteRefusal, Trade } from './trade.ts'

/** What the price of a launch depends on, all as of one slot. */
export interface Market {
  buckets: readonly (Bucket & { address: Address })[]
  /** What the launch trades in once it has graduated, or why that pool can't be used. */
  pool?: TradedPool | Refusal | undefined
  /** The chain's time, in Unix seconds. */
  nowSeconds: number
}

export type Venue = 'curve' | 'pool'
export type TradeRefusal = Refusal | QuoteRefusal

/**
 * What an order would do now, or why it can't be filled. A wallet is needed only for a first buy that is reserved for
 * it.
 */
export function quoteOrder(
  { nowSeconds, ...market }: Market,
  order: Order,
  wallet?: Address,
): QuotedOrder | TradeRefusal {
  const refusal = resolveRefusals(market.buckets, nowSeconds, { wallet })?.[order.side]
  return refusal ?? priceOrder(market, order, wallet)
}

interface QuotedOrder {
  venue: Venue
  trade: Trade
}

/** The same by the price alone, whether or not the launch trades at this time. */
export function priceOrder(
  { buckets, pool }: Omit<Market, 'nowSeconds'>,
  order: Order,
  wallet?: Address,
): QuotedOrder | TradeRefusal {
  const times = resolveLaunchTimes(buckets)
  if (!times) return 'NOT_PRICED'
  const venue = times.graduated ? 'pool' : 'curve'
  const trade = times.graduated ? quotePool(pool, order) : quoteSale(times.primary, order, wallet)
  if (typeof trade === 'string') return trade
  return hasPrice(trade.before) && hasPrice(trade.after) ? { venue, trade } : 'NOT_PRICED'
}

function quotePool(pool: Market['pool'], order: Order): Trade | TradeRefusal {
  if (pool === undefined || typeof pool === 'string') return pool ?? 'NOT_PRICED'
  return quoteInPool(pool, order)
}

const quoteSale = (
  primary: Market['buckets'][number],
  order: Order,
  wallet: Address | undefined,
): Trade | TradeRefusal => kindOf(primary.kind).sale?.quote?.(primary as never, order, wallet) ?? 'NOT_PRICED'

/** A launch has no price only if its numbers make no sense. */
const hasPrice = ({ quote, base }: Trade['before']) => quote > 0n && base > 0n
