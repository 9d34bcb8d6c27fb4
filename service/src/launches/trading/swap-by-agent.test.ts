import { rentFor } from '@slipway/local-chain/conditions'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { createMarkets } from './markets.ts'
import { buildSwap } from './swap.ts'
import { buy, refusalOf, SOL, sell, startTestMarket, type TestMarket } from './test-market.ts'

const FEE = 5_000n
const RENT = rentFor(165)
const EXECUTE = rentFor(7) - rentFor(0)
let market: TestMarket
beforeEach(() => {
  market = startTestMarket()
})
const makeLaunch = (venue: 'curve' | 'pool') =>
  venue === 'curve'
    ? market.makeCurve()
    : market.makeCurve({
        depositedLamports: 85n * SOL,
        amm: { graduatedAt: 999_999_000, accrued: 0n, claimed: 0n },
        behaviorsDone: true,
      })

test.each(['curve', 'pool'] as const)(
  'an agent buys and sells with its own funds on a %s, and its owner pays fees and rent only',
  async venue => {
    const { genesis, mint } = makeLaunch(venue)
    for (const inCollection of [false, true]) {
      const owner = market.wallet()
      const agent = await market.makeAgent(owner.address, { inCollection })
      const more = { wallet: owner.address, agent: agent.address }
      const before = market.lamports(owner.address)
      const bought = await market.build(genesis, buy(SOL), more)
      expect(market.land(bought.tx, owner)).toMatchObject({ err: null })
      const tokens = market.tokens(agent.wallet, mint)
      expect(tokens).toBe(BigInt(bought.quote.amountOut))
      expect(market.lamports(agent.wallet)).toBe(9n * SOL)
      expect(market.tokens(agent.wallet)).toBeUndefined()
      // Wrap, swap, unwrap, and the rent back.
      expect(market.lamports(owner.address)).toBe(before - RENT - FEE - 4n * EXECUTE)

      const sold = await market.build(genesis, sell(tokens ?? 0n), more)
      expect(market.land(sold.tx, owner)).toMatchObject({ err: null })
      expect(market.tokens(agent.wallet, mint)).toBe(0n)
      expect(market.lamports(agent.wallet)).toBe(9n * SOL + BigInt(sold.quote.amountOut))
      expect(market.lamports(owner.address)).toBe(before - RENT - 2n * FEE - 7n * EXECUTE)
    }
  },
)

test('rewards that an agent holds wrapped are still there after it has traded', async () => {
  const { genesis, mint } = makeLaunch('curve')
  const owner = market.wallet()
  const agent = await market.makeAgent(owner.address)
  market.hold(agent.wallet, 7n * SOL)
  market.hold(agent.wallet, 10n ** 13n, mint)
  const more = { wallet: owner.address, agent: agent.address }
  for (const order of [buy(SOL), sell(10n ** 12n)]) {
    const { tx, quote } = await market.build(genesis, order, more)
    const before = { agent: market.lamports(agent.wallet), owner: market.lamports(owner.address) }
    expect(market.land(tx, owner)).toMatchObject({ err: null })
    expect(market.tokens(agent.wallet)).toBe(7n * SOL)
    const change = order.side === 'buy' ? -BigInt(quote.amountIn) : BigInt(quote.amountOut)
    expect(market.lamports(agent.wallet)).toBe(before.agent + change)
    const executes = order.side === 'buy' ? 2n : 3n
    expect(market.lamports(owner.address)).toBe(before.owner - FEE - executes * EXECUTE)
  }
})

test('only the owner of an agent can trade for it', async () => {
  const { genesis } = makeLaunch('curve')
  const [owner, stranger] = [market.wallet(), market.wallet()]
  const agent = await market.makeAgent(owner.address)
  const refusal = async (wallet: typeof owner, address: typeof agent.address) =>
    (await refusalOf(market.build(genesis, buy(SOL), { wallet: wallet.address, agent: address }))).code
  expect(await refusal(stranger, agent.address)).toBe('NOT_AUTHORIZED')
  expect(await refusal(owner, stranger.address)).toBe('AGENT_NOT_FOUND')
})

test('an agent that the store knows is read from an endpoint that has it, and is not reported as missing if none has', async () => {
  const { genesis } = makeLaunch('curve')
  const owner = market.wallet()
  const agent = await market.makeAgent(owner.address)
  /** Lacks the agent until another endpoint is found to have it. */
  const build = (isElsewhere: boolean) => {
    let isLost = true
    const markets = createMarkets(
      {
        async fetchAccounts(addresses) {
          const { slot, accounts } = await market.reader.fetchAccounts(addresses)
          const lost = (address: Address) => isLost && address === agent.address
          return {
            slot,
            accounts: accounts.map(each => (lost(each.address) ? { ...each, exists: false } : each)),
          }
        },
      },
      'mainnet',
      { slotMs: () => 400 },
    )
    const rpc = {
      ...market.parts.rpc,
      async confirmMissing(addresses: readonly Address[]) {
        isLost = !isElsewhere
        const [found, missing] = isElsewhere ? [[...addresses], []] : [[], [...addresses]]
        return { found, missing, slot: 1 }
      },
    }
    const parts = { ...market.parts, markets, rpc, isKnown: async () => true }
    const more = { genesis, wallet: owner.address, agent: agent.address, priorityFee: 0n }
    return buildSwap(parts, { ...buy(SOL), ...more })
  }
  expect((await build(true)).quote.venue).toBe('curve')
  expect((await refusalOf(build(false))).code).toBe('SERVICE_UNAVAILABLE')
})

test('an agent’s wallet may spend everything, or must keep the rent minimum', async () => {
  const { genesis } = makeLaunch('curve')
  const owner = market.wallet()
  for (const [lamports, isBuilt] of [
    [SOL, true],
    [SOL + 1n, false],
    [SOL + rentFor(0), true],
    [SOL - 1n, false],
  ] as const) {
    const agent = await market.makeAgent(owner.address, { lamports })
    const built = market.build(genesis, buy(SOL), { wallet: owner.address, agent: agent.address })
    if (isBuilt) expect(market.land((await built).tx, owner).err).toBeNull()
    else expect((await refusalOf(built)).code).toBe('INSUFFICIENT_BALANCE')
  }
})
