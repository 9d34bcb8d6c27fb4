import { AgentDelegatesBody } from '@slipway/schema/agent-delegates'
import { ServiceError } from '@slipway/schema/errors'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { knownAgents } from '../../store/agents.ts'
import type { Database } from '../../store/database.ts'
import { AgentParams, AgentQuery, DELEGATES_PATH } from '../agent-paths.ts'
import { EXAMPLE_DELEGATES } from '../examples.ts'
import { createDelegates, type DelegatesParts, delegationIndex } from './read-delegates.ts'

export function getAgentDelegatesEndpoint({
  chains,
  database,
}: {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, Pick<DelegatesParts, 'rpc' | 'heavyReads'>>>
  database: Database
}): Endpoint {
  const delegates = new Map<Network, ReturnType<typeof createDelegates>>()
  for (const network of NETWORKS) {
    const chain = chains[network]
    if (!chain) continue
    const { rpc, heavyReads } = chain
    const isKnown = knownAgents(database, network)
    delegates.set(
      network,
      createDelegates({ rpc, heavyReads, isKnown, ...delegationIndex(database, network) }),
    )
  }
  return defineEndpoint({
    method: 'GET',
    path: DELEGATES_PATH,
    id: 'getAgentDelegates',
    clientCall: 'agents.delegates',
    tag: 'Agents',
    summary: 'See who can spend',
    description: `The wallets besides the owner that can spend everything in the agent's wallet. Look before you buy or fund an agent.

- A delegation survives the sale of the agent. \`byFormerOwner\` is true if the delegation was first seen under a former owner. False doesn't prove that the present owner appointed the delegate.
- The list is read from the chain. \`since\` and \`byFormerOwner\` come from the index.
- The owner or the delegate ends a delegation with \`revoke\`.`,
    params: AgentParams,
    query: AgentQuery,
    faults: { network: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: {
      description: 'The delegates.',
      schema: AgentDelegatesBody,
      example: { success: true, data: EXAMPLE_DELEGATES },
    },
    errors: ['AGENT_NOT_FOUND'],
    async answer({ params: { address }, query: { network }, client }) {
      const read = delegates.get(network)
      if (!read) throw new ServiceError('AGENT_NOT_FOUND')
      return {
        kind: 'json',
        value: { success: true, data: await read(address, client) },
        cacheControl: 'no-store',
      }
    },
  })
}
