import {
  type BondingCurveBucketV2,
  getSwapResult,
  applySlippage as officialSlippage,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { none, some } from '@metaplex-foundation/umi'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FEE_TYPES } from '../fees.ts'
import { WRAPPED_NATIVE_MINT } from '../programs.ts'
import { officialBuckets } from '../testing/official-buckets.ts'
import { BUY_MIN, buyOnCurve, type CurveState, quoteOnCurve, sellOnCurve } from './curve.ts'
import { applySlippage, type Order, priceImpactBps, type Trade } from './trade.ts'

const BUYER = WRAPPED_NATIVE_MINT
const STRANGER = '11111111111111111111111111111111' as Address

interface Numbers {
  virtualQuote: bigint
  virtualBase: bigint
  sold: bigint
  allocation: bigint
  deposits: bigint
  fee: bigint
  creatorFee: bigint | null
}
const curveOf = (numbers: Numbers): CurveState => ({
  bondingCurveType: 0,
  baseTokenBalance: (numbers.allocation * (10_000n - numbers.sold)) / 10_000n,
  quoteTokenDepositTotal: numbers.deposits,
  virtualReserves: { quote: numbers.virtualQuote, base: numbers.virtualBase },
  depositFeeType: FEE_TYPES.basisPoints,
  depositFee: numbers.fee,
  withdrawFeeType: FEE_TYPES.basisPoints,
  withdrawFee: numbers.fee,
  extensions: {
    firstBuyDone: false,
    ...(numbers.creatorFee !== null && {
      creatorFee: { feeType: FEE_TYPES.basisPoints, fee: numbers.creatorFee },
    }),
  },
})
const curves = (scale: { quote: bigint; base: bigint }): fc.Arbitrary<CurveState> =>
  fc
    .record({
      virtualQuote: fc.bigInt(1n, scale.quote),
      virtualBase: fc.bigInt(1n, scale.base),
      sold: fc.bigInt(0n, 10_000n),
      allocation: fc.bigInt(1n, scale.base),
      deposits: fc.bigInt(0n, scale.quote),
      fee: fc.bigInt(1n, 500n),
      creatorFee: fc.option(fc.bigInt(1n, 500n)),
    })
    .map(curveOf)
const aCurve = curves({ quote: 10n ** 12n, base: 10n ** 15n })
const anAmount = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt(1n, 10n ** 15n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 2n ** 64n - 1n) },
)
const aSide = fc.constantFrom<Order['side']>('buy', 'sell')

/** The same curve for the official client. */
function officialCurve(curve: CurveState): BondingCurveBucketV2 {
  const { blank } = officialBuckets.bondingCurveV2
  const { creatorFee } = curve.extensions
  return {
    ...blank,
    ...curve,
    bucket: { ...(blank.bucket as object), baseTokenBalance: curve.baseTokenBalance },
    constantProductParams: {
      virtualSol: curve.virtualReserves.quote,
      virtualTokens: curve.virtualReserves.base,
    },
    extensions: {
      ...(blank.extensions as object),
      creatorFee: creatorFee ? some({ ...creatorFee, wallet: BUYER, padding: [] }) : none(),
    },
  } as unknown as BondingCurveBucketV2
}
const officialResult = (curve: CurveState, side: Order['side'], amount: bigint, isFirst = false) =>
  getSwapResult(
    officialCurve(curve),
    amount,
    side === 'buy' ? SwapDirection.Buy : SwapDirection.Sell,
    isFirst,
  )

/** The official client rounds a fee below one unit up to one; the program rounds it down. */
const hasTinyFee = ({ extensions }: CurveState, { protocol, creator }: Trade['fees']) =>
  protocol === 0n || (extensions.creatorFee !== undefined && creator === 0n)

test('a quote has the numbers of the official client, in both directions and for partial fills', () => {
  const outcomes = { whole: 0, partial: 0, refused: 0 }
  fc.assert(
    fc.property(aCurve, anAmount, aSide, (curve, amount, side) => {
      const trade = quoteOnCurve(curve, { side, mode: 'in', amount })
      if (typeof trade === 'string') {
        outcomes.refused++
        return
      }
      fc.pre(!hasTinyFee(curve, trade.fees))
      const official = officialResult(curve, side, amount)
      expect(trade).toMatchObject({
        amountIn: official.amountIn,
        amountOut: official.amountOut,
        fees: { protocol: official.fee, creator: official.creatorFee, pool: 0n },
        partial: official.amountIn < amount,
      })
      outcomes[trade.partial ? 'partial' : 'whole']++
    }),
    { numRuns: 600 },
  )
  expect(outcomes.whole).toBeGreaterThan(20)
  expect(outcomes.partial).toBeGreaterThan(20)
  expect(outcomes.refused).toBeGreaterThan(0)
})

test('a trader who pays the quoted amount gets exactly the quoted output, for partial fills too', () => {
  const seen = { whole: 0, partial: 0 }
  const aMode = fc.constantFrom<Order['mode']>('in', 'out')
  fc.assert(
    fc.property(aCurve, anAmount, aSide, aMode, (curve, amount, side, mode) => {
      const trade = quoteOnCurve(curve, { side, mode, amount })
      if (typeof trade === 'string' || trade.amountIn >= 2n ** 64n) return
      const again = quoteOnCurve(curve, { side, mode: 'in', amount: trade.amountIn })
      expect(again).toMatchObject({
        amountIn: trade.amountIn,
        amountOut: trade.amountOut,
        fees: trade.fees,
        partial: false,
      })
      seen[trade.partial ? 'partial' : 'whole']++
    }),
    { numRuns: 600 },
  )
  expect(Math.min(seen.whole, seen.partial)).toBeGreaterThan(20)
})

test('a fee that is less than one unit is not charged, though the official client quotes one unit', () => {
  let small = 0
  fc.assert(
    fc.property(aCurve, fc.bigInt(1n, 300n), aSide, (curve, amount, side) => {
      fc.pre(!curve.extensions.creatorFee)
      fc.pre(side === 'buy' ? curve.baseTokenBalance > 0n : curve.quoteTokenDepositTotal > 0n)
      const trade = side === 'buy' ? buyOnCurve(curve, amount) : sellOnCurve(curve, amount)
      fc.pre(trade.fee === 0n && (side === 'buy' ? trade.quote : trade.base) === amount)
      expect(officialResult(curve, side, amount).fee).toBe(1n)
      const none = { depositFeeType: FEE_TYPES.flat, withdrawFeeType: FEE_TYPES.flat }
      const free = { ...curve, ...none, depositFee: 0n, withdrawFee: 0n }
      expect(side === 'buy' ? trade.base : trade.quote).toBe(officialResult(free, side, amount).amountOut)
      small++
    }),
    { numRuns: 300 },
  )
  expect(small).toBeGreaterThan(100)
})

test('a reserved first buy is quoted to its buyer alone, for its exact amount and without fees', () => {
  fc.assert(
    fc.property(aCurve, fc.bigInt(BUY_MIN, 10n ** 12n), (curve, amount) => {
      fc.pre(curve.baseTokenBalance > 0n)
      const reserved = {
        ...curve,
        extensions: { ...curve.extensions, firstBuy: { buyer: BUYER, amount } },
      }
      const order: Order = { side: 'buy', mode: 'in', amount }
      const trade = quoteOnCurve(reserved, order, BUYER)
      if (trade === 'AMOUNT_TOO_SMALL') return
      const official = officialResult(curve, 'buy', amount, true)
      expect(trade).toMatchObject({
        amountIn: official.amountIn,
        amountOut: official.amountOut,
        fees: { protocol: 0n, creator: 0n },
      })
      expect(quoteOnCurve(reserved, order)).toBe('FIRST_BUY_OPEN')
      expect(quoteOnCurve(reserved, order, STRANGER)).toBe('FIRST_BUY_OPEN')
      expect(quoteOnCurve(reserved, { ...order, amount: amount + 1n }, BUYER)).toBe('FIRST_BUY_OPEN')
      expect(quoteOnCurve(reserved, { ...order, side: 'sell' }, BUYER)).toBe('FIRST_BUY_OPEN')
      const done = { ...reserved, extensions: { ...reserved.extensions, firstBuyDone: true } }
      expect(quoteOnCurve(done, order, BUYER)).toEqual(quoteOnCurve(curve, order))
    }),
    { numRuns: 100 },
  )
})

test('to receive at least an amount, no smaller input is enough', () => {
  const seen = { exact: 0, partial: 0 }
  fc.assert(
    fc.property(
      curves({ quote: 20_000n, base: 20_000n }),
      fc.bigInt(1n, 5_000n),
      aSide,
      (curve, amount, side) => {
        const trade = quoteOnCurve(curve, { side, mode: 'out', amount })
        if (typeof trade === 'string') return
        const outputOf = (input: bigint) =>
          side === 'buy' ? buyOnCurve(curve, input).base : sellOnCurve(curve, input).quote
        expect(outputOf(trade.amountIn)).toBe(trade.amountOut)
        if (trade.partial) {
          seen.partial++
          expect(trade.amountOut).toBeLessThan(amount)
          expect(outputOf(10n ** 9n)).toBe(trade.amountOut)
          return
        }
        seen.exact++
        expect(trade.amountOut).toBeGreaterThanOrEqual(amount)
        const least = side === 'buy' ? BUY_MIN : 1n
        for (let input = least; input < trade.amountIn; input++)
          if (outputOf(input) >= amount) throw new Error(`${input} is enough, not only ${trade.amountIn}`)
      },
    ),
    { numRuns: 200 },
  )
  expect(seen.exact).toBeGreaterThan(20)
  expect(seen.partial).toBeGreaterThan(5)
})

test('the least purchase is 1,000 units, which applies to what is left of the curve too', () => {
  const numbers = { virtualQuote: 10n ** 9n, virtualBase: 10n ** 12n, sold: 0n, deposits: 10n ** 9n }
  const curve = curveOf({ ...numbers, allocation: 10n ** 12n, fee: 50n, creatorFee: 60n })
  const buy = (amount: bigint, on = curve) => quoteOnCurve(on, { side: 'buy', mode: 'in', amount })
  expect(buy(999n)).toBe('AMOUNT_TOO_SMALL')
  expect(buy(1_000n)).toMatchObject({ amountIn: 1_000n, partial: false })
  expect(buy(10n ** 9n, { ...curve, baseTokenBalance: 100n })).toBe('AMOUNT_TOO_SMALL')
  expect(buy(10n ** 9n, { ...curve, baseTokenBalance: 0n })).toBe('SOLD_OUT')
  expect(quoteOnCurve(curve, { side: 'buy', mode: 'out', amount: 1n })).toMatchObject({ amountIn: 1_000n })
})

test('numbers that a stranger wrote on the chain never throw', () => {
  const u64 = fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 64n - 1n))
  const hostile = fc
    .record({
      bondingCurveType: fc.constantFrom(0, 0, 0, 7),
      baseTokenBalance: u64,
      quoteTokenDepositTotal: u64,
      virtualReserves: fc.record({ quote: u64, base: u64 }),
      depositFeeType: fc.nat(2),
      depositFee: fc.oneof(u64, fc.bigInt(0n, 10_000n)),
      withdrawFeeType: fc.nat(2),
      withdrawFee: fc.oneof(u64, fc.bigInt(0n, 10_000n)),
    })
    .map(numbers => ({ ...numbers, extensions: { firstBuyDone: true } }))
  const order = fc.record({
    side: aSide,
    mode: fc.constantFrom<Order['mode']>('in', 'out'),
    amount: fc.bigInt(1n, 2n ** 64n - 1n),
  })
  fc.assert(
    fc.property(hostile, order, (curve, given) => {
      const trade = quoteOnCurve(curve, given)
      if (typeof trade === 'string') return
      expect(trade.amountOut).toBeGreaterThan(0n)
      expect(priceImpactBps(trade)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 500 },
  )
})

test('the slippage is that of the official client', () => {
  fc.assert(
    fc.property(anAmount, fc.nat(5_000), (amount, bps) => {
      expect(applySlippage(amount, bps)).toBe(officialSlippage(amount, bps))
    }),
  )
})

test('no sequence of trades takes more out of a curve than was paid into it', () => {
  fc.assert(
    fc.property(aCurve, fc.array(fc.tuple(aSide, anAmount), { maxLength: 20 }), (start, trades) => {
      let curve: CurveState = { ...start, quoteTokenDepositTotal: 0n }
      let paidIn = 0n
      let bought = 0n
      for (const [side, amount] of trades) {
        const isBuy = side === 'buy'
        if (isBuy ? curve.baseTokenBalance === 0n : curve.quoteTokenDepositTotal === 0n) continue
        const sold = amount < bought ? amount : bought
        if (!isBuy && sold === 0n) continue
        const trade = isBuy ? buyOnCurve(curve, amount) : sellOnCurve(curve, sold)
        const sign = isBuy ? 1n : -1n
        paidIn += sign * trade.quote - trade.fee - trade.creatorFee
        bought += sign * trade.base
        curve = {
          ...curve,
          quoteTokenDepositTotal: curve.quoteTokenDepositTotal + sign * trade.net,
          baseTokenBalance: curve.baseTokenBalance - sign * trade.base,
        }
        expect(curve.quoteTokenDepositTotal >= 0n && curve.baseTokenBalance >= 0n).toBe(true)
        expect(paidIn).toBeGreaterThanOrEqual(curve.quoteTokenDepositTotal)
      }
    }),
    { numRuns: 500 },
  )
})
