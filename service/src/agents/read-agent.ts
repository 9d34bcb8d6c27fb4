import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { CheckedReader } from '../chain/account-reader.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import { saveListing } from '../store/agent-listing.ts'
import {
  type AgentRow,
  findAgent,
  lockAgent,
  type RememberedAgent,
  removeAgent,
  saveAgent,
} from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { type AgentDocuments, type DocumentSources, fetchAgentDocuments } from './agent-documents.ts'
import { describeAgent, listedDisplay } from './describe-agent.ts'

interface AgentReaderParts {
  database: Database
  /** Absent for a network that this deployment does not serve. */
  readerOf(network: Network): CheckedReader | undefined
  sources: DocumentSources
  /** Whether one of the agent's own launches has this token. */
  isOwnToken(network: Network, agent: Address, mint: Address): boolean
  /** Records that the chain names a hosted document for this agent, and returns the card that comes with it. */
  claimDocument(network: Network, address: Address, uri: string): Promise<{ card: Buffer | null } | undefined>
  /** Called if an agent in the store is missing on the chain. */
  onMissing(network: Network): void
}

/**
 * Reads an agent from the chain and its documents, and saves it. If the chain has no such agent, the row is undefined,
 * and the store keeps nothing but what operators have set.
 */
export async function readAgent(
  { database, readerOf, sources, isOwnToken, claimDocument, onMissing }: AgentReaderParts,
  network: Network,
  address: Address,
): Promise<RememberedAgent> {
  const reader = readerOf(network)
  if (!reader) return { row: undefined, verifiedAt: undefined, authoredCard: undefined }
  const sinceMs = performance.now()
  const [remembered, { slot, facts, isMissing }] = await Promise.all([
    findReadableAgent(database, network, address),
    fetchAgentFacts(reader, address),
  ])
  if (remembered.row && isMissing) {
    onMissing(network)
    throw new ServiceError('SERVICE_UNAVAILABLE', {
      cause: new Error(`the endpoint does not have ${address}, but the store does`),
    })
  }
  await reader.confirmCluster(sinceMs)
  if (!facts) {
    if (!remembered.row || (await removeAgent(database, network, address, slot)))
      return { ...remembered, row: undefined }
    return findReadableAgent(database, network, address)
  }
  const documents = await fetchAgentDocuments(sources, reader, facts, {
    network,
    known: (remembered.row?.documents ?? {}) as AgentDocuments,
    isOwnToken: mint => isOwnToken(network, address, mint),
  })
  const uri = facts.agentUri
  const card = uri ? (await claimDocument(network, address, uri))?.card : undefined
  if (uri && card) documents.card = { uri, text: card.toString() }
  const row: AgentRow = { network, address, ...facts, slot, documents: { ...documents } }
  if (isSame(remembered.row, row)) return remembered
  const isNewest = await saveAgent(database, row, listedDisplay(row))
  // Otherwise, another node has saved a later state, or another owner's card is in effect.
  const isCurrent = isNewest && remembered.row?.owner === row.owner
  return isCurrent ? { ...remembered, row } : findReadableAgent(database, network, address)
}

/**
 * Finds an agent in the store. Documents that another version saved and this one cannot read are left out: the agent
 * is described from the chain, and they are fetched again.
 */
export async function findReadableAgent(
  database: Database,
  network: Network,
  address: Address,
): Promise<RememberedAgent> {
  const remembered = await findAgent(database, network, address)
  const { row } = remembered
  return row ? { ...remembered, row: readableRow(row) } : remembered
}

/**
 * Lists an agent as its stored documents describe it, in case an earlier version listed it otherwise. Returns whether
 * the registration document that the chain names is stored.
 */
export function syncListing(database: Database, network: Network, address: Address): Promise<boolean> {
  return database.transact('agents.sync-listing', async db => {
    // An agent that is being removed must not be listed again.
    const stored = await lockAgent(db, network, address)
    if (!stored) return true
    const row = readableRow(stored)
    const { agentUri, agentToken, documents } = row
    await saveListing(db, network, { address, agentToken, ...listedDisplay(row) }, { hasChanged: false })
    return !agentUri || (documents as AgentDocuments).registration?.uri === agentUri
  })
}

/** The row without documents that this version cannot read. */
const readableRow = (row: AgentRow): AgentRow => (isReadable(row) ? row : { ...row, documents: {} })

function isReadable(row: AgentRow): boolean {
  const { network, address } = row
  const documents = row.documents as AgentDocuments
  const source = { network, address, facts: row, documents, tokens: [] }
  try {
    describeAgent({ ...source, verifiedAt: undefined, authoredCard: undefined }, { publicUrl: '' })
    return true
  } catch {
    return false
  }
}

/** Compares everything except the slot and the times of fetching. */
function isSame(before: AgentRow | undefined, after: AgentRow): boolean {
  return before !== undefined && isDeepStrictEqual(contentOf(before), contentOf(after))
}

function contentOf({ slot: _, documents, ...facts }: AgentRow) {
  const contents = Object.entries(documents as AgentDocuments).map(([name, document]) => [
    name,
    // The order of fields counts: they are served in this order.
    JSON.stringify({ ...document, fetchedAtMs: undefined }),
  ])
  return { ...facts, contents: Object.fromEntries(contents) }
}
