import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { saveListing } from '../store/agent-listing.ts'
import { lockAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { listedDisplay } from './listed-display.ts'
import { readableRow } from './read-agent.ts'

/**
 * Lists an agent as its stored documents describe it, in case an earlier version listed it otherwise. Returns whether the
 * registration document that the chain names is stored.
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
