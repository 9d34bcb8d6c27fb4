import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { AccountReader, Blockhash, BlockhashSource } from '../chain/account-reader.ts'
import { decodeAssetHead } from '../chain/accounts/asset.ts'
import { buildWithdrawTransaction } from '../chain/transactions/build-withdraw.ts'

export interface Withdrawal {
  address: Address
  /** Owns the asset, signs, pays the fee and receives the funds. */
  sender: Address
  lamports: bigint
}

/** What the owner signs to move funds out of the agent's wallet: one account read, and a blockhash that is already there. */
export async function withdrawFromAgent(
  { reader, blockhash }: { reader: AccountReader; blockhash: BlockhashSource },
  { address, sender, lamports }: Withdrawal,
): Promise<{ tx: string; blockhash: Blockhash }> {
  const [{ accounts }, recent] = await Promise.all([
    reader.fetchAccounts([address]),
    blockhash.latestFor(`withdraw ${address} ${sender} ${lamports}`),
  ])
  const asset = accounts[0] && decodeAssetHead(accounts[0])
  if (!asset?.exists) throw new ServiceError('AGENT_NOT_FOUND')
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
