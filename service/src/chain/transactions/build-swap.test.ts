import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stockUmi } from '../../official-clients/stock-umi.ts'
import { swapWithUmi } from '../../official-clients/swap-with-umi.ts'
import { anyAddress, u64 } from '../accounts/test-accounts.ts'
import { buildSwapTransaction, type SwapTransaction } from './build-swap.ts'

const aToken = fc.record({ mint: anyAddress, program: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM) })
const aPool = fc.record({
  address: anyAddress,
  config: anyAddress,
  vault0: anyAddress,
  vault1: anyAddress,
  observation: anyAddress,
  environment: fc.constantFrom('mainnet' as const, 'devnet' as const),
  isBase0: fc.boolean(),
})

/** Trades of every kind: on curves and in pools, by wallets, with another payer, and by agents. */
const aSwap: fc.Arbitrary<SwapTransaction> = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    amountIn: u64,
    amountOutMin: u64,
    genesis: anyAddress,
    base: aToken,
    quote: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM }) },
      { weight: 1, arbitrary: aToken },
    ),
    curve: fc.option(anyAddress, { nil: undefined }),
    pool: aPool,
    wallet: anyAddress,
    payer: fc.option(anyAddress, { nil: undefined }),
    agent: fc.option(
      fc.record({ asset: anyAddress, collection: fc.option(anyAddress, { nil: undefined }) }),
      { nil: undefined },
    ),
    holds: fc.record({
      hasBase: fc.boolean(),
      quote: fc.option(fc.record({ amount: fc.bigInt(0n, 2n ** 50n), isDelegated: fc.boolean() }), {
        nil: undefined,
      }),
    }),
    priorityFee: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10_000_000n)),
    blockhash: anyAddress,
  })
  .map(({ base, quote, curve, pool, wallet, payer, agent, ...rest }) => ({
    ...rest,
    tokens: { base, quote },
    at: curve ? { curve } : { pool: { ...pool, mint0: pool.isBase0 ? base.mint : quote.mint } },
    trader: agent ? assetSignerAddress(agent.asset) : wallet,
    payer: agent ? wallet : (payer ?? wallet),
    isAgent: agent !== undefined,
    agent,
    accountRent: rentFor(165),
  }))

test('a trade has the same bytes as one from the official builders', () => {
  fc.assert(
    fc.property(aSwap, swap => {
      expect(buildSwapTransaction(swap)).toBe(swapWithUmi(stockUmi(swap.payer), swap))
    }),
    { numRuns: 25 },
  )
})

test('a trade of any kind leaves 100 bytes for instructions that a wallet adds', () => {
  const largest = { wallet: 0, sponsored: 0, agent: 0 }
  fc.assert(
    fc.property(aSwap, swap => {
      const size = Buffer.from(buildSwapTransaction(swap), 'base64').length
      const kind = swap.isAgent ? 'agent' : swap.trader === swap.payer ? 'wallet' : 'sponsored'
      largest[kind] = Math.max(largest[kind], size)
    }),
    { numRuns: 150 },
  )
  for (const size of Object.values(largest)) {
    expect(size).toBeGreaterThan(500)
    expect(size).toBeLessThanOrEqual(1_132)
  }
})
