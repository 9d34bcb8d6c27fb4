import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { CheckedReader } from '../chain/account-reader.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'

/** Reads the chain and throws unless the wallet owns the agent there. Returns the slot as of which it does. */
export async function assertAgentOwner(
  {
    reader,
    isKnown,
  }: {
    reader: CheckedReader
    /** Whether the store knows an agent at this address. */
    isKnown: boolean
  },
  address: Address,
  wallet: Address,
): Promise<{ slot: number }> {
  const sinceMs = performance.now()
  const { slot, facts, isMissing } = await fetchAgentFacts(reader, address)
  // One endpoint that lacks an agent proves nothing if the store has it.
  if (isMissing && isKnown)
    throw new ServiceError('SERVICE_UNAVAILABLE', {
      cause: new Error(`the endpoint does not have ${address}, but the store does`),
    })
  await reader.confirmCluster(sinceMs)
  if (!facts) throw new ServiceError('AGENT_NOT_FOUND')
  if (facts.owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { slot }
}
