import { poolStateAddress } from '@slipway/launch-model/addresses'
import { decode, encode } from '@slipway/launch-model/bytes/codec'
import { type PoolAccount, poolLayout } from '@slipway/launch-model/pool-state'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import type { AccountReader } from '../../chain/account-reader.ts'
import { createMarkets } from './markets.ts'
import { buy, refusalOf, SOL, sell, startTestMarket, type TestMarket } from './test-market.ts'

const FEE = 5_000n
const RENT = rentFor(165)
let market: TestMarket
beforeEach(() => {
  market = startTestMarket()
})

const makePool = () =>
  market.makeCurve({
    depositedLamports: 85n * SOL,
    amm: { graduatedAt: 999_999_000, accrued: 0n, claimed: 0n },
    behaviorsDone: true,
  })
const poolOf = (amm: Address) => {
  const address = poolStateAddress(amm)
  const read = () => decode(poolLayout, market.chain.account(address)?.data as Uint8Array)
  const change = (changes: Partial<PoolAccount>) =>
    market.changeAccount(address, account => ({
      ...account,
      data: encode(poolLayout, { ...read(), ...changes }),
    }))
  return { address, read, change }
}

test('after graduation, purchases and sales go to the pool and move what was quoted, to the unit', async () => {
  const { genesis, mint, amm } = makePool()
  const wallet = market.wallet()
  for (const amount of [SOL, 123_456_789n, 1_000n]) {
    const before = { lamports: market.lamports(wallet.address), tokens: market.tokens(wallet.address, mint) }
    const { tx, quote } = await market.build(genesis, buy(amount), { wallet: wallet.address })
    expect(quote).toMatchObject({ venue: 'pool', partial: false, amountIn: `${amount}` })
    expect(market.land(tx, wallet)).toMatchObject({ err: null })
    expect(market.tokens(wallet.address, mint)).toBe((before.tokens ?? 0n) + BigInt(quote.amountOut))
    const rent = before.tokens === undefined ? RENT : 0n
    expect(market.lamports(wallet.address)).toBe(before.lamports - amount - rent - FEE)
  }
  const held = market.tokens(wallet.address, mint) ?? 0n
  const before = market.lamports(wallet.address)
  const { tx, quote } = await market.build(genesis, sell(held / 2n), { wallet: wallet.address })
  expect(market.land(tx, wallet)).toMatchObject({ err: null })
  expect(market.tokens(wallet.address, mint)).toBe(held - held / 2n)
  expect(market.lamports(wallet.address)).toBe(before + BigInt(quote.amountOut) - FEE)
  // A creator is paid in quote tokens, whichever way a trade goes.
  const { creatorFees0, creatorFees1, mint0 } = poolOf(amm).read()
  const [base, quoted] = mint0 === mint ? [creatorFees0, creatorFees1] : [creatorFees1, creatorFees0]
  expect(base).toBe(0n)
  expect(quoted).toBeGreaterThan(BigInt(quote.fees.creator))
})

test('with mode=out, a pool gives at least what was asked for, and never all that it has', async () => {
  const { genesis, mint } = makePool()
  const wallet = market.wallet()
  const order = buy(10n ** 12n, 'out')
  const { tx, quote } = await market.build(genesis, order, { wallet: wallet.address, slippageBps: 0 })
  expect(quote.minAmountOut).toBe(`${10n ** 12n}`)
  expect(market.land(tx, wallet)).toMatchObject({ err: null })
  expect(market.tokens(wallet.address, mint)).toBe(BigInt(quote.amountOut))
  await expect(market.quote(genesis, buy(10n ** 15n, 'out'))).rejects.toThrow('The pool holds less than that')
})

test('a payer and an existing wrapped account are treated as on a curve', async () => {
  const { genesis, mint } = makePool()
  const [wallet, payer] = [market.wallet(2n * SOL), market.wallet()]
  market.hold(wallet.address, 3n * SOL)
  const more = { wallet: wallet.address, payer: payer.address }
  const bought = await market.build(genesis, buy(SOL), more)
  expect(market.land(bought.tx, payer, wallet).err).toBeNull()
  expect(market.tokens(wallet.address)).toBe(3n * SOL)
  const sold = await market.build(genesis, sell(market.tokens(wallet.address, mint) ?? 0n), more)
  expect(market.land(sold.tx, payer, wallet).err).toBeNull()
  expect(market.tokens(wallet.address)).toBe(3n * SOL)
  expect(market.lamports(wallet.address)).toBe(SOL + BigInt(sold.quote.amountOut))
})

test('a pool whose state lies is not traded in', async () => {
  const stranger = createKeypair().address
  const refusal = async (changes: Partial<PoolAccount>) => {
    const { genesis, amm } = makePool()
    poolOf(amm).change(changes)
    return (await refusalOf(market.build(genesis, buy(SOL), { wallet: market.wallet().address }))).code
  }
  // Vaults, mints and a configuration of another pool, and fees above the vaults' balances.
  expect(await refusal({ vault0: stranger })).toBe('NOT_PRICED')
  expect(await refusal({ vault1: stranger })).toBe('NOT_PRICED')
  expect(await refusal({ mint0: stranger })).toBe('NOT_PRICED')
  expect(await refusal({ ammConfig: stranger })).toBe('NOT_PRICED')
  expect(await refusal({ protocolFees0: 2n ** 63n, protocolFees1: 2n ** 63n })).toBe('NOT_PRICED')
  expect(await refusal({ status: 4 })).toBe('TRADING_PAUSED')
  expect(await refusal({ openTime: 9_999_999_999n })).toBe('TRADING_NOT_STARTED')
})

test('the configuration of a pool is looked up once, and a pool that names another one each time is not priced', async () => {
  const { genesis, amm } = makePool()
  const { read, change } = poolOf(amm)
  const rename = () => {
    const config = createKeypair().address
    const account = market.chain.account(read().ammConfig as Address)
    if (account) market.chain.writeAccounts(new Map([[config, account]]))
    change({ ammConfig: config })
  }
  rename()
  const order = buy(SOL)
  const { amountOut } = await market.quote(genesis, order)
  const reads = market.reads()
  expect((await market.quote(genesis, order)).amountOut).toBe(amountOut)
  expect(market.reads()).toBe(reads + 1)

  const reader: AccountReader = {
    fetchAccounts(addresses) {
      rename()
      return market.reader.fetchAccounts(addresses)
    },
  }
  const before = market.reads()
  const refused = await refusalOf(createMarkets(reader, 'mainnet', { slotMs: () => 400 }).readShared(genesis))
  expect(refused.code).toBe('SERVICE_UNAVAILABLE')
  // Two of these read the parts that never change.
  expect(market.reads()).toBe(before + 4)
})

test('a pool at the right address that another program owns is not traded in', async () => {
  const { genesis, amm } = makePool()
  const thief = createKeypair().address
  market.changeAccount(poolStateAddress(amm), account => ({ ...account, owner: thief }))
  expect((await refusalOf(market.build(genesis, buy(SOL), { wallet: market.wallet().address }))).code).toBe(
    'NOT_PRICED',
  )
})

test('a price in the pool that moves beyond the limit costs only the fee', async () => {
  const { genesis, mint } = makePool()
  const [wallet, other] = [market.wallet(), market.wallet(200n * SOL)]
  const { tx } = await market.build(genesis, buy(SOL), { wallet: wallet.address, slippageBps: 50 })
  const first = await market.build(genesis, buy(20n * SOL), { wallet: other.address })
  expect(market.land(first.tx, other).err).toBeNull()
  const before = market.lamports(wallet.address)
  expect(market.land(tx, wallet).err).toMatchObject({ InstructionError: [5, { Custom: 6005 }] })
  expect(market.lamports(wallet.address)).toBe(before - FEE)
  expect(market.tokens(wallet.address, mint)).toBeUndefined()
})
