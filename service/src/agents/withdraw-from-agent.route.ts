import { type Address, AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BuiltTransaction } from '@slipway/schema/transaction'
import { z } from 'zod'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { isAgentMissing } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildWithdrawTransaction } from '../chain/transactions/build-withdraw.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, WITHDRAW_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { Amount } from './parse-amount.ts'

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

interface Withdrawal {
  address: Address
  /** Owns the asset, signs, pays the fee and receives the funds. */
  sender: Address
  lamports: bigint
}

interface WithdrawParts {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing'>
  blockhash: BlockhashSource
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/** Builds the transaction that the owner signs to withdraw funds. It costs one account read; the blockhash is cached. */
export async function withdrawFromAgent(
  { reader, blockhash, isKnown }: WithdrawParts,
  { address, sender, lamports }: Withdrawal,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [found, recent] = await Promise.all([
    fetchAsset({ reader, isKnown }, address),
    blockhash.latestFor(`withdraw ${address} ${sender} ${lamports}`),
  ])
  const asset = decodeAsset(found)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  // The chain checks this too; this check saves the caller a transaction that cannot succeed.
  if (asset.owner !== sender) throw new ServiceError('NOT_AGENT_OWNER')
  const tx = buildWithdrawTransaction({
    asset: address,
    collection: asset.collection,
    owner: sender,
    lamports,
    blockhash: recent.blockhash,
  })
  return { tx, blockhash: recent }
}

/** One endpoint is enough to report an asset as missing only if the store does not know the agent either. */
async function fetchAsset(
  { reader, isKnown }: Pick<WithdrawParts, 'reader' | 'isKnown'>,
  address: Address,
): Promise<ChainAccount> {
  const read = async () => (await reader.fetchAccounts([address])).accounts[0] as ChainAccount
  const sinceMs = performance.now()
  const account = await read()
  const isAsset = (each: ChainAccount) => decodeAsset(each).exists
  if (isAsset(account) || !isAgentMissing(account)) return account
  if (!(await isKnown(address))) {
    await reader.confirmCluster(sinceMs)
    return account
  }
  const { found } = await reader.confirmMissing([address], isAsset)
  if (found.length > 0) return read()
  throw new ServiceError('SERVICE_UNAVAILABLE', {
    cause: new Error(`no endpoint has ${address}, but the store does`),
  })
}
