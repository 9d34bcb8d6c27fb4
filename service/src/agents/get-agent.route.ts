import { AddressString } from '@slipway/schema/address'
import { Agent } from '@slipway/schema/agent'
import { ServiceError } from '@slipway/schema/errors'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { AgentBook } from './agent-cache.ts'
import { EXAMPLE_AGENT } from './examples.ts'

export const AGENT_CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=60'

export function getAgentEndpoint(book: AgentBook): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/agents/{address}',
    id: 'getAgent',
    tag: 'Agents',
    summary: 'Get an agent',
    description:
      'What the chain and its registration document say of an agent. Further fields of the document stand beside the documented ones. Changes on the chain may appear after a short delay.',
    params: z.object({ address: AddressString }),
    query: z.object({ network: NetworkInput }),
    faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: { description: 'The agent.', schema: Agent, example: EXAMPLE_AGENT, conditional: true },
    errors: ['AGENT_NOT_FOUND'],
    unexpected: 'FETCH_AGENT_FAILED',
    async answer({ params, query }) {
      const view = await book.get(query.network, params.address)
      if (!view) throw new ServiceError('AGENT_NOT_FOUND')
      return { kind: 'prepared', snapshot: view.detail, cacheControl: AGENT_CACHE_CONTROL }
    },
  })
}
