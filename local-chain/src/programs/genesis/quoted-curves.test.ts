import { SwapDirection } from '@metaplex-foundation/genesis'
import { encodeCall, READONLY_SIGNER } from '@slipway/launch-model/call'
import { swapOnCurveCall } from '@slipway/launch-model/calls/trades'
import { bondingCurve } from '@slipway/launch-model/kinds/bonding-curve'
import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import { quoteOnCurve } from '@slipway/launch-model/trade/curve'
import type { Order, Trade } from '@slipway/launch-model/trade/trade'
import fc from 'fast-check'
import { expect } from 'vitest'
import { TOKEN_PROGRAM } from '../../ledger/account.ts'
import { createKeypair, createTransaction } from '../../ledger/keypair.ts'
import {
  type CurveMarket,
  holdings,
  oldCurve,
  readCurve,
  startWrittenMarket,
  writeCurve,
  writeHoldings,
} from '../../testing/curve-market.ts'
import { februaryQuote, startFebruaryMarket } from '../../testing/february-market.ts'
import { BEGINNING } from '../../testing/launch-pool.ts'
import { testRealPrograms } from '../../testing/real-programs.ts'
import { buildTokenAccount } from '../../testing/token-accounts.ts'
import { asAddress } from '../../testing/umi-wallet.ts'
import type { Instruction } from '../stand-in.ts'
import { readTerms } from './checks.ts'

const TRADER = 3
const TRADER_KEY = createKeypair(new Uint8Array(32).fill(TRADER))
const OPEN = { start: BEGINNING, end: BEGINNING + 1_000_000 }
/** A thousand take a minute each if the machine is busy. */
const SWAPS = process.env.ENDURANCE ? 1_000 : 100

const aSwap = fc.record({
  curve: fc.record({
    virtualSol: fc.bigInt(1n, 10n ** 12n),
    virtualTokens: fc.bigInt(1n, 10n ** 15n),
    allocation: fc.bigInt(1n, 7n * 10n ** 14n),
    soldBps: fc.bigInt(0n, 10_000n),
    deposits: fc.bigInt(0n, 10n ** 12n),
  }),
  side: fc.constantFrom<Order['side']>('buy', 'sell'),
  // Fees below one unit and amounts beyond the curve included.
  amount: fc.oneof(fc.bigInt(1_000n, 10n ** 14n), fc.bigInt(1_000n, 10n ** 6n)),
})
type Swap = typeof aSwap extends fc.Arbitrary<infer T> ? T : never

/** The curve as the service reads it. */
const curveOn = (market: CurveMarket) =>
  readTerms({ read: market.chain.account } as never, { address: market.launch.curve } as never, bondingCurve)

/** Until client 0.23, one wallet owned both token accounts of a trade, so the instruction had one account fewer. */
const toOldProgram = (
  { program, accounts, data }: ReturnType<typeof encodeCall>,
  number: number,
): Instruction => ({
  program,
  data: Uint8Array.of(number, ...data.subarray(1)),
  accounts: accounts
    .filter((_, index) => index !== BASE_TOKEN_OWNER)
    .map(({ address, role }) => ({ address, isSigner: role >= READONLY_SIGNER, isWritable: role % 2 === 1 })),
})
const BASE_TOKEN_OWNER = 10
/** The number of the instruction, and the one that it had in February 2026. */
const SWAP = 65
const SWAP_IN_FEBRUARY = 62

/** Gives the launch all tokens that a curve may sell. */
function refill({ chain, launch, tokenAccount }: CurveMarket): void {
  const [owner, mint] = [asAddress(launch.genesisAccount), asAddress(launch.mint)]
  const account = buildTokenAccount(mint, owner, 10n ** 16n, chain.vm.rentExemptMinimum)
  chain.writeAccounts(new Map([[asAddress(tokenAccount(launch.genesisAccount, launch.mint)), account]]))
}

/** Carries out what was quoted, with exactly that as the limit, and returns what the trader paid and got. */
async function carryOut(
  market: CurveMarket,
  side: Order['side'],
  trade: Pick<Trade, 'amountOut'>,
  amount: bigint,
  number = SWAP,
) {
  const held = { quote: 10n ** 16n, base: 10n ** 16n }
  writeHoldings(market, TRADER, held)
  const { chain, launch } = market
  const wSol = { mint: WRAPPED_SOL, program: TOKEN_PROGRAM }
  const call = swapOnCurveCall(
    { base: { mint: asAddress(launch.mint), program: TOKEN_PROGRAM }, quote: wSol },
    { genesis: asAddress(launch.genesisAccount), curve: asAddress(launch.curve) },
    { payer: TRADER_KEY.address, trader: TRADER_KEY.address },
    { side, amountIn: amount, amountOutMin: trade.amountOut },
  )
  const blockhash = chain.clock.blockhash(chain.clock.slot())
  const { err, logs } = chain.submit(
    createTransaction([TRADER_KEY], [toOldProgram(encodeCall(call), number)], blockhash),
  )
  market.advance(1)
  if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
  const [quote = 0n, base = 0n] = holdings(market, TRADER).trader
  const [paid, got] =
    side === 'buy' ? [held.quote - quote, base - held.base] : [held.base - base, quote - held.quote]
  return { paid, got }
}

testRealPrograms(
  'random trades on the Genesis program of March 2026 move exactly what was quoted',
  async () => {
    const market = await startWrittenMarket('March')
    market.chain.mint(TRADER_KEY.address, 10n ** 12n)
    const seen = { whole: 0, partial: 0, refused: 0, tiny: 0 }
    let done = 0
    for (const { curve: random, side, amount } of samples(SWAPS * 2)) {
      if (done === SWAPS) break
      const blank = oldCurve(market, OPEN)
      writeCurve(market, {
        ...blank,
        quoteTokenDepositTotal: random.deposits,
        constantProductParams: { virtualSol: random.virtualSol, virtualTokens: random.virtualTokens },
        bucket: {
          ...blank.bucket,
          baseTokenAllocation: random.allocation,
          baseTokenBalance: (random.allocation * (10_000n - random.soldBps)) / 10_000n,
          quoteTokenBalance: random.deposits,
        },
      })
      refill(market)
      const trade = quoteOnCurve(curveOn(market), { side, mode: 'in', amount })
      if (typeof trade === 'string') {
        seen.refused++
        continue
      }
      done++
      seen[trade.partial ? 'partial' : 'whole']++
      if (trade.fees.protocol === 0n) seen.tiny++
      expect(await carryOut(market, side, trade, trade.amountIn)).toEqual({
        paid: trade.amountIn,
        got: trade.amountOut,
      })
    }
    expect(done).toBe(SWAPS)
    expect(Math.min(seen.whole, seen.partial, seen.refused, seen.tiny)).toBeGreaterThan(5)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

// It computes its fee differently when an order takes the last tokens, so those are left to its own client.
testRealPrograms(
  'random trades on a curve that the Genesis program of February 2026 created move exactly what was quoted',
  async () => {
    const market = await startFebruaryMarket(OPEN)
    market.chain.mint(TRADER_KEY.address, 10n ** 12n)
    const seen = { buy: 0, sell: 0, partial: 0 }
    for (const { side: wanted, amount: random } of samples(SWAPS)) {
      const sold = readCurve(market).quoteTokenDepositTotal
      // Sells as much as it buys, so that the curve stays in between.
      const side = sold === 0n ? 'buy' : wanted
      const amount = side === 'buy' ? 1_000n + (random % 20_000_000_000n) : 1n + (random % 10n ** 14n)
      const trade = quoteOnCurve(curveOn(market), { side, mode: 'in', amount })
      if (typeof trade === 'string') continue
      if (trade.partial) {
        const direction = side === 'buy' ? SwapDirection.Buy : SwapDirection.Sell
        const own = februaryQuote(readCurve(market), { direction, amount })
        expect(await carryOut(market, side, own, amount, SWAP_IN_FEBRUARY)).toEqual({
          paid: own.amountIn,
          got: own.amountOut,
        })
        seen.partial++
        continue
      }
      expect(await carryOut(market, side, trade, trade.amountIn, SWAP_IN_FEBRUARY)).toEqual({
        paid: trade.amountIn,
        got: trade.amountOut,
      })
      seen[side]++
    }
    expect(seen.buy + seen.sell).toBeGreaterThan(SWAPS * 0.5)
    expect(Math.min(seen.buy, seen.sell)).toBeGreaterThan(SWAPS * 0.1)
  },
  { programs: ['Genesis of February 2026', 'Token Metadata'] },
)

/** The same every time, so that a failure can be repeated. */
const samples = (count: number): Swap[] => fc.sample(aSwap, { numRuns: count, seed: 31 })
