import { findObservationStatePda } from '@metaplex-foundation/genesis'
import { poolStateAddress } from '@slipway/launch-model/addresses'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { RAYDIUM_PROGRAMS } from '@slipway/launch-model/programs'
import { computeLimitOf } from '@slipway/launch-model/trade/plan-swap'
import { poolConfigs } from '@slipway/local-chain/programs/raydium/configs'
import { umi } from '@slipway/local-chain/programs/umi-context'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import fc from 'fast-check'
import { expect } from 'vitest'
import { isEndurance } from '../../testing/endurance.ts'
import { tradesOnChain } from '../../testing/landed-trades.ts'
import { buy, SOL, sell, startTestMarket, tradeOf } from './test-market.ts'

const RAYDIUM = RAYDIUM_PROGRAMS.mainnet
const SWAPS = isEndurance ? 1_000 : 100
/** The first bytes of `sha256("account:ObservationState")`. */
const OBSERVATION_STATE = [122, 174, 197, 53, 129, 9, 165, 132]

/** A chain on which Raydium's program, and Core for agents, are the real ones. Genesis has graduated the launch. */
function startRealPool() {
  const market = startTestMarket({ programs: readPrograms('Raydium', 'MPL Core') })
  market.chain.writeAccounts(poolConfigs(RAYDIUM))
  // The public program predates creator fees, so the pool has none.
  const launch = market.makeCurve({
    depositedLamports: 85n * SOL,
    amm: { graduatedAt: 999_999_000, accrued: 0n, claimed: 0n },
    behaviorsDone: true,
    creatorWallet: undefined as never,
  })
  const pool = poolStateAddress(launch.amm)
  const [observation] = findObservationStatePda(umi, RAYDIUM as never, pool as never)
  const data = new Uint8Array(4_075)
  data.set(OBSERVATION_STATE)
  data.set(addressBytes(pool), 11)
  const lamports = market.rent(data.length)
  market.chain.writeAccounts(
    new Map([[observation as never, { lamports, owner: RAYDIUM, data, executable: false }]]),
  )
  return { market, ...launch }
}

const aTrade = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  share: fc.bigInt(1n, 1_000_000n),
  mode: fc.constantFrom('in' as const, 'in' as const, 'out' as const),
})

testRealPrograms(
  'random trades in a pool of the real Raydium program move exactly what was quoted',
  async () => {
    const { market, genesis, mint, amm } = startRealPool()
    const trades: object[] = []
    const wallet = market.wallet(1_000_000n * SOL)
    const first = await market.build(genesis, buy(SOL), { wallet: wallet.address })
    expect(market.land(first.tx, wallet)).toMatchObject({ err: null })
    const done = { buy: 0, sell: 0 }
    for (const { side, share, mode } of fc.sample(aTrade, { numRuns: SWAPS, seed: 31 })) {
      const held = market.tokens(wallet.address, mint) ?? 0n
      const most =
        side === 'buy' ? (mode === 'in' ? 50n * SOL : 10n ** 13n) : mode === 'in' ? held : SOL / 10n
      // From a millionth of it to all of it, most often little.
      const amount = 1_000n + (most * share * share) / 1_100_000_000_000n
      if (side === 'sell' && amount > held) continue
      const before = { lamports: market.lamports(wallet.address), tokens: held }
      const built = await market
        .build(genesis, { side, mode, amount }, { wallet: wallet.address, slippageBps: 0 })
        .catch(error => {
          expect(['AMOUNT_TOO_SMALL', 'INSUFFICIENT_BALANCE']).toContain(error.code)
          return undefined
        })
      if (!built) continue
      const { quote } = built
      expect(market.land(built.tx, wallet)).toMatchObject({ err: null })
      done[side]++
      trades.push({ ...tradeOf(quote), wallet: wallet.address })
      const sign = side === 'buy' ? 1n : -1n
      const [quoteMoved, baseMoved] =
        side === 'buy' ? [quote.amountIn, quote.amountOut] : [quote.amountOut, quote.amountIn]
      expect(market.tokens(wallet.address, mint)).toBe(before.tokens + sign * BigInt(baseMoved))
      expect(market.lamports(wallet.address)).toBe(before.lamports - sign * BigInt(quoteMoved) - 5_000n)
    }
    const [, ...landed] = tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })
    expect(landed).toMatchObject(trades)
    expect(Math.min(done.buy, done.sell)).toBeGreaterThan(SWAPS / 4)
  },
  { programs: ['Raydium', 'MPL Core'] },
)

testRealPrograms(
  'trades in a pool by wallets and agents use less than half of their compute limit',
  async () => {
    const { market, genesis, mint } = startRealPool()
    const most = { wallet: 0, agent: 0 }
    for (let count = 0; count < 6; count++) {
      const [owner, payer] = [market.wallet(), market.wallet()]
      const agent = await market.makeAgent(owner.address, { inCollection: count % 2 === 0 })
      if (count >= 4) market.hold(agent.wallet, 5n * SOL)
      if (count >= 4) market.hold(owner.address, 5n * SOL)
      for (const by of ['wallet', 'agent'] as const) {
        const trader = by === 'agent' ? agent.wallet : owner.address
        const more = by === 'agent' ? { agent: agent.address } : count < 2 ? { payer: payer.address } : {}
        const signers = 'payer' in more ? [payer, owner] : [owner]
        const bought = await market.build(genesis, buy(SOL), { wallet: owner.address, ...more })
        const first = market.land(bought.tx, ...signers)
        const tokens = market.tokens(trader, mint) ?? 0n
        const sold = await market.build(genesis, sell(tokens), { wallet: owner.address, ...more })
        const second = market.land(sold.tx, ...signers)
        expect([first.err, second.err]).toEqual([null, null])
        most[by] = Math.max(most[by], first.units, second.units)
      }
    }
    const limitOf = (isAgent: boolean) => computeLimitOf({ at: { pool: {} as never }, isAgent })
    for (const by of ['wallet', 'agent'] as const) {
      const needed = 2 * most[by] + TOKEN_UNITS + GUARD_UNITS
      expect([by, most[by], needed <= limitOf(by === 'agent')]).toEqual([by, most[by], true])
    }
  },
  { programs: ['Raydium', 'MPL Core'] },
)
/** The token program of these chains is cheaper than that of others: 10,000 for each of at most eight instructions. */
const TOKEN_UNITS = 80_000
const GUARD_UNITS = 50_000
