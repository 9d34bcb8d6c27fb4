import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { type AssetWitnesses, isOnAnotherEndpoint } from '../chain/confirm-asset.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'

export interface AssetParts extends AssetWitnesses {
  rpc: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing'>
}

/** The asset, and other accounts of the same slot. Throws `AGENT_NOT_FOUND` if there is none. */
export async function readAsset(parts: AssetParts, address: Address, also: readonly Address[] = []) {
  const { slot, accounts } = await fetchAsset(parts, address, also)
  const asset = decodeAsset(accounts[0] as ChainAccount)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  return { slot, asset, others: accounts.slice(1) }
}

async function fetchAsset(parts: AssetParts, address: Address, also: readonly Address[]) {
  const read = () => parts.rpc.fetchAccounts([address, ...also])
  const sinceMs = performance.now()
  const found = await read()
  const account = found.accounts[0] as ChainAccount
  return (await isOnAnotherEndpoint(parts, account, sinceMs)) ? read() : found
}
