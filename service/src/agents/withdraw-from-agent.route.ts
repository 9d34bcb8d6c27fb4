import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BlockhashBody } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { parseAmount } from './parse-amount.ts'
import { type WithdrawParts, withdrawFromAgent } from './withdraw-from-agent.ts'

const Amount = z
  .number()
  .transform((units, context) => {
    const lamports = parseAmount(units)
    if (lamports !== undefined) return lamports
    context.addIssue({ code: 'custom', message: 'not a positive whole number of the smallest unit' })
    return z.NEVER
  })
  .meta({
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Native-currency units, at most nine decimals. It is never rounded.',
    examples: [0.25],
  })

export function withdrawFromAgentEndpoint(
  chainOf: (network: Network) => WithdrawParts | undefined,
): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/agents/{address}/withdraw',
    id: 'withdrawFromAgent',
    tag: 'Agents',
    summary: "Withdraw from an agent's wallet",
    description:
      "Builds the unsigned transaction that moves native currency from the agent's wallet to its owner. The owner signs and submits it. The balance is not checked here: the chain refuses what is not there, and a wallet that would be left with less than the rent minimum (890,880 of the smallest unit) but not empty.",
    params: z.object({ address: AddressString }),
    body: z.object({
      sender: AddressString.meta({ description: 'The owner: signs, pays the fee, receives the funds.' }),
      amount: Amount,
      network: NetworkInput,
    }),
    faults: {},
    success: {
      description: 'The transaction, base64, with the blockhash that it was built against.',
      schema: z.object({ success: z.literal(true), tx: z.string(), blockhash: BlockhashBody }),
      example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
    },
    errors: ['INVALID_INPUT', 'NOT_AGENT_OWNER', 'AGENT_NOT_FOUND'],
    unexpected: 'WITHDRAW_FAILED',
    async answer({ params: { address }, body: { sender, amount, network } }) {
      const chain = chainOf(network)
      if (!chain) throw new ServiceError('INVALID_INPUT')
      const built = await withdrawFromAgent(chain, { address, sender, lamports: amount })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
