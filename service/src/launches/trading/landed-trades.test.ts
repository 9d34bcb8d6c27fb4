import { expect, test } from 'vitest'
import { tradesOnChain } from '../../testing/landed-trades.ts'
import { buy, SOL, sell, startTestMarket, tradeOf } from './test-market.ts'

const GRADUATED = {
  depositedLamports: 85n * SOL,
  amm: { graduatedAt: 999_999_000, accrued: 0n, claimed: 0n },
  behaviorsDone: true,
}

test.each(['curve', 'pool'] as const)(
  'trades on a %s are read from their transactions as they were quoted: by wallets, with another payer and by agents',
  async venue => {
    const market = startTestMarket()
    const { genesis, mint, amm } = market.makeCurve(venue === 'pool' ? GRADUATED : {})
    const [wallet, payer] = [market.wallet(), market.wallet()]
    const agent = await market.makeAgent(wallet.address)
    const expected: object[] = []
    for (const [more, trader, signers] of [
      [{}, wallet.address, [wallet]],
      [{ payer: payer.address }, wallet.address, [payer, wallet]],
      [{ agent: agent.address }, agent.wallet, [wallet]],
    ] as const) {
      for (const side of ['buy', 'sell'] as const) {
        const order = side === 'buy' ? buy(SOL) : sell((market.tokens(trader, mint) ?? 0n) / 2n)
        const { tx, quote } = await market.build(genesis, order, { wallet: wallet.address, ...more })
        expect(market.land(tx, ...signers)).toMatchObject({ err: null })
        const fees =
          venue === 'curve' || side === 'buy'
            ? { creatorFee: BigInt(quote.fees.creator), poolFee: BigInt(quote.fees.pool) }
            : {}
        expected.push({
          ...tradeOf(quote),
          ...fees,
          wallet: trader,
          agent: 'agent' in more ? agent.address : null,
        })
      }
    }
    const trades = tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })
    expect(trades).toMatchObject(expected)
    for (const { baseAmount, quoteAmount, creatorFee, poolFee } of trades) {
      expect(creatorFee).toBeGreaterThan(0n)
      // The fees of a sale in a pool are taken in base tokens, and are valued at its price.
      if (venue === 'pool') expect(Number(poolFee) / Number(quoteAmount)).toBeCloseTo(0.0025, 3)
      expect(baseAmount).toBeGreaterThan(0n)
    }
  },
)

test("even a tiny sale in a pool is recognized by the pool's fee", async () => {
  const market = startTestMarket()
  const { genesis, mint, amm } = market.makeCurve(GRADUATED)
  const wallet = market.wallet()
  for (const order of [buy(SOL), sell(20_000n)]) {
    const { tx } = await market.build(genesis, order, { wallet: wallet.address })
    expect(market.land(tx, wallet)).toMatchObject({ err: null })
  }
  const [, sold] = tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })
  expect(sold?.quoteAmount).toBeLessThan(400n)
  expect(sold?.poolFee).toBe(1n)
})

test('a trade that takes the rest of a curve has the amounts that really moved', async () => {
  const market = startTestMarket()
  const { genesis, mint, amm } = market.makeCurve()
  const wallet = market.wallet(1_000n * SOL)
  const { tx, quote } = await market.build(genesis, buy(500n * SOL), { wallet: wallet.address })
  expect(quote.partial).toBe(true)
  expect(market.land(tx, wallet)).toMatchObject({ err: null })
  const [trade] = tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })
  expect(trade).toMatchObject(tradeOf(quote))
  expect(trade?.quoteAmount).toBeLessThan(100n * SOL)
})

test('a failed transaction is not a trade, even if it contains transfers', async () => {
  const market = startTestMarket()
  const { genesis, mint, amm } = market.makeCurve()
  const [wallet, other] = [market.wallet(), market.wallet()]
  const more = { slippageBps: 0 }
  const first = await market.build(genesis, buy(SOL), { wallet: wallet.address, ...more })
  const second = await market.build(genesis, buy(SOL), { wallet: other.address, ...more })
  expect(market.land(first.tx, wallet)).toMatchObject({ err: null })
  expect(market.land(second.tx, other).err).not.toBeNull()
  const trades = tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })
  expect(trades.map(trade => trade.wallet)).toEqual([wallet.address])
})
