import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Blockhash, BlockhashSource, ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { buildWithdrawTransaction } from '../chain/transactions/build-withdraw.ts'

export interface Withdrawal {
  address: Address
  /** Owns the asset, signs, pays the fee and receives the funds. */
  sender: Address
  lamports: bigint
}

export interface WithdrawParts {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmMissing'>
  blockhash: BlockhashSource
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/** What the owner signs to move funds out of the agent's wallet: one account read, and a blockhash that is already there. */
export async function withdrawFromAgent(
  { reader, blockhash, isKnown }: WithdrawParts,
  { address, sender, lamports }: Withdrawal,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [found, recent] = await Promise.all([
    fetchAccount(reader, address),
    blockhash.latestFor(`withdraw ${address} ${sender} ${lamports}`),
  ])
  if (!found.exists && (await isKnown(address)))
    throw new Error(`${address} is missing on the chain, which more likely is a node's mistake`)
  const asset = decodeAsset(found)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  // The chain checks this again; here it saves the caller a transaction that cannot succeed.
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

/** An account that the first endpoint does not have is looked for on all of them. */
async function fetchAccount(reader: WithdrawParts['reader'], address: Address): Promise<ChainAccount> {
  const read = async () => (await reader.fetchAccounts([address])).accounts[0] as ChainAccount
  const account = await read()
  if (account.exists) return account
  const { found } = await reader.confirmMissing([address])
  return found.length > 0 ? read() : account
}
