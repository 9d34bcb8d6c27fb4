import { AddressString } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import {
  BuiltSwap,
  SLIPPAGE_BPS_DEFAULT,
  SLIPPAGE_BPS_MAX,
  TradeMode,
  TradeSide,
  UnitAmount,
} from '@slipway/schema/trade'
import { z } from 'zod'
import { tellCosts } from '../chain/transactions/payer-costs.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { describePayment, describeSigners, describeTokens, describeTrader } from './describe-effect.ts'
import { EXAMPLE_SWAP } from './examples.ts'
import { type BuilderSources, findBuilder } from './find-builder.ts'
import { LaunchParams } from './launch-params.ts'
import { onePayer, TRADER_INPUT } from './trader-input.ts'
import { TRADE_REFUSALS } from './trading/build-quote.ts'
import { buildSwap } from './trading/swap.ts'

const SwapBody = z
  .object({
    wallet: AddressString.meta({
      description: "The wallet that trades and signs. With `agent`, the agent's owner.",
    }),
    side: TradeSide,
    amount: UnitAmount,
    mode: TradeMode,
    slippageBps: z
      .int()
      .min(0)
      .max(SLIPPAGE_BPS_MAX)
      .optional()
      .meta({
        description: `How much less than quoted you accept, in basis points; ${SLIPPAGE_BPS_DEFAULT} by default.`,
      }),
    minAmountOut: UnitAmount.optional().meta({
      description: 'The least you accept, in the smallest unit. Replaces `slippageBps`.',
    }),
    ...TRADER_INPUT,
  })
  .refine(({ slippageBps, minAmountOut }) => slippageBps === undefined || minAmountOut === undefined, {
    path: ['minAmountOut'],
    error: 'must not be sent together with slippageBps',
  })
  .refine(onePayer.check, onePayer.fault)
  .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.owner, side: 'buy', amount: '10000000' }] })

/** What the signer must know. */
function describeSwap({ quote, costs }: z.infer<typeof BuiltSwap>, sent: Record<string, unknown>): string {
  const { side, amountIn, minAmountOut } = quote
  const [given, received] =
    side === 'buy' ? [describePayment, describeTokens] : [describeTokens, describePayment]
  return `${describeTrader(sent)} pays ${given(amountIn, quote)} and receives at least ${received(minAmountOut, quote)}; otherwise the transaction fails. ${describeSigners(sent)} ${tellCosts(sent.payer ?? sent.wallet, costs)}`
}

export function swapEndpoint(sources: BuilderSources): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/swap',
    id: 'swap',
    clientCall: 'launches.swap',
    tool: {
      name: 'swap',
      description:
        "Builds the unsigned transaction that buys or sells a launch's tokens, on its curve or in its pool. If the launch is priced in SOL, you pay and receive SOL. It fails on the chain rather than give less than `quote.minAmountOut`.",
      effect: (sent, built) => describeSwap(built as z.infer<typeof BuiltSwap>, sent),
    },
    tag: 'Launches',
    summary: 'Buy or sell',
    description: `Builds the unsigned transaction that buys or sells a launch's tokens, on its curve or in its pool. \`wallet\` [signs and submits](#tag/sign-and-submit) it, and \`payer\` signs too if it is another wallet.

- If the launch is priced in SOL, you pay and receive SOL: the transaction wraps and unwraps it. An account for wrapped SOL that you already have keeps its balance. Missing token accounts are created.
- The transaction fails on the chain rather than give less than \`quote.minAmountOut\`.
- Curves take exact inputs only: with \`mode=out\`, the transaction pays \`quote.amountIn\`.
- Slipway reads the chain and simulates the transaction before it returns it. It refuses a trade that can't succeed, and says why.
- Each request builds a trade of its own, and nothing moves until you submit it. Equal requests within one block get the same transaction, which can land only once.`,
    params: LaunchParams,
    body: SwapBody,
    faults: { genesisAddress: 'LAUNCH_NOT_FOUND' },
    reportsDetails: true,
    success: {
      description: 'The transaction in base64, its blockhash, and what it would do now.',
      schema: BuiltSwap,
      example: EXAMPLE_SWAP,
    },
    errors: [
      'INVALID_INPUT',
      'PAYER_LIMIT',
      'LAUNCH_NOT_FOUND',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'INSUFFICIENT_BALANCE',
      ...TRADE_REFUSALS,
      'TOKEN_ACCOUNT_TAKEN',
      'PRICE_MOVED',
      'TRADE_WOULD_FAIL',
    ],
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { genesisAddress: genesis }, body: { network, priorityFee, ...order } }) {
      const parts = findBuilder(sources, network, genesis)
      const built = await buildSwap(parts, { ...order, genesis, priorityFee: BigInt(priorityFee) })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
