import { AddressString } from '@slipway/schema/address'
import { AgentCard } from '@slipway/schema/agent'
import { ServiceError } from '@slipway/schema/errors'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { AgentBook } from './agent-cache.ts'
import { EXAMPLE_CARD } from './examples.ts'

export const CARD_CACHE_CONTROL = 'max-age=60, stale-while-revalidate=600'

export function getAgentCardEndpoint(book: AgentBook): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/agents/{address}/agent-card.json',
    id: 'getAgentCard',
    tag: 'Agents',
    summary: "Get an agent's card",
    description:
      'The A2A AgentCard that is hosted here, without an envelope: as its author stored it, or made from the registration document. Clients of A2A 0.3 and 1.0 read it.',
    params: z.object({ address: AddressString }),
    query: z.object({ network: NetworkInput }),
    faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: { description: 'The card.', schema: AgentCard, example: EXAMPLE_CARD, conditional: true },
    errors: ['AGENT_NOT_FOUND', 'AGENT_CARD_NOT_FOUND'],
    unexpected: 'FETCH_AGENT_FAILED',
    async answer({ params, query }) {
      const view = await book.get(query.network, params.address)
      if (!view) throw new ServiceError('AGENT_NOT_FOUND')
      if (!view.card) throw new ServiceError('AGENT_CARD_NOT_FOUND')
      return { kind: 'prepared', snapshot: view.card, cacheControl: CARD_CACHE_CONTROL }
    },
  })
}
