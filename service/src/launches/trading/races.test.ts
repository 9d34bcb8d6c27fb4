import { RENT_SYSVAR } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { beforeEach, expect, test } from 'vitest'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { createMarkets } from './markets.ts'
import { buildSwap } from './swap.ts'
import { buy, refusalOf, SOL, sell, startTestMarket, type TestMarket } from './test-market.ts'

const FEE = 5_000n
let market: TestMarket
beforeEach(() => {
  market = startTestMarket()
})

test('if many buy at once, each pays what they signed and gets at least their limit, or only pays the fee', async () => {
  const { genesis, mint } = market.makeCurve()
  const buyers = Array.from({ length: 8 }, () => market.wallet())
  const built = await Promise.all(
    buyers.map((buyer, at) =>
      market.build(genesis, buy(SOL * BigInt(at + 1)), { wallet: buyer.address, slippageBps: at * 200 }),
    ),
  )
  const outcomes = { filled: 0, refused: 0 }
  for (const [at, { tx, quote }] of built.entries()) {
    const buyer = buyers[at] as (typeof buyers)[0]
    const before = market.lamports(buyer.address)
    const { err } = market.land(tx, buyer)
    const got = market.tokens(buyer.address, mint)
    const paid = before - market.lamports(buyer.address)
    if (err === null) {
      outcomes.filled++
      expect(got).toBeGreaterThanOrEqual(BigInt(quote.minAmountOut))
      expect(paid).toBeLessThanOrEqual(BigInt(quote.amountIn) + rentFor(165) + FEE)
    } else {
      outcomes.refused++
      expect([got, paid]).toEqual([undefined, FEE])
    }
  }
  expect(outcomes.filled).toBeGreaterThan(1)
  expect(outcomes.refused).toBeGreaterThan(1)
})

test('a curve that sells out before a purchase lands takes nothing from the buyer or the payer but the fee', async () => {
  const { genesis, mint } = market.makeCurve({ depositedLamports: 80n * SOL })
  const [buyer, payer, other] = [market.wallet(SOL), market.wallet(), market.wallet()]
  const { tx } = await market.build(genesis, buy(SOL), { wallet: buyer.address, payer: payer.address })
  const all = await market.build(genesis, buy(50n * SOL), { wallet: other.address })
  expect(market.land(all.tx, other).err).toBeNull()
  const funds = market.lamports(payer.address)
  expect(market.land(tx, payer, buyer).err).toMatchObject({ InstructionError: [5, { Custom: 93 }] })
  expect(market.lamports(buyer.address)).toBe(SOL)
  // Two signatures. The rent of both accounts was never paid.
  expect(market.lamports(payer.address)).toBe(funds - 2n * FEE)
  expect(market.tokens(buyer.address, mint)).toBeUndefined()
})

test('a sale whose price falls before it lands fails rather than give less than its limit', async () => {
  const { genesis, mint } = market.makeCurve()
  const [seller, other] = [market.wallet(), market.wallet()]
  market.hold(seller.address, 10n ** 13n, mint)
  market.hold(other.address, 10n ** 14n, mint)
  const { tx, quote } = await market.build(genesis, sell(10n ** 13n), { wallet: seller.address })
  const first = await market.build(genesis, sell(5n * 10n ** 13n), { wallet: other.address })
  expect(market.land(first.tx, other).err).toBeNull()
  const before = market.lamports(seller.address)
  expect(market.land(tx, seller).err).toMatchObject({ InstructionError: [2, { Custom: 87 }] })
  expect(market.lamports(seller.address)).toBe(before - FEE)
  expect(market.tokens(seller.address, mint)).toBe(10n ** 13n)
  expect(BigInt(quote.minAmountOut)).toBeGreaterThan(0n)
})

test('a transaction whose blockhash has expired never lands', async () => {
  const { genesis } = market.makeCurve()
  const buyer = market.wallet()
  const { tx, blockhash } = await market.build(genesis, buy(SOL), { wallet: buyer.address })
  market.advance(151)
  expect(market.chain.clock.slot()).toBeGreaterThan(blockhash.lastValidBlockHeight)
  const before = market.lamports(buyer.address)
  expect(market.land(tx, buyer).err).toBe('BlockhashNotFound')
  expect(market.lamports(buyer.address)).toBe(before)
})

test('a transaction built on an outdated RPC answer still keeps the signed limit', async () => {
  const { genesis, mint } = market.makeCurve()
  const [buyer, other] = [market.wallet(), market.wallet()]
  const old = new Map([...(await oldAccounts(genesis))])
  const markets = createMarkets(
    {
      fetchAccounts: async addresses => {
        const { slot, accounts } = await market.reader.fetchAccounts(addresses)
        return { slot: slot - 20, accounts: accounts.map(account => old.get(account.address) ?? account) }
      },
    },
    'mainnet',
    { slotMs: () => 400 },
  )
  const pump = await market.build(genesis, buy(10n * SOL), { wallet: other.address })
  expect(market.land(pump.tx, other).err).toBeNull()
  const request = { ...buy(SOL), genesis, wallet: buyer.address, priorityFee: 0n, slippageBps: 100 }
  // The node that simulates is up to date, and refuses.
  expect((await refusalOf(buildSwap({ ...market.parts, markets }, request))).code).toBe('PRICE_MOVED')
  // Even if that one is behind too, the chain refuses.
  const rpc = { ...market.parts.rpc, simulate: async () => ({ err: null, logs: [] }) }
  const { tx } = await buildSwap({ ...market.parts, markets, rpc }, request)
  const before = market.lamports(buyer.address)
  expect(market.land(tx, buyer).err).toMatchObject({ InstructionError: [5, { Custom: 87 }] })
  expect(market.lamports(buyer.address)).toBe(before - FEE)
  expect(market.tokens(buyer.address, mint)).toBeUndefined()

  async function oldAccounts(launch: typeof genesis) {
    const { market: read } = await market.parts.markets.read(launch, () => [])
    const { accounts } = await market.reader.fetchAccounts(read.buckets.map(({ address }) => address))
    return accounts.map(account => [account.address, account] as const)
  }
})

test('if a wrapped account is closed after building, the sale fails, and the payer pays no rent for it', async () => {
  const { genesis, mint } = market.makeCurve()
  const [seller, payer] = [market.wallet(SOL), market.wallet()]
  market.hold(seller.address, 10n ** 12n, mint)
  market.hold(seller.address, 0n)
  const { tx } = await market.build(genesis, sell(10n ** 12n), {
    wallet: seller.address,
    payer: payer.address,
  })
  market.changeAccount(market.tokenAccount(seller.address), account => ({
    ...account,
    lamports: 0n,
    data: new Uint8Array(),
  }))
  const funds = market.lamports(payer.address)
  expect(market.land(tx, payer, seller).err).not.toBeNull()
  expect(market.lamports(payer.address)).toBe(funds - 2n * FEE)
})

test('a wrapped account that appears after building is emptied to its owner, and the payer loses nothing', async () => {
  const { genesis } = market.makeCurve()
  const [buyer, payer] = [market.wallet(SOL), market.wallet()]
  const { tx } = await market.build(genesis, buy(SOL), { wallet: buyer.address, payer: payer.address })
  market.hold(buyer.address, 4n * SOL)
  const funds = market.lamports(payer.address)
  expect(market.land(tx, payer, buyer).err).toBeNull()
  expect(market.lamports(buyer.address)).toBe(4n * SOL)
  expect(market.lamports(payer.address)).toBeGreaterThanOrEqual(funds - rentFor(165) - 2n * FEE)
})

test('rent that falls after building costs the payer nothing, and what is built then returns exactly what it opens', async () => {
  const { genesis } = market.makeCurve()
  const [buyer, payer] = [market.wallet(2n * SOL), market.wallet()]
  const build = (amount: bigint) =>
    market.build(genesis, buy(amount), { wallet: buyer.address, payer: payer.address })
  const { rentPerByte } = market.chain.conditions
  const early = await build(SOL / 2n)
  market.chain.setRentPerByte(rentPerByte / 2n)
  const rent = market.rent(165)
  const [funds, own] = [market.lamports(payer.address), market.lamports(buyer.address)]
  expect(market.land(early.tx, payer, buyer).err).toBeNull()
  expect(market.lamports(payer.address)).toBeGreaterThanOrEqual(funds - 2n * rent - 2n * FEE)
  expect(own - market.lamports(buyer.address)).toBeLessThanOrEqual(SOL / 2n + 2n * rent)
  const before = market.lamports(payer.address)
  const { tx, costs } = await build(SOL / 4n)
  expect(costs.payer).toMatchObject({ rentsNow: '0', rentsMax: `${2n * rent}` })
  expect(market.land(tx, payer, buyer).err).toBeNull()
  expect(market.lamports(payer.address)).toBe(before - 2n * FEE)
})

test('rent is what the sysvar says, even if it charges by the byte and has no threshold', async () => {
  const { genesis } = market.makeCurve()
  const [buyer, payer] = [market.wallet(SOL), market.wallet()]
  const markets = createMarkets(
    {
      async fetchAccounts(addresses) {
        const { slot, accounts } = await market.reader.fetchAccounts(addresses)
        return {
          slot,
          accounts: accounts.map(one => (one.address === RENT_SYSVAR ? withoutThreshold(one) : one)),
        }
      },
    },
    'mainnet',
    { slotMs: () => 400 },
  )
  const request = { ...buy(SOL / 2n), genesis, wallet: buyer.address, payer: payer.address, priorityFee: 0n }
  const { tx, costs } = await buildSwap({ ...market.parts, markets }, request)
  expect(costs.payer.rentsMax).toBe(`${2n * market.rent(165)}`)
  const funds = market.lamports(payer.address)
  expect(market.land(tx, payer, buyer).err).toBeNull()
  expect(market.lamports(payer.address)).toBe(funds - market.rent(165) - 2n * FEE)
})

function withoutThreshold(account: ChainAccount): ChainAccount {
  if (!account.exists) throw new Error('no sysvar')
  const data = Uint8Array.from(account.data)
  new DataView(data.buffer).setFloat64(8, 0, true)
  return { ...account, data }
}
