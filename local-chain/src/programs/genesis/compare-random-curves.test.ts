import { type BondingCurveBucketV2, getSwapResult, SwapDirection } from '@metaplex-foundation/genesis'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  holdings,
  oldCurve,
  readCurve,
  startWrittenMarket,
  writeCurve,
  writeHoldings,
} from '../../testing/curve-market.ts'
import { BEGINNING } from '../../testing/launch-pool.ts'
import { testRealPrograms } from '../../testing/real-programs.ts'

const { Buy, Sell } = SwapDirection
const TRADER = 3
const OPEN = { start: BEGINNING, end: BEGINNING + 1_000_000 }

const aTrade = fc.record({
  curve: fc.record({
    virtualSol: fc.bigInt(1n, 10n ** 12n),
    virtualTokens: fc.bigInt(1n, 10n ** 15n),
    allocation: fc.bigInt(1n, 7n * 10n ** 14n),
    soldBps: fc.bigInt(0n, 10_000n),
    deposits: fc.bigInt(0n, 10n ** 12n),
  }),
  direction: fc.constantFrom(Buy, Sell),
  // The stand-in has a minimum purchase, which the March program did not have.
  amount: fc.oneof(fc.bigInt(1_000n, 10n ** 15n), fc.bigInt(1_000n, 10n ** 6n)),
  holdings: fc.record({ quote: fc.bigInt(0n, 10n ** 14n), base: fc.bigInt(0n, 10n ** 15n) }),
  slippage: fc.constantFrom(undefined, 0n, 1n, -1n),
})

testRealPrograms(
  'random trades on random curves end as on the real Genesis program, and move what the official client quotes',
  async () => {
    const markets = [await startWrittenMarket('stand-in'), await startWrittenMarket('March')] as const
    const seen = { filled: 0, limited: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(aTrade, async ({ curve: random, direction, amount, slippage, ...trader }) => {
        const results = []
        for (const market of markets) {
          const { virtualSol, virtualTokens, allocation, soldBps, deposits } = random
          const blank = oldCurve(market, OPEN)
          writeCurve(market, {
            ...blank,
            quoteTokenDepositTotal: deposits,
            constantProductParams: { virtualSol, virtualTokens },
            bucket: {
              ...blank.bucket,
              baseTokenAllocation: allocation,
              baseTokenBalance: (allocation * (10_000n - soldBps)) / 10_000n,
              quoteTokenBalance: deposits,
            },
          })
          writeHoldings(market, TRADER, trader.holdings)
          const curve = readCurve(market) as BondingCurveBucketV2
          const empty = (direction === Buy ? curve.bucket.baseTokenBalance : deposits) === 0n
          const quote = empty ? undefined : getSwapResult(curve, amount, direction)
          const minimum = slippage === undefined || !quote ? 0n : quote.amountOut + slippage
          const order = { direction, amount, minimum: minimum < 0n ? 0n : minimum }
          const { err } = await market.send(market.swap(order))
          const { fees, ...after } = holdings(market)
          results.push({ err, ...after })
          if (market !== markets[1]) continue
          seen[err !== null ? 'refused' : quote?.amountIn === amount ? 'filled' : 'limited']++
          if (err !== null || !quote) continue
          const { quote: money, base } = trader.holdings
          const [paid, got] = [money - (after.trader[0] ?? 0n), (after.trader[1] ?? 0n) - base]
          // The client quotes a fee of at least one unit; the program rounds it down to none.
          if (quote.fee > 1n)
            expect(direction === Buy ? [paid, got] : [-got, -paid]).toEqual([quote.amountIn, quote.amountOut])
        }
        expect(results[0]).toEqual(results[1])
      }),
      { numRuns: 80 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)
