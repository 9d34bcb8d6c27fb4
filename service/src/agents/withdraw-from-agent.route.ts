import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type Address, AddressString } from '@slipway/schema/address'
import { BuiltTransfer } from '@slipway/schema/agent-wallet'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import type { Blockhash, BlockhashSource } from '../chain/account-reader.ts'
import type { HeavyReads } from '../chain/heavy-reads.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildWithdrawTransaction } from '../chain/transactions/build-agent.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { knownAgents } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, WITHDRAW_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import {
  AMOUNT_FAULT,
  Amount,
  describeMoved,
  isAmount,
  NATIVE_DECIMALS,
  parseAmount,
} from './parse-amount.ts'
import { type AssetParts, readAsset } from './read-asset.ts'
import { insufficient } from './wallet/read-token.ts'
import { withdrawTokens } from './wallet/withdraw-tokens.ts'

type WithdrawRpc = AssetParts['rpc'] & Pick<ChainRpc, 'fetchTokenAccounts' | 'simulate'>

interface WithdrawEndpointParts {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: WithdrawRpc; blockhash: BlockhashSource; heavyReads: HeavyReads }>>
  database: Database
}

export function withdrawFromAgentEndpoint({ chains, database }: WithdrawEndpointParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: WITHDRAW_PATH,
    id: 'withdrawFromAgent',
    clientCall: 'agents.withdraw',
    tool: {
      name: 'withdraw_from_agent',
      description:
        "Builds the unsigned transaction that moves SOL, or with `mint` a token, from the agent's wallet to its owner, who alone can withdraw. Wrapped SOL arrives as SOL: this is how an owner gets creator rewards that were claimed for an agent. Without `mint`, the balance is not checked: the chain refuses what the wallet does not hold, and what leaves it with less than the rent of an empty account, unless it leaves nothing.",
      effect: ({ sender, address, ...asked }, built) =>
        `Pays ${describeMoved(asked, built)} from the wallet of agent ${address} to its owner ${sender}, who signs.`,
    },
    tag: 'Agents',
    summary: "Withdraw from an agent's wallet",
    description: `Builds the unsigned transaction that moves SOL or tokens from the agent's wallet to its owner. The owner [signs and submits](#tag/sign-and-submit) it.

- Only the owner can withdraw. Another \`sender\` gets a 403.
- Each request builds a withdrawal of its own, and nothing moves until you submit it.
- With \`mint\`, that token is withdrawn instead of SOL. Wrapped SOL arrives as SOL: this is how an owner gets creator rewards that were claimed for an agent. \`"all"\` also closes its account, whose rent goes to the owner too.
- \`"all"\` takes everything there is, with or without \`mint\`. A token that is spread over more than five token accounts takes several withdrawals.
- Without \`mint\`, the service does not check the balance. The chain refuses an amount that the wallet does not hold, and one that leaves the wallet with less than the rent of an empty account, unless it leaves nothing. With \`mint\`, the transaction is simulated, and what can't succeed is refused with the reason.
- A token may take a fee from each transfer: then less arrives (\`restriction\` in its wallet).`,
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({
          description: 'The owner, who signs, pays the fee and receives the funds.',
        }),
        amount: Amount,
        mint: AddressString.optional().meta({
          description: "A token's mint: withdraws that token instead of SOL.",
        }),
        network: NetworkInput,
      })
      .refine(isAmount, AMOUNT_FAULT)
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, amount: 0.01 }] }),
    faults: {},
    success: {
      description: 'The transaction in base64, and the blockhash it was built with.',
      schema: BuiltTransfer,
      example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
    },
    errors: ['INVALID_INPUT', 'NOT_AGENT_OWNER', 'AGENT_NOT_FOUND', ...TRANSFER_REFUSALS],
    unexpected: 'WITHDRAW_FAILED',
    async answer({ params: { address }, body: { sender, amount, mint, network }, client }) {
      const chain = chains[network]
      if (!chain) throw new ServiceError('INVALID_INPUT')
      const { rpc, blockhash, heavyReads } = chain
      const parts = { rpc, blockhash, isKnown: knownAgents(database, network) }
      const built = mint
        ? await withdrawTokens({ ...parts, heavyReads }, { address, sender, mint, amount, client })
        : await withdrawFromAgent(parts, {
            address,
            sender,
            lamports: amount === 'all' ? 'all' : (parseAmount(amount) as bigint),
          })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}

/** Why tokens can't be moved into or out of a wallet, or why there is nothing to move. */
export const TRANSFER_REFUSALS: ErrorCode[] = [
  'INSUFFICIENT_BALANCE',
  'TOKEN_ACCOUNT_TAKEN',
  'TOKEN_FROZEN',
  'TRANSFER_RESTRICTED',
  'TRANSACTION_WOULD_FAIL',
]

interface Withdrawal {
  address: Address
  /** Owns the asset, signs, pays the fee and receives the funds. */
  sender: Address
  lamports: bigint | 'all'
}

interface WithdrawParts extends AssetParts {
  blockhash: BlockhashSource
}

/**
 * Builds the transaction that the owner signs to withdraw funds. It costs one account read; the blockhash is cached.
 */
export async function withdrawFromAgent(
  { blockhash, ...parts }: WithdrawParts,
  { address, sender, lamports: asked }: Withdrawal,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [{ asset, others }, recent] = await Promise.all([
    readAsset(parts, address, asked === 'all' ? [assetSignerAddress(address)] : []),
    blockhash.latestFor(`withdraw ${address} ${sender} ${asked}`),
  ])
  // The chain checks this too; this check saves the caller a transaction that cannot succeed.
  if (asset.owner !== sender) throw new ServiceError('NOT_AGENT_OWNER')
  const [wallet] = others
  const lamports = asked === 'all' ? (wallet?.exists ? wallet.lamports : 0n) : asked
  if (lamports === 0n) throw insufficient('holds nothing')
  const tx = buildWithdrawTransaction({
    asset: address,
    collection: asset.collection,
    owner: sender,
    lamports,
    blockhash: recent.blockhash,
  })
  const moved = asked === 'all' && { amount: `${lamports}`, decimals: NATIVE_DECIMALS }
  return { tx, blockhash: recent, ...moved }
}
