import type { ListedDisplay } from '../store/agent-listing.ts'
import type { AgentRow } from '../store/agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { describeDisplay } from './describe-agent.ts'

/** What the list is filtered and searched by, from the agent's documents as stored. */
export function listedDisplay({ documents, ...facts }: AgentRow): ListedDisplay {
  const stored = documents as AgentDocuments
  const { name, description } = describeDisplay(facts, stored)
  return { name, description, isActive: isActive(stored), hasServices: hasServices(stored) }
}

/** An agent is active unless its registration document says otherwise. */
export const isActive = ({ registration }: AgentDocuments) => registration?.fields.active !== false

const hasServices = ({ registration }: AgentDocuments) => (registration?.value.services.length ?? 0) > 0
