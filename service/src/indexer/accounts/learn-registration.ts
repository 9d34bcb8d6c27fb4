import { identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { findUnregistered, type Registration, saveRegistration } from '../../store/agent-listing.ts'
import type { Database } from '../../store/database.ts'

type HistoryRpc = Pick<ChainCalls, 'fetchSignatures' | 'fetchBlockTime' | 'confirmCluster'>

const PAGE = 1_000
/** An identity usually has a handful of transactions. Anyone can add more, so the search is limited. */
const PAGES_MAX = 5
/** Clocks differ, and the chain's is the slowest. */
const CLOCK_MS = 60_000

/** Finds the transaction that registered an agent, unless it is known: the oldest one of its identity. */
export async function learnRegistration(
  { rpc, database, network }: { rpc: HistoryRpc; database: Database; network: Network },
  address: Address,
): Promise<void> {
  const listed = await findUnregistered(database, network, address)
  if (!listed) return
  const sinceMs = performance.now()
  const registration = await fetchRegistration(rpc, identityAddress(address))
  // Nodes prune their history: what happened after the agent was stored did not register it.
  if (!registration || registration.at.getTime() > listed.indexedAt.getTime() + CLOCK_MS) return
  await rpc.confirmCluster(sinceMs)
  await saveRegistration(database, network, address, registration)
}

async function fetchRegistration(rpc: HistoryRpc, identity: Address): Promise<Registration | undefined> {
  let oldest: { signature: string; slot: number; blockTime: number | undefined } | undefined
  let before: string | undefined
  for (let page = 1; ; page += 1) {
    const found = await rpc.fetchSignatures(identity, { limit: PAGE, ...(before && { before }) })
    oldest = found.findLast(({ failed }) => !failed) ?? oldest
    if (found.length < PAGE) break
    if (page === PAGES_MAX) return undefined
    before = found.at(-1)?.signature
  }
  if (!oldest) return undefined
  const seconds = oldest.blockTime ?? (await rpc.fetchBlockTime(oldest.slot))
  return seconds === undefined ? undefined : { signature: oldest.signature, at: new Date(seconds * 1_000) }
}
