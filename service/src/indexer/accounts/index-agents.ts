import { identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount, CheckedReader } from '../../chain/account-reader.ts'
import { decodeAgentFacts, isAgentMissing } from '../../chain/agent-facts.ts'
import type { Database } from '../../store/database.ts'
import { findIndexedAgents, type IndexedAgent, saveIndexedAgents } from '../../store/indexed-agents.ts'
import { removeIndexed } from '../../store/removed-accounts.ts'
import { isBehind } from '../slot-watch.ts'

interface AgentIndexResult {
  written: number
  /** The node that answered has not reached the requested slot. */
  behind: Address[]
  /** Their document URIs changed, or their documents were never fetched. */
  undocumented: Address[]
  /** Agents that the chain has. */
  found: Address[]
  /** Agents that were burnt, or that the chain never had. */
  gone: Address[]
  /** Those of `gone` that the store had. */
  removed: Address[]
  /** Agents that the store has and the node that answered does not. They stay. */
  missing: Address[]
}

/** Updates agents from the chain, each as of the given slot or later. */
export async function indexAgents(
  { network, reader, database }: { network: Network; reader: CheckedReader; database: Database },
  agents: ReadonlyMap<Address, number>,
): Promise<AgentIndexResult> {
  const sinceMs = performance.now()
  const addresses = [...agents.keys()]
  const [{ slot, accounts }, known] = await Promise.all([
    reader.fetchAccounts(addresses.flatMap(address => [address, identityAddress(address)])),
    findIndexedAgents(database, network, addresses),
  ])
  const result: AgentIndexResult = {
    written: 0,
    behind: [],
    undocumented: [],
    found: [],
    gone: [],
    removed: [],
    missing: [],
  }
  const rows: IndexedAgent[] = []
  for (const [at, address] of addresses.entries()) {
    if (isBehind(slot, agents.get(address) ?? 0, reader.slotMs())) {
      result.behind.push(address)
      continue
    }
    const [asset, identity] = [accounts[2 * at] as ChainAccount, accounts[2 * at + 1] as ChainAccount]
    const facts = decodeAgentFacts(asset, identity)
    const before = known.get(address)
    if (!facts) {
      if (before && isAgentMissing(asset)) result.missing.push(address)
      // A node that is behind the stored state may not have the agent yet.
      else if (!before || before.slot <= slot) result.gone.push(address)
      continue
    }
    result.found.push(address)
    const row = { address, ...facts, slot }
    if (before && isSame(before, row)) continue
    rows.push(row)
    if (!before || DOCUMENTED.some(field => before[field] !== row[field])) result.undocumented.push(address)
  }
  result.removed = result.gone.filter(address => known.has(address))
  result.written = rows.length + result.removed.length
  if (result.written === 0) return result
  await reader.confirmCluster(sinceMs)
  await saveIndexedAgents(database, network, rows, result.undocumented)
  await removeIndexed(database, network, 'agents', { addresses: result.removed, slot })
  return result
}

/** The fields that an agent's documents, or its name in the list, depend on. */
const DOCUMENTED = ['uri', 'agentUri', 'agentToken', 'name'] as const
const FACTS = [...DOCUMENTED, 'owner', 'authority', 'identityVersion'] as const

const isSame = (before: IndexedAgent, after: IndexedAgent) =>
  FACTS.every(field => before[field] === after[field])
