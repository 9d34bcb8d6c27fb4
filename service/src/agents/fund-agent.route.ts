import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BuiltTransaction } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, FUND_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { type FundParts, fundAgent } from './fund-agent.ts'
import { Amount } from './parse-amount.ts'

const MEMO_LENGTH_MAX = 256
const MEMO_BYTES_MAX = 566

const Memo = z
  .string()
  .refine(isMemo, { message: 'not 1 to 256 characters (566 bytes) without control characters' })
  .meta({
    minLength: 1,
    maxLength: MEMO_LENGTH_MAX,
    description: 'Public on the chain: 1 to 256 characters, at most 566 bytes, no control characters.',
  })

interface FundEndpointParts {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: FundParts['reader']; blockhash: FundParts['blockhash'] }>>
  database: Database
}

export function fundAgentEndpoint({ chains, database }: FundEndpointParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: FUND_PATH,
    id: 'fundAgent',
    clientCall: 'agents.fund',
    tag: 'Agents',
    summary: "Fund an agent's wallet",
    description: `Builds the unsigned transaction that pays SOL from \`sender\` into the agent's wallet, with a memo that \`sender\` signs too. \`sender\` [signs and submits](#tag/sign-and-submit) it.

- Anyone may fund any registered agent. Only the agent's owner can withdraw.
- The memo is public on the chain.
- The chain refuses an amount that leaves the wallet with less than the rent minimum of 0.00089088 SOL.`,
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({ description: 'Signs, and pays the amount and the fee.' }),
        amount: Amount,
        memo: Memo,
        network: NetworkInput,
      })
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, amount: 0.05, memo: 'July subscription' }] }),
    faults: {},
    success: {
      description: 'The transaction in base64, and the blockhash it was built with.',
      schema: BuiltTransaction,
      example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
    },
    errors: ['INVALID_INPUT', 'AGENT_NOT_FOUND'],
    unexpected: 'FUND_FAILED',
    async answer({ params: { address }, body: { sender, amount, memo, network } }) {
      const chain = chains[network]
      if (!chain) throw new ServiceError('INVALID_INPUT')
      const built = await fundAgent(
        {
          reader: chain.rpc,
          blockhash: chain.blockhash,
          isKnown: async agent => (await findAgent(database, network, agent)).row !== undefined,
        },
        { address, sender, lamports: amount, memo },
      )
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}

/** A lone surrogate cannot be encoded: the chain would get another text. */
function isMemo(text: string): boolean {
  const length = [...text.slice(0, 2 * MEMO_LENGTH_MAX + 1)].length
  return (
    length >= 1 &&
    length <= MEMO_LENGTH_MAX &&
    Buffer.byteLength(text) <= MEMO_BYTES_MAX &&
    !/[\p{Cc}\p{Cs}]/u.test(text)
  )
}
