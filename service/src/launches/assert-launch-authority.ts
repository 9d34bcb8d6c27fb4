import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount, CheckedReader } from '../chain/account-reader.ts'
import { decodeAsset } from '../chain/accounts/asset.ts'
import { decodeGenesisAccount } from '../chain/accounts/genesis-account.ts'
import { assetSignerAddress } from '../chain/addresses/addresses.ts'
import { isAgentMissing } from '../chain/agent-facts.ts'

/** The agent through which a wallet controls a launch, and the slot as of which it owns that agent. */
interface ControllingAgent {
  address: Address
  slot: number
}

/**
 * Reads the chain and throws unless the wallet is the authority of this registered launch there, or owns the agent whose
 * wallet is. `agent` is a claim: it counts only if the authority is derived from it. Returns the agent if it was needed.
 */
export async function assertLaunchAuthority(
  reader: CheckedReader,
  { address, agent }: { address: Address; agent: Address | null },
  wallet: Address,
): Promise<ControllingAgent | undefined> {
  const sinceMs = performance.now()
  const { slot, accounts } = await reader.fetchAccounts(agent ? [address, agent] : [address])
  const genesis = decodeGenesisAccount(accounts[0] as ChainAccount)
  // It is registered, so an endpoint that lacks it is wrong or behind.
  if (!genesis.exists) throw lacking(address)
  const isAgents = agent !== null && assetSignerAddress(agent) === genesis.authority
  const owner = isAgents ? decodeOwner(accounts[1] as ChainAccount) : undefined
  await reader.confirmCluster(sinceMs)
  if (genesis.authority === wallet) return undefined
  if (!isAgents || owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { address: agent, slot }
}

/**
 * The owner of an agent that created a launch. A burnt agent has none. If there is no account at all, the
 * endpoint is wrong or behind.
 */
function decodeOwner(account: ChainAccount): Address | undefined {
  const asset = decodeAsset(account)
  if (asset.exists) return asset.owner
  if (isAgentMissing(account)) throw lacking(account.address)
  return undefined
}

const lacking = (address: Address) =>
  new ServiceError('SERVICE_UNAVAILABLE', {
    cause: new Error(`the endpoint does not have ${address}, which must exist`),
  })
