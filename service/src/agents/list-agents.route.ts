import { describedAddress } from '@slipway/schema/address'
import { AgentRecord } from '@slipway/schema/agent-record'
import { NetworkInput } from '@slipway/schema/network'
import { Success } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { wholeNumber } from '../endpoint/whole-number.ts'
import type { AgentList } from './agent-list.ts'
import { AGENTS_PATH } from './agent-paths.ts'
import { EXAMPLE_RECORD } from './examples.ts'

/**
 * A list that is five seconds old is good enough, so a shared cache may keep a page that long. No longer: an agent that
 * an operator hides has to disappear within seconds.
 */
const CACHE_CONTROL = 'public, max-age=5'
const PAGE_SIZE_MAX = 100
const PAGE_SIZE_DEFAULT = 24
const QUERY_LENGTH_MAX = 200

const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .optional()
    .meta({ type: 'string', enum: ['true', 'false'], description })

const ListAgentsQuery = z.object({
  network: NetworkInput,
  page: wholeNumber(Number.MAX_SAFE_INTEGER).meta({
    type: 'integer',
    minimum: 1,
    default: 1,
    description: 'The page, counted from 1. A page past the end is empty.',
  }),
  pageSize: wholeNumber(PAGE_SIZE_MAX).meta({
    type: 'integer',
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    default: PAGE_SIZE_DEFAULT,
    description: 'Agents per page.',
  }),
  query: z
    .string()
    .refine(text => [...text].length <= QUERY_LENGTH_MAX)
    .transform(text => text.trim() || undefined)
    .optional()
    .meta({
      type: 'string',
      maxLength: QUERY_LENGTH_MAX,
      description:
        'Searches names, descriptions, skills and services, best match first. It can be a sentence: agents are ranked by how many of its words they have. Case, accents and punctuation do not matter, and similar words match too. Nothing in it is a wildcard or an operator. A search finds at most 10,000 agents.',
    }),
  owner: describedAddress(
    'Only agents that this wallet owns, at most 10,000 of them.',
    EXAMPLE_RECORD.owner,
  ).optional(),
  sort: z.enum(['latest', 'oldest']).default('latest').meta({
    description: 'Order by registration time. In a search, this applies among equally good matches.',
  }),
  activeOnly: flag('`true`: leave out agents whose registration document says `active: false`.'),
  hasAgentToken: flag('`true`: only agents with a token of their own; `false`: only the others.'),
  hasServices: flag(
    '`true`: only agents whose registration document lists services; `false`: only the others.',
  ),
  spotlight: flag('`true`: only agents in the spotlight; `false`: only the others.'),
  verified: flag('`true`: only verified agents; `false`: only the others.'),
})

type Page = Record<'page' | 'totalPages', number>

const nextPage = ({ page, totalPages }: Page) => (page < totalPages ? `${page + 1}` : null)

export function listAgentsEndpoint({ agentList }: { agentList: AgentList }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: AGENTS_PATH,
    id: 'listAgents',
    clientCall: 'agents.list',
    tool: {
      name: 'find_agents',
      page: { size: 'pageSize', from: 'page', next: answer => nextPage(answer.data as Page) },
      withoutFields: [
        'success',
        'page',
        'pageSize',
        'totalPages',
        'metadata',
        'a2aCard',
        'registrationSignature',
        'indexedAt',
        'updatedAt',
        'authority',
        'truncated',
      ],
    },
    tag: 'Agents',
    summary: 'List and search agents',
    description:
      'All registered agents, in pages. Filters combine. An agent appears within seconds of its registration, first with the data on the chain, then also with its documents.',
    query: ListAgentsQuery,
    faults: { network: 'INVALID_INPUT' },
    success: {
      description:
        'One page of agents. A cached page, and the number of matches of a search, may be five seconds old.',
      schema: z.object({
        success: Success,
        data: z
          .object({
            agents: z.array(AgentRecord).meta({ description: 'The agents of this page.' }),
            total: z.int().min(0).meta({ description: 'Matching agents on all pages.' }),
            page: z.int().min(1).meta({ description: 'This page.' }),
            pageSize: z.int().min(1).meta({ description: 'Agents per page.' }),
            totalPages: z.int().min(0).meta({ description: 'Number of pages.' }),
          })
          .meta({ description: 'One page.' }),
      }),
      example: {
        success: true,
        data: { agents: [EXAMPLE_RECORD], total: 1, page: 1, pageSize: PAGE_SIZE_DEFAULT, totalPages: 1 },
      },
      conditional: true,
    },
    errors: ['INVALID_INPUT'],
    uses: [
      { title: 'All agents', query: '', description: 'The newest 24 agents of `chain-mainnet`.' },
      {
        title: 'Search',
        query: '?query=tidewtch',
        description: 'Finds “Tidewatch” although it is misspelt.',
      },
      {
        title: 'Verified agents with services',
        query: '?verified=true&hasServices=true&pageSize=100',
        description: 'Filters combine.',
      },
    ],
    async answer({
      query: { network, page = 1, pageSize = PAGE_SIZE_DEFAULT, query: text, owner, sort, ...flags },
    }) {
      const { activeOnly, hasAgentToken: token, hasServices: services, spotlight, verified } = flags
      const filter = { active: activeOnly || undefined, token, services, spotlight, verified }
      const found = await agentList.find({ network, page, pageSize, text, order: sort, filter, owner })
      const data = { ...found, agents: found.agents.map(({ record }) => record) }
      return { kind: 'json', value: { success: true, data }, cacheControl: CACHE_CONTROL }
    },
  })
}
