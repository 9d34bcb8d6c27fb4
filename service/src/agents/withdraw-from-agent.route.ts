import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BuiltTransaction } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, WITHDRAW_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { Amount } from './parse-amount.ts'
import { type WithdrawParts, withdrawFromAgent } from './withdraw-from-agent.ts'

interface WithdrawEndpointParts {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: WithdrawParts['reader']; blockhash: WithdrawParts['blockhash'] }>>
  database: Database
}

export function withdrawFromAgentEndpoint({ chains, database }: WithdrawEndpointParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: WITHDRAW_PATH,
    id: 'withdrawFromAgent',
    clientCall: 'agents.withdraw',
    tag: 'Agents',
    summary: "Withdraw from an agent's wallet",
    description: `Builds the unsigned transaction that moves SOL from the agent's wallet to its owner. The owner [signs and submits](#tag/sign-and-submit) it.

- Only the owner can withdraw. Another \`sender\` gets a 403.
- Each request builds a withdrawal of its own, and nothing moves until you submit it.
- The service does not check the balance. The chain refuses an amount that the wallet does not hold, and one that leaves the wallet with less than the rent minimum of 0.00089088 SOL, unless it leaves nothing.`,
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({
          description: 'The owner, who signs, pays the fee and receives the funds.',
        }),
        amount: Amount,
        network: NetworkInput,
      })
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, amount: 0.01 }] }),
    faults: {},
    success: {
      description: 'The transaction in base64, and the blockhash it was built with.',
      schema: BuiltTransaction,
      example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
    },
    errors: ['INVALID_INPUT', 'NOT_AGENT_OWNER', 'AGENT_NOT_FOUND'],
    unexpected: 'WITHDRAW_FAILED',
    async answer({ params: { address }, body: { sender, amount, network } }) {
      const chain = chains[network]
      if (!chain) throw new ServiceError('INVALID_INPUT')
      const built = await withdrawFromAgent(
        {
          reader: chain.rpc,
          blockhash: chain.blockhash,
          isKnown: async agent => (await findAgent(database, network, agent)).row !== undefined,
        },
        { address, sender, lamports: amount },
      )
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}
