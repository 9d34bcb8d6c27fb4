import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { type Network, NetworkInput } from '@slipway/schema/network'
import {
  SLIPPAGE_BPS_DEFAULT,
  SLIPPAGE_BPS_MAX,
  TradeMode,
  TradeQuote,
  TradeSide,
  UnitAmount,
} from '@slipway/schema/trade'
import { z } from 'zod'
import type { ReachSlot } from '../chain/at-slot.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MinSlot } from '../endpoint/min-slot.ts'
import { EXAMPLE_QUOTE } from './examples.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { quoteTrade, TRADE_REFUSALS } from './trading/build-quote.ts'
import type { Markets } from './trading/markets.ts'

const SlippageParam = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .refine(bps => bps <= SLIPPAGE_BPS_MAX)
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: SLIPPAGE_BPS_MAX,
    default: SLIPPAGE_BPS_DEFAULT,
    description:
      'How much less than quoted you would accept, in basis points; 100, which is 1 %, by default.',
  })

export function getQuoteEndpoint({
  chains,
  snapshots,
  markets,
}: {
  chains: Partial<Record<Network, { reachSlot: ReachSlot }>>
  snapshots: LaunchSnapshots
  markets: Partial<Record<Network, Markets>>
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/quote',
    id: 'getQuote',
    clientCall: 'launches.quote',
    tool: { name: 'quote', withoutInput: ['minSlot'] },
    tag: 'Launches',
    summary: 'Quote a trade',
    description: `What you would pay and receive for a trade now, to the smallest unit: on the bonding curve while it trades and, once the launch has graduated, in its pool.

- Quotes are read from the chain. Everyone who asks within a slot shares one reading, and these requests have a [limit of their own](#tag/rate-limits).
- While a first buy is reserved, only its buyer gets a quote, with \`wallet\`, for its exact amount and without fees.
- A launch that can't be traded now answers 409 and says why.`,
    params: LaunchParams,
    query: z.object({
      network: NetworkInput,
      side: TradeSide.meta({ ...TradeSide.meta(), examples: ['buy'] }),
      amount: UnitAmount.meta({ ...UnitAmount.meta(), examples: ['10000000'] }),
      mode: TradeMode,
      slippageBps: SlippageParam,
      wallet: AddressString.optional().meta({
        description: 'Who would trade. Only a reserved first buy needs it.',
      }),
      minSlot: MinSlot,
    }),
    faults: {
      network: 'INVALID_NETWORK',
      side: 'INVALID_SIDE',
      amount: 'INVALID_AMOUNT',
      mode: 'INVALID_MODE',
      slippageBps: 'INVALID_SLIPPAGE',
      wallet: 'INVALID_WALLET',
      minSlot: 'INVALID_MIN_SLOT',
      genesisAddress: 'LAUNCH_NOT_FOUND',
    },
    success: {
      description: 'What the trade would do.',
      schema: z.object({ data: TradeQuote }),
      example: { data: EXAMPLE_QUOTE },
    },
    errors: ['LAUNCH_NOT_FOUND', ...TRADE_REFUSALS],
    async answer({
      params: { genesisAddress },
      query: { network, side, amount, mode, slippageBps, wallet, minSlot },
      client,
    }) {
      const market = markets[network]
      if (!market || !snapshots.of(network).launch(genesisAddress)) throw new ServiceError('LAUNCH_NOT_FOUND')
      await chains[network]?.reachSlot({ minSlot, client })
      const reading = await market.readShared(genesisAddress, undefined, undefined, minSlot)
      const { quote } = quoteTrade(reading, { side, mode, amount }, { slippageBps, wallet })
      return { kind: 'json', value: { data: quote }, cacheControl: 'no-store' }
    },
  })
}
