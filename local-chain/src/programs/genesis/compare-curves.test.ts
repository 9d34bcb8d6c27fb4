import {
  type BondingCurveBucketV2,
  createTriggeredCondition,
  getSwapResult,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import { asError, tokenTransfers } from '../../testing/compare-steps.ts'
import {
  type Curve,
  type CurveMarket,
  holdings,
  type Order,
  oldCurve,
  readCurve,
  startWrittenMarket,
  writeCurve,
} from '../../testing/curve-market.ts'
import { februaryQuote, startFebruaryMarket } from '../../testing/february-market.ts'
import { BEGINNING } from '../../testing/launch-pool.ts'
import { always, CURVE_NUMBERS } from '../../testing/launches.ts'
import { testRealPrograms } from '../../testing/real-programs.ts'
import { custom } from '../../testing/umi-wallet.ts'

const { Buy, Sell } = SwapDirection
const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_000 }
/** A trader with 500 wrapped SOL, one with 500 units of it, and one without token accounts. */
const [RICH, POOR, NEW] = [3, 4, 5]

testRealPrograms(
  'trades on a curve match the real Genesis program of March 2026, refusals included',
  async () => {
    const markets = [await startWrittenMarket('stand-in'), await startWrittenMarket('March')] as const
    for (const market of markets) writeCurve(market, oldCurve(market, TIMES))
    await compare(markets)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

// Only this binary creates curves. When it fills an order partly, it computes its fee as that version's client does.
testRealPrograms(
  'trades on a curve match the real Genesis program of February 2026, which created it',
  async () => {
    const markets = [await startWrittenMarket('stand-in'), await startFebruaryMarket(TIMES)] as const
    const [standIn, february] = markets
    writeCurve(standIn, oldCurve(standIn, TIMES))
    const { swapStartCondition, swapEndCondition, ...written } = oldCurve(standIn, TIMES)
    expect(readCurve(february)).toMatchObject(written)
    await compare(markets, (curve, order) => februaryQuote(curve, order).fee)
  },
  { programs: ['Genesis of February 2026', 'Token Metadata'] },
)

testRealPrograms(
  'a `Triggered` end closes a curve once it is recorded, which the program of March 2026 never does itself',
  async () => {
    for (const version of ['stand-in', 'March'] as const) {
      const market = await startWrittenMarket(version)
      const end = (triggeredTimestamp: bigint | null) => ({
        ...oldCurve(market, TIMES),
        swapStartCondition: always(),
        swapEndCondition: { ...createTriggeredCondition(), triggeredTimestamp },
      })
      writeCurve(market, end(null) as never)
      expect((await market.send(market.wrapSol(RICH, 500_000_000_000n))).err).toBeNull()
      expect((await market.send(market.swap({ direction: Buy, amount: 300_000_000_000n }))).err).toBeNull()
      const sale = market.swap({ direction: Sell, amount: 1_000_000n })
      expect((await market.send(sale)).err).toEqual(version === 'March' ? null : custom(91))
      writeCurve(market, end(BigInt(BEGINNING)) as never)
      for (const direction of [Buy, Sell]) {
        const { err } = await market.send(market.swap({ direction, amount: 2_000_000n }))
        expect(err).toEqual(custom(direction === Buy ? 91 : 93))
      }
    }
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

type Step = {
  readonly name: string
  readonly order: (market: CurveMarket) => Order
  /** The expected refusal: an error code of Genesis or the token program, or Solana's own name for it. */
  readonly error?: number | string | null
  readonly at?: number
  /** The order is for more than the curve has left. */
  readonly partial?: boolean
}

async function compare(
  markets: readonly [CurveMarket, CurveMarket],
  feeOfPartialFill?: (curve: Curve, order: Order) => bigint,
): Promise<void> {
  for (const market of markets) {
    for (const [number, amount] of [
      [RICH, 500_000_000_000n],
      [POOR, 500n],
    ] as const)
      expect((await market.send(market.wrapSol(number, amount))).err).toBeNull()
  }
  for (const { name, order, error, at, partial } of steps()) {
    const results: (ReturnType<typeof changes> & { name: string; err: unknown; transfers: unknown })[] = []
    for (const market of markets) {
      if (at !== undefined) market.advanceTo(at)
      const [before, curve, placed] = [holdings(market), readCurve(market), order(market)]
      const ran = await market.send(market.swap(placed))
      const { err } = ran
      const change = changes(before, holdings(market))
      if (partial && feeOfPartialFill && market === markets[1]) {
        expect(change.fee).toBe(feeOfPartialFill(curve, placed))
        results.push({ ...change, name, err, fee: results[0]?.fee ?? 0n, transfers: results[0]?.transfers })
      } else results.push({ ...change, name, err, transfers: tokenTransfers(ran) })
    }
    expect(results[0]).toEqual(results[1])
    expect(results[1], name).toMatchObject({ err: asError(error ?? null) })
  }
}

/** What the trader paid before the fee, and everything else that a trade moves. */
function changes(before: ReturnType<typeof holdings>, after: ReturnType<typeof holdings>) {
  const fee = after.fees - before.fees
  const [quote, base] = [0, 1].map(at => (after.trader[at] ?? 0n) - (before.trader[at] ?? 0n))
  const { quoteTokenDepositTotal, balances, held } = after
  return { fee, quote: (quote ?? 0n) + fee, base, quoteTokenDepositTotal, balances, held }
}

function steps(): Step[] {
  const buy = (amount: bigint, more: Partial<Order> = {}): Order => ({ direction: Buy, amount, ...more })
  const sell = (amount: bigint, more: Partial<Order> = {}): Order => ({ direction: Sell, amount, ...more })
  const quoted = (market: CurveMarket, { direction, amount }: Order) =>
    getSwapResult(readCurve(market) as BondingCurveBucketV2, amount, direction).amountOut
  const atLeast = (order: Order, more: bigint) => (market: CurveMarket) => ({
    ...order,
    minimum: quoted(market, order) + more,
  })
  return [
    { name: 'too early', order: () => buy(1_000_000n), error: 90 },
    { name: 'nothing, and too early', order: () => buy(0n), error: 86 },
    { name: 'too early for a poor wallet', order: () => buy(1_000_000n, { by: POOR }), error: 1 },
    { name: 'too early for a wallet without accounts', order: () => buy(1_000_000n, { by: NEW }), error: 1 },
    { name: 'minimum, and too early', order: () => buy(1_000_000n, { minimum: 2n ** 62n }), error: 87 },
    { name: 'nothing to sell to, and too early', order: () => sell(1n), error: 93 },
    { name: 'first second', order: () => buy(1_000_000_000n), at: TIMES.start },
    { name: 'small', order: () => buy(1_000n) },
    { name: 'below the minimum', order: atLeast(buy(7_777_777_777n), 1n), error: 87 },
    { name: 'at the minimum', order: atLeast(buy(7_777_777_777n), 0n) },
    { name: 'sale below the minimum', order: atLeast(sell(33_333_333_333n), 1n), error: 87 },
    { name: 'sale at the minimum', order: atLeast(sell(33_333_333_333n), 0n) },
    { name: 'sale of one', order: () => sell(1n) },
    { name: 'sale of nothing', order: () => sell(0n), error: 86 },
    { name: 'sale of what a wallet lacks', order: () => sell(1_000_000n, { by: POOR }), error: 1 },
    { name: 'sale by a wallet without accounts', order: () => sell(1_000_000n, { by: NEW }), error: 1 },
    {
      name: 'fee elsewhere',
      order: market =>
        buy(1_000_000n, {
          accounts: { feeQuoteTokenAccount: market.tokenAccount(market.depositor(RICH).publicKey) },
        }),
      error: 18,
    },
    {
      name: "another's money",
      order: market =>
        buy(1_000_000n, {
          by: POOR,
          accounts: { quoteTokenAccount: market.tokenAccount(market.depositor(RICH).publicKey) },
        }),
      error: 'MissingAccount',
    },
    { name: 'more than is left, below the minimum', order: atLeast(buy(300_000_000_000n), 1n), error: 87 },
    { name: 'more than is left', order: atLeast(buy(300_000_000_000n), 0n), partial: true },
    { name: 'sold out', order: () => buy(1_000_000n), error: 93 },
    { name: 'sold out for a poor wallet', order: () => buy(1_000_000n, { by: POOR }), error: 93 },
    { name: 'sale after it was sold out', order: () => sell(CURVE_NUMBERS.onCurve / 3n) },
    { name: 'purchase of what was sold back', order: () => buy(1_000_000_000n) },
    { name: 'last second', order: () => buy(1_000_000_000n), at: TIMES.end - 1 },
    { name: 'too late', order: () => buy(1_000_000_000n), error: 91, at: TIMES.end },
    { name: 'sale too late', order: () => sell(1_000_000_000n), error: 91 },
    { name: 'too late for a poor wallet', order: () => sell(1_000_000n, { by: POOR }), error: 1 },
    { name: 'nothing, and too late', order: () => sell(0n), error: 86 },
  ]
}
