import type { Address } from '@slipway/schema/address'
import { type AgentCache, createAgentCache } from '@slipway/service/agents/agent-cache'
import type { AgentDocuments } from '@slipway/service/agents/agent-documents'
import type { AgentRow } from '@slipway/service/store/agents'

export const SAMPLE_AGENT = '8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H' as Address

export const SAMPLE_OWNER = 'FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw' as Address

const URI = 'https://agents.example/tidewatch/registration.json'
const documents: AgentDocuments = {
  registration: {
    uri: URI,
    value: {
      name: 'Tidewatch',
      description: 'Tide tables and small-craft warnings for harbours that the big services leave out.',
      image: 'https://images.example/tidewatch.png',
      services: [
        {
          name: 'A2A',
          endpoint: 'https://agents.example/tidewatch/a2a',
          version: '0.3.0',
          skills: [
            { id: 'forecast', name: 'Forecast a tide', description: 'Forecast a tide.', tags: ['weather'] },
            { id: 'warn', name: 'Warn small craft', description: 'Warn small craft.', tags: ['weather'] },
          ],
        },
      ],
    },
    fields: { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1', active: true },
  },
}

const row: AgentRow = {
  network: 'chain-mainnet',
  address: SAMPLE_AGENT,
  owner: SAMPLE_OWNER,
  authority: null,
  name: 'Tidewatch',
  uri: '',
  identityVersion: 2,
  agentUri: URI,
  agentToken: null,
  slot: 1,
  documents: { ...documents },
}

/** The agents of a service that knows only this one. */
export function sampleAgents(): AgentCache {
  const remembered = { row, verifiedAt: undefined, authoredCard: undefined }
  return createAgentCache({
    find: async () => remembered,
    read: async () => remembered,
    isServed: () => true,
    tokensOf: () => [],
    chargeChainRead() {},
    publicUrl: 'https://slipway.example',
    onRefreshFailed(error) {
      throw error
    },
  })
}
