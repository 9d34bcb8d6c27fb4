import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { isAgentMissing } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildWithdrawTransaction } from '../chain/transactions/build-withdraw.ts'

interface Withdrawal {
  address: Address
  /** Owns the asset, signs, pays the fee and receives the funds. */
  sender: Address
  lamports: bigint
}

export interface WithdrawParts {
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
