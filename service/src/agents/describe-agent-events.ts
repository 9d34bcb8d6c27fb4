import { cleanName } from '@slipway/schema/clean-text'
import type { EventDetails } from '@slipway/schema/event'
import { cutText, LISTED_BYTES, shortenUri } from '../lib/shorten.ts'
import type { Database } from '../store/database.ts'
import { detailsKey, readAgentDetails } from '../store/event-details.ts'
import type { StoredEvent } from '../store/events.ts'

/**
 * What is known now about the agents of these events. Undefined for events of launches, and for agents that are gone
 * or hidden.
 */
export async function describeAgentEvents(
  database: Database,
  events: readonly StoredEvent[],
): Promise<(EventDetails | undefined)[]> {
  const agents = await readAgentDetails(
    database,
    events.filter(({ type }) => type.startsWith('agent.')),
  )
  return events.map(({ type, network, address }) => {
    const agent = type.startsWith('agent.') ? agents.get(detailsKey(network, address)) : undefined
    if (!agent) return undefined
    const name = cutText(cleanName(agent.name) ?? '', LISTED_BYTES.name)
    return { agent: { ...agent, name, agentMetadataUri: shortenUri(agent.agentMetadataUri) } }
  })
}
