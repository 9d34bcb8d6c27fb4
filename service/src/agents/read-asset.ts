import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { type AssetWitnesses, isOnAnotherEndpoint } from '../chain/confirm-asset.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'

export interface AssetParts extends Pick<AssetWitnesses, 'isKnown'> {
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster' | 'confirmMissing'>
}

export const assetParts = (
  reader: AssetParts['reader'],
  database: Database,
  network: Network,
): AssetParts => ({
  reader,
  isKnown: async agent => (await findAgent(database, network, agent)).row !== undefined,
})

/** The asset, and other accounts of the same slot. Throws `AGENT_NOT_FOUND` if there is none. */
export async function readAsset(
  { reader, isKnown }: AssetParts,
  address: Address,
  also: readonly Address[] = [],
) {
  const { slot, accounts } = await fetchAsset({ reader, isKnown }, address, also)
  const asset = decodeAsset(accounts[0] as ChainAccount)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  return { slot, asset, others: accounts.slice(1) }
}

async function fetchAsset({ reader, isKnown }: AssetParts, address: Address, also: readonly Address[]) {
  const read = () => reader.fetchAccounts([address, ...also])
  const sinceMs = performance.now()
  const found = await read()
  const account = found.accounts[0] as ChainAccount
  return (await isOnAnotherEndpoint({ rpc: reader, isKnown }, account, sinceMs)) ? read() : found
}
