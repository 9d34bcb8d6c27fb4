import { type BondingCurveBucketV2AccountData, SwapDirection } from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { genesisError } from '../errors.ts'
import { type Fee, feeOn, grossForNet } from '../fees.ts'

export type Curve = Pick<
  BondingCurveBucketV2AccountData,
  | 'bucket'
  | 'constantProductParams'
  | 'quoteTokenDepositTotal'
  | 'depositFeeType'
  | 'depositFee'
  | 'withdrawFeeType'
  | 'withdrawFee'
  | 'extensions'
>

/** A trade on a curve. `net` is what enters or leaves the curve's own quote tokens, without fees. */
export type Trade = {
  readonly quote: bigint
  readonly base: bigint
  readonly net: bigint
  readonly fee: bigint
  readonly creatorFee: bigint
}

/**
 * Buys for up to `amount` quote tokens. A purchase of more than the curve still has buys all of it, and costs only that
 * much. The first buy of a launch is free of fees.
 */
export function buy(curve: Curve, amount: bigint, firstBuy = false): Trade {
  const available = curve.bucket.baseTokenBalance
  if (available === 0n) throw genesisError('BondingCurveInsufficientFunds')
  const [fee, creatorFee] = firstBuy ? [] : feesOf(curve, SwapDirection.Buy)
  const charge = (quote: bigint) => ({
    fee: fee ? feeOn(quote, fee) : 0n,
    creatorFee: creatorFee ? feeOn(quote, creatorFee) : 0n,
  })
  const { quote: quoteReserve, base: baseReserve } = reservesOf(curve)
  const charged = charge(amount)
  const net = max0(amount - charged.fee - charged.creatorFee)
  const base = baseReserve - ceilDiv(quoteReserve * baseReserve, quoteReserve + net)
  if (base <= available) return { quote: amount, base, net, ...charged }

  const needed = ceilDiv(quoteReserve * baseReserve, baseReserve - available) - quoteReserve
  const fees = [fee, creatorFee].filter(one => one !== undefined)
  const gross = grossForNet(needed, fees)
  // A unit that rounding leaves over goes to the protocol, unless it shares the fees with a creator.
  const clamped = fees.length === 1 ? { fee: gross - needed, creatorFee: 0n } : charge(gross)
  return { quote: needed + clamped.fee + clamped.creatorFee, base: available, net: needed, ...clamped }
}

/** Sells base tokens. A sale for more than the curve has taken in is limited to that. */
export function sell(curve: Curve, amount: bigint): Trade {
  const available = curve.quoteTokenDepositTotal
  if (available === 0n) throw genesisError('BondingCurveInsufficientFunds')
  const { quote: quoteReserve, base: baseReserve } = reservesOf(curve)
  const product = quoteReserve * baseReserve
  const out = quoteReserve - ceilDiv(product, baseReserve + amount)
  const limited = out > available
  const net = limited ? available : out
  const base = limited ? ceilDiv(product, quoteReserve - available) - baseReserve : amount
  const [fee, creatorFee] = feesOf(curve, SwapDirection.Sell)
  const charged = { fee: feeOn(net, fee), creatorFee: creatorFee ? feeOn(net, creatorFee) : 0n }
  return { quote: max0(net - charged.fee - charged.creatorFee), base, net, ...charged }
}

/** Both fees are computed on the same amount. */
function feesOf(curve: Curve, direction: SwapDirection): [fee: Fee, creatorFee: Fee | undefined] {
  const creator = unwrapOption(curve.extensions.creatorFee)
  const fee =
    direction === SwapDirection.Buy
      ? { type: curve.depositFeeType, amount: curve.depositFee }
      : { type: curve.withdrawFeeType, amount: curve.withdrawFee }
  return [fee, creator ? { type: creator.feeType, amount: creator.fee } : undefined]
}

const reservesOf = ({ constantProductParams, quoteTokenDepositTotal, bucket }: Curve) => ({
  quote: constantProductParams.virtualSol + quoteTokenDepositTotal,
  base: constantProductParams.virtualTokens + bucket.baseTokenBalance,
})
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
const max0 = (value: bigint): bigint => (value > 0n ? value : 0n)
