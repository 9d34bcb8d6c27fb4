import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { decodeIdentity } from '../chain/accounts/identity.ts'
import { identityAddress } from '../chain/addresses/addresses.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildFundTransaction } from '../chain/transactions/build-fund.ts'

interface Funding {
  address: Address
  sender: Address
  lamports: bigint
  memo: string
}

export interface FundParts {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing'>
  blockhash: BlockhashSource
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/** Builds the transaction that a sender signs to fund a registered agent. It costs one read of two accounts. */
export async function fundAgent(
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
