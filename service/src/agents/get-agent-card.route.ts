import { AgentCard } from '@slipway/schema/agent'
import { ServiceError } from '@slipway/schema/errors'
import type { Snapshot } from '../endpoint/endpoint.ts'
import { defineEndpoint, type Endpoint, type PreparedAnswer } from '../endpoint/endpoint.ts'
import type { AgentCache } from './agent-cache.ts'
import { AgentParams, AgentQuery, CARD_PATH, WELL_KNOWN_CARD_PATH } from './agent-paths.ts'
import { EXAMPLE_CARD } from './examples.ts'

export const getAgentCardEndpoint = ({ agents }: { agents: AgentCache }): Endpoint =>
  cardEndpoint(agents, {
    path: CARD_PATH,
    id: 'getAgentCard',
    clientCall: 'agents.card',
    summary: "Get an agent's card",
    description: `The A2A AgentCard that is hosted here, without an envelope: either the card that its author stored, or one that is built from the registration document. Clients of A2A 0.3 and 1.0 can read it.

A built card carries \`signatures\` (A2A 1.0, section 8.4) if this deployment signs cards. The keys are at \`/.well-known/jwks.json\`.`,
  })

export const getWellKnownAgentCardEndpoint = ({ agents }: { agents: AgentCache }): Endpoint =>
  cardEndpoint(agents, {
    path: WELL_KNOWN_CARD_PATH,
    id: 'getWellKnownAgentCard',
    summary: "Get an agent's card from the agent's URL",
    description:
      'The same card, at the path where A2A clients look for it when you give them the URL of an agent: `/v1/agents/{address}/`, with the slash at the end.',
  })

function cardEndpoint(
  agents: AgentCache,
  described: Pick<Endpoint, 'path' | 'id' | 'clientCall' | 'summary' | 'description'>,
): Endpoint {
  return defineEndpoint({
    method: 'GET',
    tag: 'Agents',
    ...described,
    params: AgentParams,
    query: AgentQuery,
    faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: { description: 'The card.', schema: AgentCard, example: EXAMPLE_CARD, conditional: true },
    errors: ['AGENT_NOT_FOUND', 'AGENT_CARD_NOT_FOUND'],
    prepared({ params, query }) {
      const card = agents.peek(query.network, params.address)?.card
      return card && answerWith(card)
    },
    async answer({ params, query }) {
      const view = await agents.get(query.network, params.address)
      if (!view) throw new ServiceError('AGENT_NOT_FOUND')
      if (!view.card) throw new ServiceError('AGENT_CARD_NOT_FOUND')
      return answerWith(view.card)
    },
  })
}

function answerWith(snapshot: Snapshot): PreparedAnswer {
  return { kind: 'prepared', snapshot, cacheControl: 'max-age=60, stale-while-revalidate=600' }
}
