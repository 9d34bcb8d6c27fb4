import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from './account-reader.ts'
import { decodeAsset } from './accounts/asset.ts'
import { isAgentMissing } from './agent-facts.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'

export interface AssetWitnesses {
  rpc: Pick<ChainRpc, 'confirmCluster' | 'confirmMissing'>
  /** Whether the store knows an agent at this address. */
  isKnown(address: Address): Promise<boolean>
}

/**
 * Whether an asset must be read again because another endpoint has it. One endpoint is enough to report it as missing
 * only if the store does not know the agent either. Throws if the store does and no endpoint has it.
 */
export async function isOnAnotherEndpoint(
  { rpc, isKnown }: AssetWitnesses,
  account: ChainAccount,
  sinceMs: number,
): Promise<boolean> {
  const { address } = account
  if (isAsset(account) || !isAgentMissing(account)) return false
  if (!(await isKnown(address))) {
    await rpc.confirmCluster(sinceMs)
    return false
  }
  const { found } = await rpc.confirmMissing([address], isAsset)
  if (found.length > 0) return true
  throw new ServiceError('SERVICE_UNAVAILABLE', {
    cause: new Error(`no endpoint has ${address}, but the store does`),
  })
}

const isAsset = (account: ChainAccount) => decodeAsset(account).exists
