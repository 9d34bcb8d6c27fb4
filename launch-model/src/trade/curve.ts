import type { Address } from '@slipway/schema/address'
import { BPS, type Fee, feeOn, grossForNet, leastGross, totalBps } from '../fees.ts'
import type { FirstBuy } from '../kinds/bucket-parts.ts'
import { atLeastZero, ceilDiv, type Order, type QuoteRefusal, type Reserves, type Trade } from './trade.ts'

/** What the price of a curve depends on, by the names that its account has for it. */
export interface CurveState {
  /** 0 is the constant product, the only one that there is. */
  bondingCurveType: number
  baseTokenBalance: bigint
  quoteTokenDepositTotal: bigint
  virtualReserves: Reserves
  depositFeeType: number
  depositFee: bigint
  withdrawFeeType: number
  withdrawFee: bigint
  extensions: {
    firstBuy?: FirstBuy | undefined
    firstBuyDone: boolean
    creatorFee?: { feeType: number; fee: bigint } | undefined
  }
}

export const CONSTANT_PRODUCT = 0
/** The program refuses to buy for less, the reserved first buy included. */
export const BUY_MIN = 1_000n

/** The rates and totals of a curve without trades. Its first buy is free of fees. */
export const NEW_CURVE = {
  bondingCurveType: CONSTANT_PRODUCT,
  quoteTokenDepositTotal: 0n,
  depositFeeType: 0,
  depositFee: 0n,
  withdrawFeeType: 0,
  withdrawFee: 0n,
  extensions: { firstBuyDone: false },
} as const

/** A trade on a curve. `net` is what enters or leaves the curve's own quote tokens, without fees. */
export interface CurveTrade {
  quote: bigint
  base: bigint
  net: bigint
  fee: bigint
  creatorFee: bigint
}

/**
 * What the program does with an order, to the unit. While a first buy is reserved, only its buyer gets a quote, for its
 * exact amount and without fees.
 */
export function quoteOnCurve(curve: CurveState, order: Order, wallet?: Address): Trade | QuoteRefusal {
  const refusal = refusalOf(curve, order, wallet)
  if (refusal) return refusal
  const isFirst = pendingFirstBuy(curve) !== undefined
  const isBuy = order.side === 'buy'
  const amount = order.mode === 'in' ? order.amount : inputFor(curve, order)
  if (isBuy && amount < BUY_MIN) return 'AMOUNT_TOO_SMALL'
  const trade = isBuy ? buyOnCurve(curve, amount, isFirst) : sellOnCurve(curve, amount)
  const [amountIn, amountOut] = isBuy ? [trade.quote, trade.base] : [trade.base, trade.quote]
  // The program's minimum applies to a partial fill too.
  if (amountOut === 0n || (isBuy && amountIn < BUY_MIN)) return 'AMOUNT_TOO_SMALL'
  const before = reservesOf(curve)
  const sign = isBuy ? 1n : -1n
  return {
    amountIn,
    amountOut,
    fees: { protocol: trade.fee, creator: trade.creatorFee, pool: 0n },
    partial: order.mode === 'in' ? amountIn < amount : amountOut < order.amount,
    moved: { quote: trade.net, base: trade.base },
    before,
    after: { quote: before.quote + sign * trade.net, base: before.base - sign * trade.base },
  }
}

function refusalOf(curve: CurveState, order: Order, wallet: Address | undefined): QuoteRefusal | undefined {
  const { side, mode, amount } = order
  if (curve.bondingCurveType !== CONSTANT_PRODUCT || totalBps(feesOf(curve, side)) >= BPS) return 'NOT_PRICED'
  if (amount <= 0n) return 'AMOUNT_TOO_SMALL'
  const first = pendingFirstBuy(curve)
  const isFirst = side === 'buy' && mode === 'in' && first?.buyer === wallet && first?.amount === amount
  if (first && !isFirst) return 'FIRST_BUY_OPEN'
  // A curve that holds no quote tokens can't pay a seller.
  if (side === 'sell') return curve.quoteTokenDepositTotal === 0n ? 'AMOUNT_TOO_SMALL' : undefined
  return curve.baseTokenBalance === 0n ? 'SOLD_OUT' : undefined
}

/** The first buy that is still reserved. Until it has happened, no other trade is possible. */
export const pendingFirstBuy = ({
  extensions,
}: {
  extensions: Pick<CurveState['extensions'], 'firstBuy' | 'firstBuyDone'>
}): FirstBuy | undefined => (extensions.firstBuyDone ? undefined : extensions.firstBuy)

/** The least input that gives at least the amount asked for, or that gives all there is. */
const inputFor = (curve: CurveState, { side, amount }: Order): bigint =>
  side === 'buy' ? quoteFor(curve, amount) : baseFor(curve, amount)

function quoteFor(curve: CurveState, amount: bigint): bigint {
  const { quote, base } = reservesOf(curve)
  const fees = feesOf(curve, 'buy')
  const wanted = smaller(amount, curve.baseTokenBalance)
  // Without virtual tokens, the last ones have no price.
  if (wanted === base) return U64_MAX
  const needed = ceilDiv(quote * base, base - wanted) - quote
  let gross = leastGross(needed, fees)
  if (gross < BUY_MIN) gross = BUY_MIN
  while (leftOf(gross, fees) < needed) gross += 1n
  return gross
}

function baseFor(curve: CurveState, amount: bigint): bigint {
  const { quote, base } = reservesOf(curve)
  const available = curve.quoteTokenDepositTotal
  let wanted = leastGross(amount, feesOf(curve, 'sell'))
  while (wanted < available) {
    const input = ceilDiv(quote * base, quote - wanted) - base
    const trade = sellOnCurve(curve, input)
    if (trade.quote >= amount) return input
    // A token can be worth many units, and the fees of a few units more can leave one unit less.
    wanted = trade.net + 1n
  }
  return available === quote ? U64_MAX : ceilDiv(quote * base, quote - available) - base
}

const U64_MAX = 2n ** 64n - 1n
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Buys for up to `amount` quote tokens. A purchase of more than the curve still has buys all of it, and costs only that
 * much. The first buy of a launch is free of fees.
 */
export function buyOnCurve(curve: CurveState, amount: bigint, isFirstBuy = false): CurveTrade {
  const available = curve.baseTokenBalance
  const fees = isFirstBuy ? [] : feesOf(curve, 'buy')
  const charge = (quote: bigint) => charged(quote, fees)
  const { quote: quoteReserve, base: baseReserve } = reservesOf(curve)
  const taken = charge(amount)
  const net = atLeastZero(amount - taken.fee - taken.creatorFee)
  const base = baseReserve - ceilDiv(quoteReserve * baseReserve, quoteReserve + net)
  if (base <= available) return { quote: amount, base, net, ...taken }

  const needed = ceilDiv(quoteReserve * baseReserve, baseReserve - available) - quoteReserve
  const gross = grossForNet(needed, fees)
  // A unit that rounding leaves over goes to the protocol, unless it shares the fees with a creator.
  const limited = fees.length === 1 ? { fee: gross - needed, creatorFee: 0n } : charge(gross)
  return { quote: needed + limited.fee + limited.creatorFee, base: available, net: needed, ...limited }
}

/** Sells base tokens. A sale for more than the curve has taken in is limited to that. */
export function sellOnCurve(curve: CurveState, amount: bigint): CurveTrade {
  const available = curve.quoteTokenDepositTotal
  const { quote: quoteReserve, base: baseReserve } = reservesOf(curve)
  const product = quoteReserve * baseReserve
  const out = quoteReserve - ceilDiv(product, baseReserve + amount)
  const isLimited = out > available
  const net = isLimited ? available : out
  const base = isLimited ? ceilDiv(product, quoteReserve - available) - baseReserve : amount
  const taken = charged(net, feesOf(curve, 'sell'))
  return { quote: atLeastZero(net - taken.fee - taken.creatorFee), base, net, ...taken }
}

export const reservesOf = ({
  virtualReserves,
  quoteTokenDepositTotal,
  baseTokenBalance,
}: Pick<CurveState, 'virtualReserves' | 'quoteTokenDepositTotal' | 'baseTokenBalance'>): Reserves => ({
  quote: virtualReserves.quote + quoteTokenDepositTotal,
  base: virtualReserves.base + baseTokenBalance,
})

/** The reserves after `sold` more tokens have left the curve: their product stays the same. */
export const reservesAfter = ({ quote, base }: Reserves, sold: bigint): Reserves => ({
  quote: (quote * base) / (base - sold),
  base: base - sold,
})

/** The protocol's fee and, if there is one, the creator's. Both are computed on the same amount. */
function feesOf(curve: CurveState, side: Order['side']): readonly Fee[] {
  const { creatorFee: creator } = curve.extensions
  const fee =
    side === 'buy'
      ? { type: curve.depositFeeType, amount: curve.depositFee }
      : { type: curve.withdrawFeeType, amount: curve.withdrawFee }
  return creator ? [fee, { type: creator.feeType, amount: creator.fee }] : [fee]
}

const leftOf = (gross: bigint, fees: readonly Fee[]) =>
  fees.reduce((rest, fee) => rest - feeOn(gross, fee), gross)

const charged = (amount: bigint, [fee, creatorFee]: readonly Fee[]) => ({
  fee: fee ? feeOn(amount, fee) : 0n,
  creatorFee: creatorFee ? feeOn(amount, creatorFee) : 0n,
})
