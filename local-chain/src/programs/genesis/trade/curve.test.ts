import {
  type BondingCurveBucketV2,
  FeeDiscriminants,
  getSwapResult,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { none, some } from '@metaplex-foundation/umi'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bondingCurve } from '../buckets.ts'
import { buy, type Curve, sell } from './curve.ts'

const aCurve: fc.Arbitrary<Curve> = fc
  .record({
    virtualSol: fc.bigInt(1n, 10n ** 12n),
    virtualTokens: fc.bigInt(1n, 10n ** 15n),
    sold: fc.bigInt(0n, 10_000n),
    allocation: fc.bigInt(1n, 10n ** 15n),
    deposits: fc.bigInt(0n, 10n ** 12n),
    fee: fc.bigInt(1n, 500n),
    creatorFee: fc.option(fc.bigInt(1n, 500n)),
  })
  .map(({ virtualSol, virtualTokens, sold, allocation, deposits, fee, creatorFee }) => {
    const blank = bondingCurve.blank()
    return {
      ...blank,
      depositFee: fee,
      withdrawFee: fee,
      quoteTokenDepositTotal: deposits,
      bucket: {
        ...blank.bucket,
        baseTokenAllocation: allocation,
        baseTokenBalance: (allocation * (10_000n - sold)) / 10_000n,
      },
      constantProductParams: { virtualSol, virtualTokens },
      extensions: {
        ...blank.extensions,
        creatorFee:
          creatorFee === null
            ? none()
            : some({ wallet: blank.bucket.genesis, feeType: 0, padding: [], fee: creatorFee }),
      },
    }
  })
const anAmount = fc.bigInt(1n, 10n ** 15n)

/** The official client rounds a fee below one unit up to one; the program rounds it down. */
const isRounded = ({ extensions }: Curve, { fee, creatorFee }: { fee: bigint; creatorFee: bigint }) =>
  fee === 0n || (extensions.creatorFee.__option === 'Some' && creatorFee === 0n)

test('buys and sells agree with the quotes of the official client', () => {
  const outcomes = { whole: 0, limited: 0 }
  fc.assert(
    fc.property(aCurve, anAmount, fc.boolean(), fc.boolean(), (curve, amount, buying, firstBuy) => {
      fc.pre(buying ? curve.bucket.baseTokenBalance > 0n : curve.quoteTokenDepositTotal > 0n)
      const first = buying && firstBuy
      const trade = buying ? buy(curve, amount, first) : sell(curve, amount)
      fc.pre(first || !isRounded(curve, trade))
      const direction = buying ? SwapDirection.Buy : SwapDirection.Sell
      const quoted = getSwapResult(curve as BondingCurveBucketV2, amount, direction, first)
      expect(trade).toMatchObject({ fee: quoted.fee, creatorFee: quoted.creatorFee })
      expect(buying ? [trade.quote, trade.base] : [trade.base, trade.quote]).toEqual([
        quoted.amountIn,
        quoted.amountOut,
      ])
      outcomes[quoted.amountIn === amount ? 'whole' : 'limited']++
    }),
    { numRuns: 500 },
  )
  expect(outcomes.whole).toBeGreaterThan(20)
  expect(outcomes.limited).toBeGreaterThan(20)
})

test('a fee that is less than one unit is not charged, though the official client quotes one unit', () => {
  const aSmallAmount = fc.bigInt(1n, 300n)
  const free = { depositFeeType: FeeDiscriminants.Flat, withdrawFeeType: FeeDiscriminants.Flat }
  let small = 0
  fc.assert(
    fc.property(aCurve, aSmallAmount, fc.boolean(), (curve, amount, buying) => {
      fc.pre(curve.extensions.creatorFee.__option === 'None')
      fc.pre(buying ? curve.bucket.baseTokenBalance > 0n : curve.quoteTokenDepositTotal > 0n)
      const trade = buying ? buy(curve, amount) : sell(curve, amount)
      fc.pre(trade.fee === 0n && (buying ? trade.quote : trade.base) === amount)
      const direction = buying ? SwapDirection.Buy : SwapDirection.Sell
      const withFee = getSwapResult(curve as BondingCurveBucketV2, amount, direction)
      expect(withFee.fee).toBe(1n)
      const without = { ...curve, ...free, depositFee: 0n, withdrawFee: 0n } as BondingCurveBucketV2
      expect(buying ? trade.base : trade.quote).toBe(getSwapResult(without, amount, direction).amountOut)
      small++
    }),
    { numRuns: 300 },
  )
  expect(small).toBeGreaterThan(100)
})

test('no sequence of trades takes more out of a curve than was paid into it', () => {
  const aTrade = fc.tuple(fc.boolean(), anAmount)
  fc.assert(
    fc.property(aCurve, fc.array(aTrade, { maxLength: 20 }), (start, trades) => {
      let curve: Curve = { ...start, quoteTokenDepositTotal: 0n }
      let paidIn = 0n
      let bought = 0n
      for (const [buying, amount] of trades) {
        if (buying ? curve.bucket.baseTokenBalance === 0n : curve.quoteTokenDepositTotal === 0n) continue
        const sold = amount < bought ? amount : bought
        if (!buying && sold === 0n) continue
        const trade = buying ? buy(curve, amount) : sell(curve, sold)
        const sign = buying ? 1n : -1n
        paidIn += buying ? trade.quote : -trade.quote
        bought += sign * trade.base
        paidIn -= trade.fee + trade.creatorFee
        curve = {
          ...curve,
          quoteTokenDepositTotal: curve.quoteTokenDepositTotal + sign * trade.net,
          bucket: { ...curve.bucket, baseTokenBalance: curve.bucket.baseTokenBalance - sign * trade.base },
        }
        expect(curve.quoteTokenDepositTotal >= 0n && curve.bucket.baseTokenBalance >= 0n).toBe(true)
        expect(paidIn).toBeGreaterThanOrEqual(curve.quoteTokenDepositTotal)
      }
    }),
    { numRuns: 500 },
  )
})
