import type { Address } from '@slipway/schema/address'
import { AgentCard } from '@slipway/schema/agent'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { Snapshot } from '../endpoint/endpoint.ts'
import { defineEndpoint, type Endpoint, type PreparedAnswer } from '../endpoint/endpoint.ts'
import type { AgentCache } from './agent-cache.ts'
import {
  AgentParams,
  AgentQuery,
  CARD_PATH,
  NETWORK_CARD_PATH,
  NETWORK_WELL_KNOWN_CARD_PATH,
  NetworkAgentParams,
  WELL_KNOWN_CARD_PATH,
} from './agent-paths.ts'
import { EXAMPLE_CARD } from './examples.ts'

export const getAgentCardEndpoint = ({ agents }: { agents: AgentCache }): Endpoint =>
  cardEndpoint(agents, {
    path: CARD_PATH,
    id: 'getAgentCard',
    clientCall: 'agents.card',
    tool: { name: 'get_agent_card', resource: "An agent's card" },
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
      "The same card, at the path where A2A clients look for it when you give them an agent's URL: `/v1/agents/{address}/`, with the trailing slash. They drop the query, so on networks other than `chain-mainnet` the URL is `/v1/networks/{network}/agents/{address}/`.",
  })

export const getNetworkAgentCardEndpoint = ({ agents }: { agents: AgentCache }): Endpoint =>
  networkCardEndpoint(agents, {
    path: NETWORK_CARD_PATH,
    id: 'getNetworkAgentCard',
    summary: "Get an agent's card on a network",
    description: 'The same card, with the network in the path.',
  })

export const getNetworkWellKnownAgentCardEndpoint = ({ agents }: { agents: AgentCache }): Endpoint =>
  networkCardEndpoint(agents, {
    path: NETWORK_WELL_KNOWN_CARD_PATH,
    id: 'getNetworkWellKnownAgentCard',
    summary: "Get an agent's card from the agent's URL on a network",
    description:
      "The same card, at the path where A2A clients look for it when you give them an agent's URL with its network: `/v1/networks/{network}/agents/{address}/`, with the trailing slash.",
  })

type Described = Pick<Endpoint, 'path' | 'id' | 'clientCall' | 'tool' | 'summary' | 'description'>

const COMMON = {
  method: 'GET',
  tag: 'Agents',
  faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
  success: { description: 'The card.', schema: AgentCard, example: EXAMPLE_CARD, conditional: true },
  errors: ['AGENT_NOT_FOUND', 'AGENT_CARD_NOT_FOUND'],
} satisfies Partial<Endpoint>

function cardEndpoint(agents: AgentCache, described: Described): Endpoint {
  return defineEndpoint({
    ...COMMON,
    ...described,
    params: AgentParams,
    query: AgentQuery,
    prepared: ({ params, query }) => peekCard(agents, query.network, params.address),
    answer: ({ params, query, client }) => findCard(agents, query.network, params.address, client),
  })
}

function networkCardEndpoint(agents: AgentCache, described: Described): Endpoint {
  return defineEndpoint({
    ...COMMON,
    ...described,
    params: NetworkAgentParams,
    prepared: ({ params }) => peekCard(agents, params.network, params.address),
    answer: ({ params, client }) => findCard(agents, params.network, params.address, client),
  })
}

function peekCard(agents: AgentCache, network: Network, address: Address): PreparedAnswer | undefined {
  const card = agents.peek(network, address)?.card
  return card && answerWith(card)
}

async function findCard(
  agents: AgentCache,
  network: Network,
  address: Address,
  client: string,
): Promise<PreparedAnswer> {
  const view = await agents.get(network, address, client)
  if (!view) throw new ServiceError('AGENT_NOT_FOUND')
  if (!view.card) throw new ServiceError('AGENT_CARD_NOT_FOUND')
  return answerWith(view.card)
}

function answerWith(snapshot: Snapshot): PreparedAnswer {
  return { kind: 'prepared', snapshot, cacheControl: 'max-age=60, stale-while-revalidate=600' }
}
