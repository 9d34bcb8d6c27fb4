import { identityAddress } from '@slipway/launch-model/addresses'
import { type Address, AddressString } from '@slipway/schema/address'
import { BuiltTransfer } from '@slipway/schema/agent-wallet'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { decodeIdentity } from '../chain/accounts/identity.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildFundTransaction } from '../chain/transactions/build-agent.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { knownAgents } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, FUND_PATH } from './agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import {
  AMOUNT_FAULT,
  Amount,
  describeMoved,
  isAmount,
  NATIVE_DECIMALS,
  parseAmount,
  type WrittenAmount,
} from './parse-amount.ts'
import { fundTokens, spendable } from './wallet/fund-tokens.ts'
import { insufficient } from './wallet/read-token.ts'
import { TRANSFER_REFUSALS } from './withdraw-from-agent.route.ts'

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
  chains: Partial<Record<Network, { rpc: FundParts['rpc']; blockhash: FundParts['blockhash'] }>>
  database: Database
}

export function fundAgentEndpoint({ chains, database }: FundEndpointParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: FUND_PATH,
    id: 'fundAgent',
    clientCall: 'agents.fund',
    tool: {
      name: 'fund_agent',
      description:
        "Builds the unsigned transaction that pays SOL, or with `mint` a token, from `sender` into the agent's wallet, with a public memo. Anyone may fund any registered agent; only its owner can withdraw. The mint of wrapped SOL pays SOL, which arrives wrapped.",
      effect: ({ sender, address, ...asked }, built) =>
        `Pays ${describeMoved(asked, built)} from ${sender} into the wallet of agent ${address}, with a public memo. ${sender} signs.`,
    },
    tag: 'Agents',
    summary: "Fund an agent's wallet",
    description: `Builds the unsigned transaction that pays SOL or tokens from \`sender\` into the agent's wallet, with a memo that \`sender\` signs too. \`sender\` [signs and submits](#tag/sign-and-submit) it.

- Anyone may fund any registered agent. Its owner and [its delegates](#tag/life-of-an-agent) can then spend the funds.
- The memo is required and is public on the chain.
- With \`mint\`, that token is paid instead of SOL. The mint of wrapped SOL pays SOL from \`sender\`, which arrives wrapped. The transaction is simulated, and what can't succeed is refused with the reason.
- \`"all"\` is everything that \`sender\` has; of SOL, all but the fee.
- The chain refuses an amount of SOL that leaves the wallet with less than the rent of an empty account.`,
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({ description: 'Signs, and pays the amount and the fee.' }),
        amount: Amount,
        mint: AddressString.optional().meta({
          description: "A token's mint: pays that token instead of SOL.",
        }),
        memo: Memo,
        network: NetworkInput,
      })
      .refine(isAmount, AMOUNT_FAULT)
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, amount: 0.05, memo: 'July subscription' }] }),
    faults: {},
    success: {
      description: 'The transaction in base64, and the blockhash it was built with.',
      schema: BuiltTransfer,
      example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
    },
    errors: ['INVALID_INPUT', 'AGENT_NOT_FOUND', ...TRANSFER_REFUSALS],
    reportsDetails: true,
    unexpected: 'FUND_FAILED',
    async answer({ params: { address }, body: { network, ...funding } }) {
      const chain = chains[network]
      if (!chain)
        throw new ServiceError('INVALID_INPUT', {
          details: [{ path: 'network', message: 'is not served here' }],
        })
      const parts = {
        rpc: chain.rpc,
        blockhash: chain.blockhash,
        isKnown: knownAgents(database, network),
      }
      const built = await fundAgent(parts, { address, ...funding })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
}

/** A lone surrogate cannot be encoded in UTF-8: the chain would get a different text. */
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
  amount: WrittenAmount
  mint?: Address | undefined
  memo: string
}

interface FundParts {
  rpc: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing' | 'simulate'>
  blockhash: BlockhashSource
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/**
 * Builds the transaction that a sender signs to fund a registered agent. Native currency costs one read of two
 * accounts.
 */
async function fundAgent(parts: FundParts, funding: Funding) {
  const { address, mint } = funding
  const built = mint ? fundTokens(parts, { ...funding, mint }) : fundNative(parts, funding)
  // A missing agent is reported before any other error.
  built.catch(() => {})
  await assertRegistered(parts, address)
  return built
}

async function fundNative(
  { rpc, blockhash }: FundParts,
  { address, sender, amount, memo }: Funding,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [lamports, recent] = await Promise.all([
    amount === 'all' ? readSpendable(rpc, sender) : (parseAmount(amount) as bigint),
    blockhash.latestFor(`fund ${address} ${sender} ${amount} ${memo}`),
  ])
  const tx = buildFundTransaction({ asset: address, sender, lamports, memo, blockhash: recent.blockhash })
  const moved = amount === 'all' && { amount: `${lamports}`, decimals: NATIVE_DECIMALS }
  return { tx, blockhash: recent, ...moved }
}

async function readSpendable(rpc: FundParts['rpc'], sender: Address): Promise<bigint> {
  const { accounts } = await rpc.fetchAccounts([sender])
  const lamports = spendable(accounts[0] as ChainAccount)
  if (lamports === 0n) throw insufficient('holds nothing')
  return lamports
}

/** One endpoint is enough to report an agent as missing only if the store does not know it either. */
async function assertRegistered({ rpc: reader, isKnown }: FundParts, address: Address): Promise<void> {
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
