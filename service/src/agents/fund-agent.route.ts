import { identityAddress } from '@slipway/launch-model/addresses'
import { type Address, AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BuiltTransaction } from '@slipway/schema/transaction'
import { z } from 'zod'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { decodeIdentity } from '../chain/accounts/identity.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildFundTransaction } from '../chain/transactions/build-fund.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, FUND_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { Amount } from './parse-amount.ts'

const MEMO_LENGTH_MAX = 256
const MEMO_BYTES_MAX = 566

const Memo = z
  .string()
  .refine(isMemo, { message: 'must be 1 to 256 characters, at most 566 bytes, without control characters' })
  .meta({
    minLength: 1,
    maxLength: MEMO_LENGTH_MAX,
    description:
      'Required. It is public on the chain, and has 1 to 256 characters, at most 566 bytes, and no control characters.',
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
- The memo is required and is public on the chain.
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
    reportsDetails: true,
    unexpected: 'FUND_FAILED',
    async answer({ params: { address }, body: { sender, amount, memo, network } }) {
      const chain = chains[network]
      if (!chain)
        throw new ServiceError('INVALID_INPUT', {
          details: [{ path: 'network', message: 'is not served here' }],
        })
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

interface Funding {
  address: Address
  sender: Address
  lamports: bigint
  memo: string
}

interface FundParts {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing'>
  blockhash: BlockhashSource
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/** Builds the transaction that a sender signs to fund a registered agent. It costs one read of two accounts. */
async function fundAgent(
  { reader, blockhash, isKnown }: FundParts,
  { address, sender, lamports, memo }: Funding,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [, recent] = await Promise.all([
    assertRegistered({ reader, isKnown }, address),
    blockhash.latestFor(`fund ${address} ${sender} ${lamports} ${memo}`),
  ])
  const tx = buildFundTransaction({ asset: address, sender, lamports, memo, blockhash: recent.blockhash })
  return { tx, blockhash: recent }
}

/** One endpoint is enough to report an agent as missing only if the store does not know it either. */
async function assertRegistered(
  { reader, isKnown }: Pick<FundParts, 'reader' | 'isKnown'>,
  address: Address,
): Promise<void> {
  const sinceMs = performance.now()
  const { facts, isMissing } = await fetchAgentFacts(reader, address)
  if (facts) return
  if (!isMissing || !(await isKnown(address))) {
    await reader.confirmCluster(sinceMs)
    throw new ServiceError('AGENT_NOT_FOUND')
  }
  const accounts = [address, identityAddress(address)]
  const { found } = await reader.confirmMissing(accounts, isAssetOrIdentity)
  if (found.length === accounts.length && (await fetchAgentFacts(reader, address)).facts) return
  throw new Error(`no endpoint has ${address}, but the store does; treated as an RPC fault`)
}

const isAssetOrIdentity = (account: ChainAccount) =>
  decodeAsset(account).exists || decodeIdentity(account).exists
