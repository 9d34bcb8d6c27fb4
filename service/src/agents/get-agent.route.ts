import { Agent } from '@slipway/schema/agent'
import { ServiceError } from '@slipway/schema/errors'
import type { Snapshot } from '../endpoint/endpoint.ts'
import { defineEndpoint, type Endpoint, type PreparedAnswer } from '../endpoint/endpoint.ts'
import type { AgentCache } from './agent-cache.ts'
import { AGENT_PATH, AgentParams, AgentQuery } from './agent-paths.ts'
import { EXAMPLE_AGENT } from './examples.ts'

export function getAgentEndpoint({ agents }: { agents: AgentCache }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: AGENT_PATH,
    id: 'getAgent',
    clientCall: 'agents.get',
    tool: { name: 'get_agent', withoutFields: ['signatures'] },
    tag: 'Agents',
    summary: 'Get an agent',
    description:
      'The agent as the chain and its registration document describe it. Further fields of the document appear alongside the documented ones. A change on the chain may appear after a short delay.',
    params: AgentParams,
    query: AgentQuery,
    faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: { description: 'The agent.', schema: Agent, example: EXAMPLE_AGENT, conditional: true },
    errors: ['AGENT_NOT_FOUND'],
    unexpected: 'FETCH_AGENT_FAILED',
    prepared({ params, query }) {
      const view = agents.peek(query.network, params.address)
      return view && answerWith(view.detail)
    },
    async answer({ params, query, client }) {
      const view = await agents.get(query.network, params.address, client)
      if (!view) throw new ServiceError('AGENT_NOT_FOUND')
      return answerWith(view.detail)
    },
  })
}

function answerWith(snapshot: Snapshot): PreparedAnswer {
  return { kind: 'prepared', snapshot, cacheControl: 'public, max-age=5, stale-while-revalidate=60' }
}
