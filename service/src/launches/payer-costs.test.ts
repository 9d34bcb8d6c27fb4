import type { Keypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import type { Costs } from '@slipway/schema/transaction'
import { expect, test } from 'vitest'
import { type SaleKind, startSale, TIMES } from './deposits/test-sale.ts'
import { goal } from './deposits/test-sale-cases.ts'
import { buy, refusalOf, SOL, sell, startTestMarket } from './trading/test-market.ts'

interface Built {
  tx?: string
  transactions?: string[]
  costs: Costs
}
type Build = (more: { payerMax?: bigint; priorityFee?: bigint }) => Promise<Built>
type World = Pick<ReturnType<typeof startTestMarket>, 'lamports' | 'land' | 'changeAccount' | 'chain'>

const PRICE = 1_234_567n

/** Lands what was built, and compares what the payer paid with what the answer said. */
async function checkCosts(
  world: World,
  build: Build,
  { payer, signers }: { payer: Keypair; signers: Keypair[] },
  /** What the payer gets, or spends, for another reason. */
  { closes = [] as Address[], gains = 0n } = {},
): Promise<Costs['payer']> {
  const { costs } = await build({ priorityFee: PRICE })
  const most = BigInt(costs.payer.fees) + BigInt(costs.payer.rentsMax)
  const refused = await refusalOf(build({ priorityFee: PRICE, payerMax: most - 1n }))
  expect([refused.code, refused.details]).toEqual([
    'PAYER_LIMIT',
    [
      {
        path: ['payerMax'],
        message: `is ${most - 1n}, but the payer can pay up to ${most} lamports`,
        allowed: `${most}`,
      },
    ],
  ])
  const built = await build({ priorityFee: PRICE, payerMax: most })
  expect(built.costs).toEqual(costs)
  for (const address of closes)
    world.changeAccount(address, account => ({ ...account, lamports: 0n, data: new Uint8Array() }))
  const before = world.lamports(payer.address)
  for (const tx of built.transactions ?? [built.tx as string])
    expect(world.land(tx, ...signers)).toMatchObject({ err: null })
  const paid = before - world.lamports(payer.address) + gains
  expect(paid).toBeLessThanOrEqual(most)
  if (closes.length === 0) expect(paid).toBe(BigInt(costs.payer.fees) + BigInt(costs.payer.rentsNow))
  return costs.payer
}

const rentOf = ({ chain }: World, bytes: number) => chain.vm.rentExemptMinimum(bytes)

for (const who of ['a wallet', 'a sponsor'] as const)
  test(`a swap paid by ${who} costs what it says, and never more after the trader has closed their accounts`, async () => {
    const market = startTestMarket()
    const { genesis, mint } = market.makeCurve()
    const wallet = market.wallet()
    const payer = who === 'a sponsor' ? market.wallet() : wallet
    const parties = { payer, signers: who === 'a sponsor' ? [payer, wallet] : [wallet] }
    const trade =
      (order: ReturnType<typeof buy>): Build =>
      more =>
        market.build(genesis, order, { wallet: wallet.address, payer: payer.address, ...more })
    const rent = rentOf(market, 165)
    // What the signer of a purchase pays, and what is wrapped and unwrapped, is not a cost.
    const spends = (amount: bigint) => (who === 'a wallet' ? -amount : 0n)

    const first = await checkCosts(market, trade(buy(SOL)), parties, { gains: spends(SOL) })
    const signers = who === 'a wallet' ? 1n : 2n
    expect(first).toMatchObject({
      fees: `${signers * 5_000n + (480_000n * PRICE + 999_999n) / 1_000_000n}`,
      rentsNow: `${rent}`,
      rentsMax: `${2n * rent}`,
      rentsGoTo: who === 'a wallet' ? [wallet.address] : [wallet.address, payer.address],
    })
    const again = await checkCosts(market, trade(buy(SOL)), parties, { gains: spends(SOL) })
    expect(again).toMatchObject({ rentsNow: '0', rentsMax: `${2n * rent}` })
    const held = market.tokens(wallet.address, mint) as bigint
    if (who === 'a sponsor') await checkCosts(market, trade(sell(held / 3n)), parties)
    // An account for wrapped SOL that exists is used, and kept as it is.
    market.hold(wallet.address, 7n * SOL)
    if (who === 'a wallet') return
    expect(await checkCosts(market, trade(sell(held / 3n)), parties)).toMatchObject({ rentsMax: '0' })
    expect(
      await checkCosts(market, trade(buy(SOL)), parties, {
        closes: [market.tokenAccount(wallet.address, mint)],
      }),
    ).toMatchObject({ rentsNow: '0', rentsMax: `${rent}`, rentsGoTo: [wallet.address] })
    expect(market.tokens(wallet.address)).toBe(7n * SOL)
  })

test('an agent’s trade costs its owner what it says', async () => {
  const market = startTestMarket()
  const { genesis } = market.makeCurve()
  const owner = market.wallet()
  const agent = await market.makeAgent(owner.address)
  const build: Build = more =>
    market.build(genesis, buy(SOL), { wallet: owner.address, agent: agent.address, ...more })
  const costs = await checkCosts(market, build, { payer: owner, signers: [owner] })
  expect(costs.rentsGoTo).toEqual([agent.wallet, owner.address])
})

test('a swap in a pool with a Token-2022 token costs its sponsor what it says', async () => {
  const market = startTestMarket()
  const { genesis } = market.makeCurve({}, { token2022: true })
  const [wallet, payer] = [market.wallet(), market.wallet()]
  const build: Build = more =>
    market.build(genesis, buy(SOL), { wallet: wallet.address, payer: payer.address, ...more })
  const costs = await checkCosts(market, build, { payer, signers: [payer, wallet] })
  expect(costs.rentsNow).toBe(`${rentOf(market, 170)}`)
})

for (const kind of ['launchpoolV2', 'presaleV2'] as SaleKind[])
  test(`taking part in a ${kind} costs a sponsor what it says, and never more after the user has closed their accounts`, async () => {
    const sale = await startSale({ kind })
    const [wallet, payer] = [sale.wallet(), sale.wallet()]
    const who = { wallet: wallet.address, payer: payer.address }
    const parties = { payer, signers: [payer, wallet] }
    const rent = rentOf(sale, 165)
    sale.advanceTo(TIMES.start)
    const deposit: Build = more => sale.deposit({ ...who, ...more }, SOL)
    const first = await checkCosts(sale, deposit, parties)
    const depositRent = BigInt(first.rentsNow) - rent
    expect(depositRent).toBe(rentOf(sale, kind === 'launchpoolV2' ? 104 : 96))
    expect(first).toMatchObject({
      rentsMax: `${depositRent + 2n * rent}`,
      rentsGoTo: [payer.address, wallet.address],
    })
    expect(await checkCosts(sale, deposit, parties)).toMatchObject({
      rentsNow: '0',
      rentsMax: first.rentsMax,
    })
    const base = sale.tokenAccount(wallet.address, sale.mint)
    await checkCosts(sale, deposit, parties, { closes: [base] })
    if (kind === 'launchpoolV2') {
      const withdraw =
        (amount: bigint | 'all'): Build =>
        more =>
          sale.withdraw({ ...who, ...more }, amount)
      await checkCosts(sale, withdraw(SOL / 4n), parties)
      // Closing the deposit and the empty account pays the payer.
      await checkCosts(sale, withdraw('all'), parties, { gains: depositRent + rent })
      await checkCosts(sale, deposit, parties)
    }
    sale.advanceTo(TIMES.end + 2)
    const claim: Build = more => sale.claim({ ...who, ...more })
    await checkCosts(sale, claim, { payer, signers: [payer] }, { closes: [base] })
  })

for (const unwrap of [false, true])
  test(`a refund that ${unwrap ? 'is unwrapped' : 'stays wrapped'} costs a sponsor what it says`, async () => {
    const sale = await startSale({ extensions: [goal(10n * SOL)] })
    const [wallet, payer] = [sale.wallet(), sale.wallet()]
    sale.advanceTo(TIMES.start)
    expect(sale.land((await sale.deposit({ wallet: wallet.address }, SOL)).tx, wallet).err).toBeNull()
    sale.advanceTo(TIMES.end + 2)
    const build: Build = more => sale.claim({ wallet: wallet.address, payer: payer.address, ...more }, unwrap)
    const signers = unwrap ? [payer, wallet] : [payer]
    const costs = await checkCosts(sale, build, { payer, signers })
    expect(costs.rentsGoTo).toEqual([unwrap ? payer.address : wallet.address])
  })

test('proceeds cost a sponsor what they say', async () => {
  const sale = await startSale({})
  const [wallet, payer] = [sale.wallet(), sale.wallet()]
  sale.advanceTo(TIMES.start)
  expect(sale.land((await sale.deposit({ wallet: wallet.address }, SOL)).tx, wallet).err).toBeNull()
  sale.advanceTo(TIMES.end + 2)
  const build: Build = more => sale.claim({ wallet: sale.recipient.address, payer: payer.address, ...more })
  await checkCosts(sale, build, { payer, signers: [payer] })
})
