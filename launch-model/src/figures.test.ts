import {
  type BondingCurveBucketV2,
  getCurrentPriceComponents,
  getCurrentPriceQuotePerBase,
  getFillPercentage,
  getSwapResult,
  isSoldOut,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import type { BucketKind } from '@slipway/schema/launch'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBucketData } from './bucket.ts'
import { computeFigures, findGoal } from './figures.ts'
import { anyBucket, officialBuckets } from './testing/official-buckets.ts'
import { anyAddress, u64 } from './testing/samples.ts'

/** Small and huge amounts, and zero more often than chance would have it. */
const amount = fc.oneof(u64, fc.bigInt({ min: 0n, max: 1_000n }), fc.constant(0n))

function figuresOf(kind: BucketKind, fields: object, bucket: object, extensions: object = {}) {
  const { serializer, blank } = officialBuckets[kind]
  const data = serializer.serialize({
    ...blank,
    ...fields,
    bucket: { ...(blank.bucket as object), ...bucket },
    extensions: { ...(blank.extensions as object), ...extensions },
  })
  const decoded = decodeBucketData(data)
  if (typeof decoded === 'string') throw new Error(decoded)
  return {
    figures: computeFigures(decoded, [decoded]),
    goal: findGoal(decoded),
    official: serializer.deserialize(data)[0] as BondingCurveBucketV2,
  }
}

const curve = fc.record({
  baseTokenAllocation: amount,
  baseTokenBalance: amount,
  quoteTokenDepositTotal: amount,
  virtualSol: amount,
  virtualTokens: amount,
})

const curveFigures = ({
  virtualSol,
  virtualTokens,
  quoteTokenDepositTotal,
  ...bucket
}: Record<
  'virtualSol' | 'virtualTokens' | 'quoteTokenDepositTotal' | 'baseTokenAllocation' | 'baseTokenBalance',
  bigint
>) =>
  figuresOf(
    'bondingCurveV2',
    { quoteTokenDepositTotal, constantProductParams: { virtualSol, virtualTokens } },
    bucket,
  )

test("a curve's price, progress and sell-out are those of the official client", () => {
  fc.assert(
    fc.property(curve, given => {
      const { figures, official } = curveFigures(given)
      const { quoteReserves, baseReserves } = getCurrentPriceComponents(official)
      if (quoteReserves > 0n && baseReserves > 0n) {
        expect(figures.price).toEqual({ quote: quoteReserves, base: baseReserves })
        expect(quoteReserves / baseReserves).toBe(getCurrentPriceQuotePerBase(official))
      } else expect(figures.price).toBeUndefined()
      // The client counts a balance above the allocation as a negative sale, and a curve of nothing as sold out.
      if (given.baseTokenAllocation === 0n) expect(figures.progress).toBeUndefined()
      else if (given.baseTokenBalance <= given.baseTokenAllocation) {
        expect(Math.floor((figures.progress as number) / 100) / 100).toBe(getFillPercentage(official))
        expect(figures.progress === 1_000_000).toBe(isSoldOut(official))
        expect(figures.sold).toBe(given.baseTokenAllocation - given.baseTokenBalance)
      }
      expect(figures.raised).toBe(given.quoteTokenDepositTotal)
    }),
    { numRuns: 200 },
  )
})

test('the average price of a purchase without fees is between the prices before and after it', () => {
  const usual = fc.record({
    baseTokenBalance: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
    quoteTokenDepositTotal: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    virtualSol: fc.bigInt({ min: 10n ** 9n, max: 10n ** 11n }),
    virtualTokens: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
  })
  fc.assert(
    fc.property(usual, fc.bigInt({ min: 1n, max: 10n ** 11n }), (given, paid) => {
      const before = curveFigures({ ...given, baseTokenAllocation: given.baseTokenBalance })
      const { amountIn, amountOut } = getSwapResult(before.official, paid, SwapDirection.Buy, true)
      const after = curveFigures({
        ...given,
        baseTokenAllocation: given.baseTokenBalance,
        baseTokenBalance: given.baseTokenBalance - amountOut,
        quoteTokenDepositTotal: given.quoteTokenDepositTotal + amountIn,
      })
      const [low, high] = [before.figures.price, after.figures.price]
      if (!low || !high) throw new Error('a curve has no price')
      // The program rounds in its own favour, by less than one unit of either token.
      expect(amountIn * low.base).toBeGreaterThanOrEqual(low.quote * amountOut)
      expect((amountIn - 1n) * high.base).toBeLessThanOrEqual(high.quote * (amountOut + 1n))
      expect(after.figures.sold).toBe(amountOut)
    }),
    { numRuns: 150 },
  )
})

test('a presale has the price of its cap, and sells in proportion to its deposits', () => {
  fc.assert(
    fc.property(amount, amount, amount, amount, (raised, cap, supply, count) => {
      const { figures } = figuresOf(
        'presaleV2',
        { quoteTokenDepositTotal: raised, allocationQuoteTokenCap: cap, depositCount: count },
        { baseTokenAllocation: supply },
      )
      expect(figures).toMatchObject({ raised, supply, participants: count, creatorFees: undefined })
      expect(figures.price).toEqual(cap > 0n && supply > 0n ? { quote: cap, base: supply } : undefined)
      const entitled = cap === 0n ? 0n : (raised * supply) / cap
      expect(figures.sold).toBe(entitled > supply ? supply : entitled)
      if (cap === 0n) expect(figures.progress).toBeUndefined()
      else {
        expect(figures.progress).toBe(raised >= cap ? 1_000_000 : Number((raised * 1_000_000n) / cap))
      }
    }),
    { numRuns: 150 },
  )
})

test('the depositors of a launch pool share its whole allocation', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.option(amount), (raised, supply, count, goal) => {
      const { figures } = figuresOf(
        'launchpoolV2',
        { quoteTokenDepositTotal: raised, depositCount: count },
        { baseTokenAllocation: supply },
        { minimumQuoteTokenThreshold: goal === null ? null : { amount: goal } },
      )
      expect(figures).toMatchObject({ raised, supply, participants: count, creatorFees: undefined })
      expect(figures.sold).toBe(raised > 0n ? supply : 0n)
      expect(figures.price).toEqual(raised > 0n && supply > 0n ? { quote: raised, base: supply } : undefined)
      const NOT_SET = 2n ** 64n - 1n
      if (goal === null || goal === 0n || goal === NOT_SET) expect(figures.progress).toBeUndefined()
      else expect(figures.progress).toBe(raised >= goal ? 1_000_000 : Number((raised * 1_000_000n) / goal))
    }),
    { numRuns: 150 },
  )
})

test('a pool sets the price, and its fees add to those of the buckets', () => {
  const creatorFee = { wallet: fc.sample(anyAddress, 1)[0], feeType: 0, padding: Array(7).fill(0), fee: 1n }
  const { serializer, blank } = officialBuckets.bondingCurveV2
  const bytes = serializer.serialize({
    ...blank,
    creatorFeeAccrued: 30n,
    creatorFeeClaimed: 20n,
    extensions: { ...(blank.extensions as object), creatorFee },
  })
  const decoded = decodeBucketData(bytes)
  if (typeof decoded === 'string') throw new Error(decoded)
  expect(computeFigures(decoded, [decoded]).creatorFees).toBe(30n)
  const pool = { quote: 5n, base: 7n, creatorFees: 4n }
  expect(computeFigures(decoded, [decoded, decoded], pool)).toMatchObject({
    price: { quote: 5n, base: 7n },
    creatorFees: 64n,
  })
})

test('once a launch has graduated, the sale’s price is not the price until the pool is read', () => {
  const decodedOf = (kind: BucketKind, fields: object, bucket: object = {}) => {
    const { serializer, blank } = officialBuckets[kind]
    const given = { ...blank, ...fields, bucket: { ...(blank.bucket as object), ...bucket } }
    const decoded = decodeBucketData(serializer.serialize(given))
    if (typeof decoded === 'string') throw new Error(decoded)
    return decoded
  }
  const sale = decodedOf('presaleV2', { allocationQuoteTokenCap: 500n }, { baseTokenAllocation: 800n })
  const amm = (graduatedBaseTokenAmount: bigint) => decodedOf('raydiumCpmmV2', { graduatedBaseTokenAmount })
  expect(computeFigures(sale, [sale, amm(0n)]).price).toEqual({ quote: 500n, base: 800n })
  expect(computeFigures(sale, [sale, amm(7n)]).price).toBeUndefined()
})

test('any bucket of a sale has figures', () => {
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      const decoded = decodeBucketData(data)
      if (typeof decoded === 'string') throw new Error(decoded)
      fc.pre(kind !== 'raydiumCpmmV2')
      const { progress, sold, supply } = computeFigures(decoded, [decoded])
      expect(sold >= 0n && sold <= supply).toBe(true)
      if (progress !== undefined) expect(progress >= 0 && progress <= 1_000_000).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('the goal is the least that a launch pool must raise or the cap of a presale, and a curve has none', () => {
  const threshold = (amount: bigint) => ({ minimumQuoteTokenThreshold: { amount } })
  expect(figuresOf('launchpoolV2', {}, {}, threshold(250n)).goal).toBe(250n)
  expect(figuresOf('launchpoolV2', {}, {}, threshold(0n)).goal).toBeUndefined()
  expect(figuresOf('launchpoolV2', {}, {}).goal).toBeUndefined()
  expect(figuresOf('presaleV2', { allocationQuoteTokenCap: 500n }, {}).goal).toBe(500n)
  expect(figuresOf('bondingCurveV2', {}, {}).goal).toBeUndefined()
})
