import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { AccountReader } from '../chain/account-reader.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import { type AgentRow, findAgent, type RememberedAgent, removeAgent, saveAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { type AgentDocuments, type DocumentSources, fetchAgentDocuments } from './agent-documents.ts'

export interface AgentReaderParts {
  database: Database
  /** Absent for a network that this deployment does not serve. */
  readerOf(network: Network): AccountReader | undefined
  sources: DocumentSources
  /** Whether one of the agent's own launches is of this token. */
  isOwnToken(network: Network, agent: Address, mint: Address): boolean
}

/**
 * Reads an agent anew from the chain and its documents, and remembers it. Its row is undefined when the chain has no
 * such agent; then nothing of it is remembered either, but for what operators said.
 */
export async function readAgent(
  { database, readerOf, sources, isOwnToken }: AgentReaderParts,
  network: Network,
  address: Address,
): Promise<RememberedAgent> {
  const reader = readerOf(network)
  if (!reader) return { row: undefined, verifiedAt: undefined, authoredCard: undefined }
  const [remembered, { slot, facts }] = await Promise.all([
    findAgent(database, network, address),
    fetchAgentFacts(reader, address),
  ])
  if (!facts) {
    if (remembered.row) await removeAgent(database, network, address, slot)
    return { ...remembered, row: undefined }
  }
  const documents = await fetchAgentDocuments(sources, reader, facts, {
    known: (remembered.row?.documents ?? {}) as AgentDocuments,
    isOwnToken: mint => isOwnToken(network, address, mint),
  })
  const row: AgentRow = { network, address, ...facts, slot, documents: { ...documents } }
  if (isSame(remembered.row, row)) return remembered
  const isNewest = await saveAgent(database, row)
  // Another node has seen a later state meanwhile.
  return isNewest ? { ...remembered, row } : findAgent(database, network, address)
}

/** The slot alone is no news. */
function isSame(before: AgentRow | undefined, after: AgentRow): boolean {
  return (
    before !== undefined && JSON.stringify({ ...after, slot: 0 }) === JSON.stringify(inOrder(before, after))
  )
}

function inOrder(before: AgentRow, after: AgentRow): object {
  return Object.fromEntries(
    Object.keys(after).map(key => [key, key === 'slot' ? 0 : before[key as keyof AgentRow]]),
  )
}
