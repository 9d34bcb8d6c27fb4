import type { Address } from '@slipway/schema/address'
import type { Permission, Refusal } from '../actions.ts'
import type { Bucket } from '../bucket.ts'
import { kindOf } from '../kinds/kinds.ts'
import { resolvePermissions } from '../launch-actions.ts'
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

/** Where a launch trades. Undefined while it doesn't: it takes deposits, or has no sale. */
export function findVenue({ buckets }: Pick<Market, 'buckets'>): Venue | undefined {
  const times = resolveLaunchTimes(buckets)
  if (times?.graduated && buckets.some(({ kind }) => kindOf(kind).hasPool)) return 'pool'
  return times && kindOf(times.primary.kind).sale?.quote ? 'curve' : undefined
}

/** What an order would do now, or why nothing. A wallet is needed only for a first buy that is reserved for it. */
export function quoteOrder(
  market: Market,
  order: Order,
  wallet?: Address,
): { venue: Venue; trade: Trade } | TradeRefusal {
  const { buckets, nowSeconds } = market
  const permissions = resolvePermissions(buckets, nowSeconds, { wallet })
  if (!permissions) return 'NOT_PRICED'
  const refusal: Permission = permissions[order.side]
  if (refusal) return refusal
  const venue = findVenue(market)
  const trade = venue === 'pool' ? quotePool(market, order) : quoteSale(market, order, wallet)
  if (typeof trade === 'string') return trade
  if (!venue || !hasPrice(trade.before) || !hasPrice(trade.after)) return 'NOT_PRICED'
  return { venue, trade }
}

function quotePool({ pool }: Market, order: Order): Trade | TradeRefusal {
  if (pool === undefined || typeof pool === 'string') return pool ?? 'NOT_PRICED'
  return quoteInPool(pool, order)
}

function quoteSale({ buckets }: Market, order: Order, wallet: Address | undefined): Trade | TradeRefusal {
  const primary = resolveLaunchTimes(buckets)?.primary
  return (primary && kindOf(primary.kind).sale?.quote?.(primary as never, order, wallet)) ?? 'NOT_PRICED'
}

/** Only numbers that nobody would choose for a launch leave it without a price. */
const hasPrice = ({ quote, base }: Trade['before']) => quote > 0n && base > 0n
