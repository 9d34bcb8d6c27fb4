import { identityAddress } from '@slipway/launch-model/addresses'
import { CORE_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from './account-reader.ts'
import { decodeAsset } from './accounts/asset.ts'
import { decodeIdentity } from './accounts/identity.ts'

/** What the chain says about a registered agent. */
export interface AgentFacts {
  owner: Address
  /** The update authority; for an asset in a collection, the collection's address. */
  authority: Address | null
  name: string
  uri: string
  identityVersion: number
  agentUri: string | null
  agentToken: Address | null
}

/** Takes one round trip. `facts` is undefined if the asset does not exist or is not registered. */
export async function fetchAgentFacts(
  reader: AccountReader,
  address: Address,
): Promise<{ slot: number; facts: AgentFacts | undefined; isMissing: boolean }> {
  const { slot, accounts } = await reader.fetchAccounts([address, identityAddress(address)])
  const [asset, identity] = accounts as [ChainAccount, ChainAccount]
  const facts = decodeAgentFacts(asset, identity)
  return { slot, facts, isMissing: !facts && isAgentMissing(asset) }
}

/**
 * Whether an agent that has no facts may still exist. Burning an asset leaves an account of one byte behind, which
 * proves the end of the agent. Anything else (no account, or one that can't be decoded) is more likely a node's
 * mistake.
 */
export function isAgentMissing(asset: ChainAccount): boolean {
  return !(asset.exists && asset.owner === CORE_PROGRAM && asset.data.length === 1)
}

/** The facts that the accounts of an asset and its identity hold together. */
export function decodeAgentFacts(
  assetAccount: ChainAccount,
  identityAccount: ChainAccount,
): AgentFacts | undefined {
  const asset = decodeAsset(assetAccount)
  const identity = decodeIdentity(identityAccount)
  if (!asset.exists || !identity.exists) return undefined
  const { updateAuthority } = asset
  return {
    owner: asset.owner,
    authority: updateAuthority.kind === 'none' ? null : updateAuthority.address,
    name: asset.name,
    uri: asset.uri,
    identityVersion: identity.version,
    agentUri: asset.agentUri ?? null,
    agentToken: identity.agentToken ?? null,
  }
}
