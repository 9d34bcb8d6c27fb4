import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM } from '@slipway/launch-model/programs'
import type { Order } from '@slipway/launch-model/trade/trade'
import { rentFor } from '@slipway/local-chain/conditions'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { formatSol } from '../../lib/format-units.ts'
import { buildSwap, type SwapRequest } from './swap.ts'
import { buy, refusalOf, SOL, sell, startTestMarket, type TestMarket } from './test-market.ts'

const FEE = 5_000n
const RENT = rentFor(165)
const RENT_2022 = rentFor(170)
let market: TestMarket
beforeEach(() => {
  market = startTestMarket()
})

test('a purchase moves what was quoted, to the unit, and leaves no wrapped account behind', async () => {
  const { genesis, mint } = market.makeCurve()
  const wallet = market.wallet()
  const before = market.lamports(wallet.address)
  const { tx, quote } = await market.build(genesis, buy(SOL), { wallet: wallet.address })
  expect(market.land(tx, wallet)).toMatchObject({ err: null })
  expect(market.tokens(wallet.address, mint)).toBe(BigInt(quote.amountOut))
  expect(market.tokens(wallet.address)).toBeUndefined()
  expect(market.lamports(wallet.address)).toBe(before - BigInt(quote.amountIn) - RENT - FEE)
})

test('a sale moves what was quoted, to the unit, and pays native currency', async () => {
  const { genesis, mint } = market.makeCurve()
  const wallet = market.wallet()
  market.hold(wallet.address, 9_000_000_000_000n, mint)
  const before = market.lamports(wallet.address)
  const { tx, quote } = await market.build(genesis, sell(5_000_000_000_000n), { wallet: wallet.address })
  expect(market.land(tx, wallet)).toMatchObject({ err: null })
  expect(market.tokens(wallet.address, mint)).toBe(4_000_000_000_000n)
  expect(market.lamports(wallet.address)).toBe(before + BigInt(quote.amountOut) - FEE)
  expect(market.tokens(wallet.address)).toBeUndefined()
})

test('a wrapped account that existed before holds the same afterwards', async () => {
  const { genesis, mint } = market.makeCurve()
  for (const wrapped of [0n, 3n * SOL]) {
    const wallet = market.wallet()
    market.hold(wallet.address, wrapped)
    const before = market.lamports(wallet.address)
    const bought = await market.build(genesis, buy(SOL), { wallet: wallet.address })
    expect(market.land(bought.tx, wallet).err).toBeNull()
    const tokens = market.tokens(wallet.address, mint) ?? 0n
    const sold = await market.build(genesis, sell(tokens), { wallet: wallet.address })
    expect(market.land(sold.tx, wallet).err).toBeNull()
    expect(market.tokens(wallet.address)).toBe(wrapped)
    // Nothing but the trades, two fees, and the rent of the account for the tokens.
    const change = BigInt(sold.quote.amountOut) - BigInt(bought.quote.amountIn)
    expect(market.lamports(wallet.address)).toBe(before + change - RENT - 2n * FEE)
  }
})

test('a trade is refused if someone else controls an account of the wallet that would receive it', async () => {
  const { genesis, mint } = market.makeCurve()
  const stranger = market.wallet()
  const refuses = async (order: Order, token: Address | undefined, at: number, isOption: boolean) => {
    const wallet = market.wallet()
    market.hold(wallet.address, 10n ** 12n, mint)
    market.hold(wallet.address, 7n)
    market.changeAccount(market.tokenAccount(wallet.address, token), account => {
      const data = Uint8Array.from(account.data)
      data.set(addressBytes(stranger.address), at)
      if (isOption) data[at - 4] = 1
      return { ...account, data }
    })
    return (await refusalOf(market.build(genesis, order, { wallet: wallet.address }))).code
  }
  // Another owner, and another key that may close the account.
  expect(await refuses(buy(SOL), mint, 32, false)).toBe('TOKEN_ACCOUNT_TAKEN')
  expect(await refuses(sell(10n ** 12n), undefined, 32, false)).toBe('TOKEN_ACCOUNT_TAKEN')
  expect(await refuses(sell(10n ** 12n), undefined, 133, true)).toBe('TOKEN_ACCOUNT_TAKEN')
})

test('a wrapped account that someone else may spend from is not closed, and a sale stays wrapped there', async () => {
  const { genesis, mint } = market.makeCurve()
  const wallet = market.wallet()
  market.hold(wallet.address, 7n)
  market.changeAccount(market.tokenAccount(wallet.address), account => {
    const data = Uint8Array.from(account.data)
    // A delegate, and what it may spend.
    data[72] = 1
    data[121] = 5
    return { ...account, data }
  })
  market.hold(wallet.address, 10n ** 12n, mint)
  const { tx, quote } = await market.build(genesis, sell(10n ** 12n), { wallet: wallet.address })
  expect(market.land(tx, wallet).err).toBeNull()
  expect(market.tokens(wallet.address)).toBe(7n + BigInt(quote.amountOut))
})

test('a payer pays fees and rent, and gets back the rent of what the transaction closes', async () => {
  const { genesis, mint } = market.makeCurve()
  // Exactly what it trades: the payer pays everything else.
  const [wallet, payer] = [market.wallet(SOL), market.wallet()]
  const more = { wallet: wallet.address, payer: payer.address }
  const funds = market.lamports(payer.address)
  const bought = await market.build(genesis, buy(SOL), more)
  expect(market.land(bought.tx, payer, wallet).err).toBeNull()
  expect(market.lamports(wallet.address)).toBe(0n)
  expect(market.lamports(payer.address)).toBe(funds - RENT - 2n * FEE)
  const tokens = market.tokens(wallet.address, mint) ?? 0n
  const sold = await market.build(genesis, sell(tokens), more)
  expect(market.land(sold.tx, payer, wallet).err).toBeNull()
  expect(market.lamports(wallet.address)).toBe(BigInt(sold.quote.amountOut))
  expect(market.lamports(payer.address)).toBe(funds - RENT - 4n * FEE)
})

test('the remainder of a partial fill goes to the trader, never to the payer', async () => {
  const { genesis, mint } = market.makeCurve({ depositedLamports: 84n * SOL })
  const [wallet, payer, other] = [market.wallet(50n * SOL), market.wallet(), market.wallet()]
  const more = { wallet: wallet.address, payer: payer.address, minAmountOut: 1_000n }
  const { tx, quote } = await market.build(genesis, buy(SOL / 2n), more)
  expect(quote.partial).toBe(false)
  const first = await market.build(genesis, buy((SOL * 8n) / 10n), { wallet: other.address })
  expect(market.land(first.tx, other).err).toBeNull()
  const funds = market.lamports(payer.address)
  expect(market.land(tx, payer, wallet).err).toBeNull()
  const paid = 50n * SOL - market.lamports(wallet.address)
  expect(paid).toBeGreaterThan(0n)
  expect(paid).toBeLessThan(SOL / 2n)
  expect(market.tokens(wallet.address, mint)).toBeGreaterThanOrEqual(1_000n)
  expect(market.lamports(payer.address)).toBe(funds - RENT - 2n * FEE)
})

test('a partial fill takes the last tokens, and the curve is then sold out', async () => {
  const { genesis, mint } = market.makeCurve({ depositedLamports: 84n * SOL })
  const wallet = market.wallet()
  const { tx, quote } = await market.build(genesis, buy(50n * SOL), { wallet: wallet.address })
  expect(quote).toMatchObject({ partial: true })
  const before = market.lamports(wallet.address)
  expect(market.land(tx, wallet).err).toBeNull()
  expect(market.tokens(wallet.address, mint)).toBe(BigInt(quote.amountOut))
  expect(market.lamports(wallet.address)).toBe(before - BigInt(quote.amountIn) - RENT - FEE)
  const refused = await refusalOf(market.build(genesis, buy(SOL), { wallet: wallet.address }))
  expect(refused.code).toBe('SOLD_OUT')
})

test('with mode=out, the trade pays what was quoted and gives at least what was asked for', async () => {
  const { genesis, mint } = market.makeCurve()
  const wallet = market.wallet()
  const { tx, quote } = await market.build(genesis, buy(5_000_000_000_000n, 'out'), {
    wallet: wallet.address,
    slippageBps: 0,
  })
  expect(quote.minAmountOut).toBe('5000000000000')
  const before = market.lamports(wallet.address)
  expect(market.land(tx, wallet).err).toBeNull()
  expect(market.tokens(wallet.address, mint)).toBeGreaterThanOrEqual(5_000_000_000_000n)
  expect(market.lamports(wallet.address)).toBe(before - BigInt(quote.amountIn) - RENT - FEE)
})

test('a reserved first buy is built for its buyer, without fees', async () => {
  const { genesis, primary, mint } = market.makeCurve({ depositedLamports: 0n })
  const [buyer, stranger] = [market.wallet(), market.wallet()]
  market.changeCurve(primary, curve => ({
    extensions: {
      ...curve.extensions,
      firstBuy: { __option: 'Some', value: { buyer: buyer.address as never, amount: SOL } },
    },
  }))
  for (const [order, wallet] of [
    [buy(SOL), stranger],
    [buy(SOL + 1n), buyer],
    [sell(SOL), buyer],
  ] as const)
    expect((await refusalOf(market.build(genesis, order, { wallet: wallet.address }))).code).toBe(
      'FIRST_BUY_OPEN',
    )
  const { tx, quote } = await market.build(genesis, buy(SOL), { wallet: buyer.address })
  expect(quote.fees).toEqual({ protocol: '0', creator: '0', pool: '0' })
  expect(market.land(tx, buyer).err).toBeNull()
  expect(market.tokens(buyer.address, mint)).toBe(BigInt(quote.amountOut))
})

test('a wallet that can’t pay gets an error with its balance and the amount needed', async () => {
  const { genesis, mint } = market.makeCurve()
  const poor = market.wallet((SOL * 4n) / 10n)
  const order = buy(SOL)
  expect((await refusalOf(market.build(genesis, order, { wallet: poor.address }))).details).toEqual([
    { path: ['amount'], message: `has 0.4 SOL, needs ${formatSol(SOL + 2n * RENT + FEE)}` },
  ])
  const payer = market.wallet(100_000n)
  const rich = market.wallet()
  const more = { wallet: rich.address, payer: payer.address }
  expect((await refusalOf(market.build(genesis, order, more))).details).toEqual([
    { path: ['payer'], message: `has 0.0001 SOL, needs ${formatSol(2n * RENT + 2n * FEE)}` },
  ])
  market.hold(rich.address, 5n, mint)
  const sale = await refusalOf(market.build(genesis, sell(1_000_000n), { wallet: rich.address }))
  expect([sale.code, sale.details]).toEqual([
    'INSUFFICIENT_BALANCE',
    [{ path: ['amount'], message: 'has 0.000005 tokens, needs 1 token' }],
  ])
})

test('a trade that passes the balance check can be paid, to the lamport', async () => {
  const { genesis } = market.makeCurve()
  const least = SOL + 2n * RENT + FEE
  for (const [lamports, isEnough] of [
    [least, true],
    [least - 1n, false],
  ] as const) {
    const wallet = market.wallet(lamports)
    const built = market.build(genesis, buy(SOL), { wallet: wallet.address })
    if (isEnough) expect(market.land((await built).tx, wallet).err).toBeNull()
    else expect((await refusalOf(built)).code).toBe('INSUFFICIENT_BALANCE')
  }
})

test('the cost of a Token-2022 account is counted to the lamport', async () => {
  const { genesis, mint } = market.makeCurve({}, { token2022: true })
  // The account for the tokens has five bytes more, and stays.
  const least = SOL + RENT + RENT_2022 + FEE
  const wallet = market.wallet(least)
  const built = await market.build(genesis, buy(SOL), { wallet: wallet.address })
  expect(market.land(built.tx, wallet).err).toBeNull()
  const account = associatedTokenAddress(mint, wallet.address, TOKEN_2022_PROGRAM)
  expect(market.lamports(account)).toBe(RENT_2022)
  const poor = market.wallet(least - 1n)
  expect((await refusalOf(market.build(genesis, buy(SOL), { wallet: poor.address }))).details).toEqual([
    { path: ['amount'], message: `has ${formatSol(least - 1n)}, needs ${formatSol(least)}` },
  ])
})

test('a limit above the trade’s present output is refused, and the error has that output', async () => {
  const { genesis } = market.makeCurve()
  const wallet = market.wallet().address
  const { amountOut } = await market.quote(genesis, buy(SOL))
  const more = { wallet, minAmountOut: BigInt(amountOut) }
  expect((await market.build(genesis, buy(SOL), more)).quote.minAmountOut).toBe(amountOut)
  more.minAmountOut += 1n
  const refused = await refusalOf(market.build(genesis, buy(SOL), more))
  expect([refused.code, refused.details]).toEqual([
    'PRICE_MOVED',
    [{ path: ['minAmountOut'], message: `is above what the trade gives now, which is ${amountOut}` }],
  ])
})

test('requests for the same trade count as repeated, whether or not they spell out defaults', async () => {
  const { genesis } = market.makeCurve()
  const wallet = market.wallet().address
  const asked: string[] = []
  const blockhash = {
    ...market.parts.blockhash,
    latestFor(request: string) {
      asked.push(request)
      return market.parts.blockhash.latest()
    },
  }
  const build = (more: Partial<SwapRequest>) =>
    buildSwap({ ...market.parts, blockhash }, { ...buy(SOL), genesis, wallet, priorityFee: 0n, ...more })
  const { tx } = await build({})
  for (const more of [{ slippageBps: 100 }, { payer: wallet }]) expect((await build(more)).tx).toBe(tx)
  expect(new Set(asked).size).toBe(1)
  for (const more of [{ minAmountOut: 100n }, { slippageBps: 101 }]) await build(more)
  expect(new Set(asked).size).toBe(3)
})
