import { CORE_PROGRAM, GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import { computeLimitOf } from '@slipway/launch-model/trade/plan-swap'
import type { Order } from '@slipway/launch-model/trade/trade'
import { rentFor } from '@slipway/local-chain/conditions'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import type { Address } from '@slipway/schema/address'
import { VersionedTransaction } from '@solana/web3.js'
import { expect } from 'vitest'
import { tradesOnChain } from '../../testing/landed-trades.ts'
import { buildSwap, type SwapRequest } from './swap.ts'
import { buy, SOL, sell, startTestMarket, type TestMarket, tradeOf } from './test-market.ts'

const FEE = 5_000n
const EXECUTE = rentFor(7) - rentFor(0)
const RENT = rentFor(165)
/** The token program of these chains is cheaper than that of others: 10,000 for each of at most eight instructions. */
const TOKEN_UNITS = 80_000
const GUARD_UNITS = 50_000

/** The public program predates creator fees, and wants one account fewer in a swap. */
function startRealCurve() {
  const market = startTestMarket({ programs: readPrograms('Genesis', 'MPL Core') })
  return { market, ...market.makeCurve({ creatorWallet: undefined as never, amm: undefined as never }) }
}

async function build(
  market: TestMarket,
  launch: Address,
  order: Order,
  request: Partial<SwapRequest> & { wallet: Address },
) {
  // The unmodified transaction would fail in a simulation.
  const parts = {
    ...market.parts,
    rpc: { ...market.parts.rpc, simulate: async () => ({ err: null, logs: [] }) },
  }
  const { tx, quote } = await buildSwap(parts, { ...order, genesis: launch, priorityFee: 0n, ...request })
  return { tx: withoutBaseTokenOwner(tx), quote }
}

const SWAP_ACCOUNTS = 17
const BASE_TOKEN_OWNER = 10
/** The accounts of Core's `execute` before those of the inner instruction. */
const EXECUTE_ACCOUNTS = 7

function withoutBaseTokenOwner(tx: string): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(tx, 'base64'))
  const { staticAccountKeys, compiledInstructions } = transaction.message
  for (const { programIdIndex, accountKeyIndexes } of compiledInstructions) {
    const program = staticAccountKeys[programIdIndex]?.toBase58()
    const before = program === CORE_PROGRAM ? EXECUTE_ACCOUNTS : program === GENESIS_PROGRAM ? 0 : undefined
    if (before !== undefined && accountKeyIndexes.length === before + SWAP_ACCOUNTS)
      accountKeyIndexes.splice(before + BASE_TOKEN_OWNER, 1)
  }
  return Buffer.from(transaction.serialize()).toString('base64')
}

testRealPrograms(
  'whole trades by wallets, with another payer and by agents run on the real Genesis and Core, within half of their limit',
  async () => {
    const { market, genesis, mint, amm } = startRealCurve()
    const trades: object[] = []
    const most = { wallet: 0, agent: 0 }
    for (let count = 0; count < 8; count++) {
      const [owner, payer] = [market.wallet(), market.wallet()]
      const agent = await market.makeAgent(owner.address, { inCollection: count % 2 === 0 })
      const wrapped = count >= 5 ? 5n * SOL : undefined
      for (const holder of [owner.address, agent.wallet])
        if (wrapped !== undefined) market.hold(holder, wrapped)
      for (const by of ['wallet', 'agent'] as const) {
        const trader = by === 'agent' ? agent.wallet : owner.address
        const hasPayer = by === 'wallet' && count < 3
        const more = by === 'agent' ? { agent: agent.address } : hasPayer ? { payer: payer.address } : {}
        const signers = hasPayer ? [payer, owner] : [owner]
        const paysFor = hasPayer ? payer.address : owner.address
        const before = { trader: market.lamports(trader), payer: market.lamports(paysFor) }

        const bought = await build(market, genesis, buy(SOL), { wallet: owner.address, ...more })
        const first = market.land(bought.tx, ...signers)
        expect(first).toMatchObject({ err: null })
        const tokens = market.tokens(trader, mint) ?? 0n
        expect(tokens).toBe(BigInt(bought.quote.amountOut))
        const sold = await build(market, genesis, sell(tokens), { wallet: owner.address, ...more })
        const second = market.land(sold.tx, ...signers)
        expect(second).toMatchObject({ err: null })
        expect(market.tokens(trader, mint)).toBe(0n)
        expect(market.tokens(trader)).toBe(wrapped)

        const who = { wallet: trader, agent: by === 'agent' ? agent.address : null, creatorFee: 0n }
        for (const { quote } of [bought, sold]) trades.push({ ...who, ...tradeOf(quote) })
        const change = BigInt(sold.quote.amountOut) - BigInt(bought.quote.amountIn)
        const executes = by === 'agent' ? (wrapped === undefined ? 7n : 5n) : 0n
        const costs = 2n * FEE * BigInt(signers.length) + RENT + executes * EXECUTE
        if (trader === paysFor) expect(market.lamports(trader)).toBe(before.trader + change - costs)
        else {
          expect(market.lamports(trader)).toBe(before.trader + change)
          expect(market.lamports(paysFor)).toBe(before.payer - costs)
        }
        most[by] = Math.max(most[by], first.units, second.units)
      }
    }
    expect(tradesOnChain(market.chain, { genesis, baseMint: mint, bucket: amm })).toMatchObject(trades)
    for (const by of ['wallet', 'agent'] as const) {
      const needed = 2 * most[by] + TOKEN_UNITS + GUARD_UNITS
      const limit = computeLimitOf({ at: { curve: genesis }, isAgent: by === 'agent' })
      expect([by, most[by], needed <= limit]).toEqual([by, most[by], true])
    }
  },
  { programs: ['Genesis', 'MPL Core'] },
)

testRealPrograms(
  'the limit of a trade holds on the real Genesis too: if the price moves, the signer pays only fees',
  async () => {
    const { market, genesis, mint } = startRealCurve()
    const [wallet, payer, other] = [market.wallet(SOL), market.wallet(), market.wallet()]
    const more = { wallet: wallet.address, payer: payer.address, slippageBps: 100 }
    const { tx } = await build(market, genesis, buy(SOL), more)
    const first = await build(market, genesis, buy(20n * SOL), { wallet: other.address })
    expect(market.land(first.tx, other).err).toBeNull()
    const funds = market.lamports(payer.address)
    expect(market.land(tx, payer, wallet).err).toMatchObject({ InstructionError: [5, { Custom: 87 }] })
    expect(market.lamports(wallet.address)).toBe(SOL)
    expect(market.lamports(payer.address)).toBe(funds - 2n * FEE)
    expect(market.tokens(wallet.address, mint)).toBeUndefined()
  },
  { programs: ['Genesis', 'MPL Core'] },
)
