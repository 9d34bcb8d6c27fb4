import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import {
  BuiltSwap,
  SLIPPAGE_BPS_DEFAULT,
  SLIPPAGE_BPS_MAX,
  TradeMode,
  TradeSide,
  UnitAmount,
} from '@slipway/schema/trade'
import { z } from 'zod'
import type { BlockhashSource } from '../chain/account-reader.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { EXAMPLE_SWAP } from './examples.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { TRADE_REFUSALS } from './trading/build-quote.ts'
import type { Markets } from './trading/markets.ts'
import { buildSwap } from './trading/swap.ts'

const PRIORITY_FEE_MAX = 10_000_000

const SwapBody = z
  .object({
    wallet: AddressString.meta({ description: 'Whose funds are traded; signs. With `agent`, its owner.' }),
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
      description: 'The least that you accept, instead of `slippageBps`.',
    }),
    payer: AddressString.optional().meta({
      description: 'Pays fees and rent, and signs too. Defaults to `wallet`.',
    }),
    agent: AddressString.optional().meta({
      description:
        "An agent that `wallet` owns: the agent's own wallet trades, and `wallet` pays fees and rent.",
    }),
    priorityFee: z
      .int()
      .min(0)
      .max(PRIORITY_FEE_MAX)
      .default(0)
      .meta({ description: 'Micro-lamports per compute unit; 0 by default.' }),
    network: NetworkInput,
  })
  .refine(({ slippageBps, minAmountOut }) => slippageBps === undefined || minAmountOut === undefined, {
    path: ['minAmountOut'],
    error: 'must not be sent together with slippageBps',
  })
  .refine(({ payer, agent }) => payer === undefined || agent === undefined, {
    path: ['payer'],
    error: 'must not be sent together with agent, whose owner pays',
  })
  .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.owner, side: 'buy', amount: '10000000' }] })

export function swapEndpoint({
  snapshots,
  markets,
  chains,
}: {
  snapshots: LaunchSnapshots
  markets: Partial<Record<Network, Markets>>
  chains: Partial<Record<Network, { rpc: Pick<ChainRpc, 'simulate'>; blockhash: BlockhashSource }>>
}): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/{genesisAddress}/swap',
    id: 'swap',
    clientCall: 'launches.swap',
    tag: 'Launches',
    summary: 'Buy or sell',
    description: `Builds the unsigned transaction that buys or sells a launch's tokens, on its curve or in its pool. \`wallet\` [signs and submits](#tag/sign-and-submit) it, and \`payer\` signs too if it is another wallet.

- You pay and receive SOL. The transaction wraps and unwraps it, and creates token accounts that are missing. What a wrapped account held before, it holds afterwards.
- The transaction fails on the chain rather than give less than \`quote.minAmountOut\`.
- A curve knows exact inputs only: with \`mode=out\`, the transaction pays \`quote.amountIn\`.
- Slipway reads the chain and simulates the transaction before it returns it. What can't succeed is refused with the reason.
- Each request builds a trade of its own, and nothing moves until you submit it.`,
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
      const [market, chain] = [markets[network], chains[network]]
      if (!market || !chain || !snapshots.of(network).launch(genesis))
        throw new ServiceError('LAUNCH_NOT_FOUND')
      const parts = { markets: market, rpc: chain.rpc, blockhash: chain.blockhash }
      const built = await buildSwap(parts, { ...order, genesis, priorityFee: BigInt(priorityFee) })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
