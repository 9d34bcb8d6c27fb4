import { ceilDiv, type Order, type QuoteRefusal, type Reserves, type Trade } from './trade.ts'

/** The parts of a Raydium constant-product pool that its price depends on. */
export interface TradedPool extends PoolRates {
  /** The vaults' balances, less uncollected fees. */
  reserves: Reserves
}

/** The fees of a pool, in millionths. */
export interface PoolRates {
  tradeFeeRate: bigint
  /** The parts of the trade fee that leave the reserves. The rest stays in them. */
  protocolFeeRate: bigint
  fundFeeRate: bigint
  /** 0 if the pool pays no creator. */
  creatorFeeRate: bigint
  /** The token that the creator's fee is taken in. */
  creatorFeeIn: 'input' | 'quote' | 'base'
}

const MILLION = 1_000_000n
/** The largest amount that an instruction can carry. */
const AMOUNT_MAX = 2n ** 64n - 1n

/** What the pool program does with an order, to the unit. */
export function quoteInPool(pool: TradedPool, order: Order): Trade | QuoteRefusal {
  const { quote, base } = pool.reserves
  if (quote === 0n || base === 0n || pool.tradeFeeRate + pool.creatorFeeRate >= MILLION) return 'NOT_PRICED'
  if (order.amount <= 0n) return 'AMOUNT_TOO_SMALL'
  const isBuy = order.side === 'buy'
  const available = isBuy ? base : quote
  // A pool never runs out: the last unit has no price.
  if (order.mode === 'out' && order.amount >= available) return 'POOL_TOO_SMALL'
  const amountIn = order.mode === 'in' ? order.amount : inputFor(pool, order)
  if (amountIn === undefined || amountIn > AMOUNT_MAX) return 'POOL_TOO_SMALL'
  const { amountOut, gross, poolFee, creatorFee, net } = swapInPool(pool, order.side, amountIn)
  if (amountOut === 0n) return 'AMOUNT_TOO_SMALL'
  const partOf = (rate: bigint) => (poolFee * rate) / MILLION
  const kept = net + poolFee - partOf(pool.protocolFeeRate) - partOf(pool.fundFeeRate)
  return {
    amountIn,
    amountOut,
    fees: { protocol: 0n, creator: creatorFee, pool: poolFee },
    partial: false,
    moved: isBuy ? { quote: net, base: gross } : { quote: gross, base: net },
    before: pool.reserves,
    after: isBuy ? { quote: quote + kept, base: base - gross } : { quote: quote - gross, base: base + kept },
  }
}

/** `gross` is what leaves the reserves, and `net` what joins them. */
function swapInPool(pool: TradedPool, side: Order['side'], amountIn: bigint) {
  const { reserves, tradeFeeRate, creatorFeeRate } = pool
  const [reserveIn, reserveOut] =
    side === 'buy' ? [reserves.quote, reserves.base] : [reserves.base, reserves.quote]
  const isOnInput = takesFromInput(pool, side)
  const rate = isOnInput ? tradeFeeRate + creatorFeeRate : tradeFeeRate
  const taken = ceilDiv(amountIn * rate, MILLION)
  const net = amountIn > taken ? amountIn - taken : 0n
  const gross = (reserveOut * net) / (reserveIn + net)
  const creatorFee = isOnInput
    ? rate === 0n
      ? 0n
      : (taken * creatorFeeRate) / rate
    : ceilDiv(gross * creatorFeeRate, MILLION)
  return {
    net,
    gross,
    creatorFee,
    poolFee: isOnInput ? taken - creatorFee : taken,
    amountOut: isOnInput ? gross : gross - creatorFee,
  }
}

/** What a pool and its creator keep of a trade, as a share of it. */
export const shareKept = ({ tradeFeeRate, creatorFeeRate }: PoolRates): number =>
  Number(tradeFeeRate + creatorFeeRate) / Number(MILLION)

/** Whether the creator's fee is taken from the input rather than from the output. */
export const takesFromInput = (
  { creatorFeeIn }: Pick<PoolRates, 'creatorFeeIn'>,
  side: Order['side'],
): boolean => creatorFeeIn === 'input' || creatorFeeIn === (side === 'buy' ? 'quote' : 'base')

/** The fees of a swap that has happened, in quote tokens: those taken in base tokens count at the price of the swap. */
export function feesOfSwap(
  rates: PoolRates,
  side: Order['side'],
  { paid, received }: { paid: bigint; received: bigint },
): { creatorFee: bigint; poolFee: bigint } {
  const { tradeFeeRate, creatorFeeRate } = rates
  const isOnInput = takesFromInput(rates, side)
  const rate = isOnInput ? tradeFeeRate + creatorFeeRate : tradeFeeRate
  if (rate >= MILLION || creatorFeeRate >= MILLION) return { creatorFee: 0n, poolFee: 0n }
  const taken = ceilDiv(paid * rate, MILLION)
  const net = paid > taken ? paid - taken : 0n
  const gross = isOnInput ? received : ceilDiv(received * MILLION, MILLION - creatorFeeRate)
  const onInput = isOnInput && rate > 0n ? (taken * creatorFeeRate) / rate : 0n
  const onOutput = gross - received
  const inQuote = (base: bigint, [quote, whole]: [bigint, bigint]) =>
    whole === 0n ? 0n : (base * quote) / whole
  return side === 'buy'
    ? { poolFee: taken - onInput, creatorFee: onInput + inQuote(onOutput, [net, gross]) }
    : {
        poolFee: inQuote(taken - onInput, [gross, net]),
        creatorFee: onOutput + inQuote(onInput, [gross, net]),
      }
}

/** The least input that gives at least the amount asked for; undefined if none does. */
function inputFor(pool: TradedPool, { side, amount }: Order): bigint | undefined {
  const { reserves, tradeFeeRate, creatorFeeRate } = pool
  const [reserveIn, reserveOut] =
    side === 'buy' ? [reserves.quote, reserves.base] : [reserves.base, reserves.quote]
  const isOnInput = takesFromInput(pool, side)
  const gross = isOnInput ? amount : ceilDiv(amount * MILLION, MILLION - creatorFeeRate)
  if (gross >= reserveOut) return undefined
  const net = ceilDiv(reserveIn * gross, reserveOut - gross)
  return ceilDiv(net * MILLION, MILLION - (isOnInput ? tradeFeeRate + creatorFeeRate : tradeFeeRate))
}
