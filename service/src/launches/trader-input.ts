import { AddressString } from '@slipway/schema/address'
import { NetworkInput } from '@slipway/schema/network'
import { PayerMax } from '@slipway/schema/trade'
import { z } from 'zod'

const PRIORITY_FEE_MAX = 10_000_000

export const PriorityFee = z
  .int()
  .min(0)
  .max(PRIORITY_FEE_MAX)
  .default(0)
  .meta({ description: 'The price of a compute unit, in micro-lamports; 0 by default.' })

/** The trader and the payer, as in every request for a transaction. */
export const TRADER_INPUT = {
  payer: AddressString.optional().meta({
    description: 'The wallet that pays fees and rent, and signs too. Defaults to `wallet`.',
  }),
  agent: AddressString.optional().meta({
    description:
      "An agent that `wallet` owns: the agent's own wallet takes part, and `wallet` pays fees and rent.",
  }),
  payerMax: PayerMax,
  priorityFee: PriorityFee,
  network: NetworkInput,
}

/** An agent's owner always pays. */
export const onePayer = {
  check: ({ payer, agent }: { payer?: unknown; agent?: unknown }) =>
    payer === undefined || agent === undefined,
  fault: { path: ['payer'], error: 'must not be sent together with agent, whose owner pays' },
}
