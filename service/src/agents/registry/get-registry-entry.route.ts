import { ServiceError } from '@slipway/schema/errors'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import type { AgentList } from '../agent-list.ts'
import { buildEntry, EXAMPLE_ENTRY, parseUrn, REGISTRY_PATH, RegistryEntry } from './registry-entry.ts'

export function getRegistryEntryEndpoint({
  agentList,
  publicUrl,
}: {
  agentList: AgentList
  publicUrl: string
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `${REGISTRY_PATH}/agents/{urn}`,
    id: 'getRegistryEntry',
    tag: 'Discovery',
    summary: 'Get an entry of the registry',
    description: 'One entry by its identifier.',
    params: z.object({
      urn: z.string().meta({ description: "The entry's identifier.", examples: [EXAMPLE_ENTRY.identifier] }),
    }),
    faults: {},
    success: {
      description: 'The entry.',
      schema: RegistryEntry,
      example: EXAMPLE_ENTRY,
      conditional: true,
    },
    errors: ['AGENT_NOT_FOUND'],
    async answer({ params: { urn } }) {
      const named = parseUrn(urn, publicUrl)
      const agent = named && (await agentList.findOne(named.network, named.address))
      if (!agent) throw new ServiceError('AGENT_NOT_FOUND')
      return { kind: 'json', value: buildEntry(agent, publicUrl), cacheControl: 'public, max-age=5' }
    },
  })
}
