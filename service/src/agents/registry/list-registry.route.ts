import { ServiceError } from '@slipway/schema/errors'
import { NETWORKS } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { wholeNumber } from '../../endpoint/whole-number.ts'
import type { AgentList } from '../agent-list.ts'
import { buildEntry, CARD_TYPE, EXAMPLE_ENTRY, REGISTRY_PATH, RegistryEntry } from './registry-entry.ts'

const PAGE_SIZE_DEFAULT = 20
const PAGE_SIZE_MAX = 100

const ORDERS = { createdAt: 'oldest', 'createdAt ASC': 'oldest', 'createdAt DESC': 'latest' } as const
const TYPE_FILTER = /^\s*type\s*=\s*'([^']*)'\s*$/

const ListQuery = z.object({
  filter: z
    .string()
    .regex(TYPE_FILTER)
    .optional()
    .meta({ description: `Only \`type = '…'\`. All entries have the type \`${CARD_TYPE}\`.` }),
  orderBy: z
    .enum(Object.keys(ORDERS) as [keyof typeof ORDERS])
    .default('createdAt DESC')
    .meta({ description: 'By when agents were registered, on each network.' }),
  pageSize: wholeNumber(PAGE_SIZE_MAX).meta({
    type: 'integer',
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    default: PAGE_SIZE_DEFAULT,
    description: 'Entries per page. All pages must have the same.',
  }),
  pageToken: z
    .string()
    .regex(/^\d\.\d{1,9}$/)
    .optional()
    .meta({ description: 'Continues after the page whose `pageToken` this is.' }),
})

export function listRegistryEndpoint({
  agentList,
  publicUrl,
}: {
  agentList: AgentList
  publicUrl: string
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `${REGISTRY_PATH}/agents`,
    id: 'listRegistry',
    tag: 'Discovery',
    summary: 'List all entries of the registry',
    description:
      'Every agent that offers a service, one network after the other. Hidden agents are left out.',
    query: ListQuery,
    faults: {},
    reportsDetails: true,
    success: {
      description: 'One page of entries. The last page of a network may be shorter than the others.',
      schema: z.object({
        items: z.array(RegistryEntry).meta({ description: 'The entries of this page.' }),
        pageToken: z.string().optional().meta({ description: 'Absent on the last page.' }),
      }),
      example: { items: [EXAMPLE_ENTRY] },
      conditional: true,
    },
    errors: ['INVALID_INPUT'],
    async answer({ query: { filter, orderBy, pageSize = PAGE_SIZE_DEFAULT, pageToken = '0.1' } }) {
      const [, type = CARD_TYPE] = TYPE_FILTER.exec(filter ?? '') ?? []
      if (type !== CARD_TYPE) return { kind: 'json', value: { items: [] }, cacheControl: CACHE_CONTROL }
      const [at = 0, first = 1] = pageToken.split('.').map(Number)
      if (NETWORKS[at] === undefined || first < 1) throw new ServiceError('INVALID_INPUT', BAD_TOKEN)
      for (let [index, page] = [at, first]; ; [index, page] = [index + 1, 1]) {
        const network = NETWORKS[index]
        if (network === undefined) return { kind: 'json', value: { items: [] }, cacheControl: CACHE_CONTROL }
        const found = await agentList.find({
          ...{ network, page, pageSize, text: undefined },
          order: ORDERS[orderBy],
          filter: { services: true },
        })
        const items = found.agents.map(agent => buildEntry(agent, publicUrl))
        const isLast = page >= found.totalPages
        if (items.length === 0 && isLast) continue
        const next = isLast
          ? index + 1 < NETWORKS.length
            ? `${index + 1}.1`
            : undefined
          : `${index}.${page + 1}`
        return {
          kind: 'json',
          value: { items, ...(next && { pageToken: next }) },
          cacheControl: CACHE_CONTROL,
        }
      }
    },
  })
}

/** As long as a page of the agents' list. */
const CACHE_CONTROL = 'public, max-age=5'
const BAD_TOKEN = { details: [{ path: 'pageToken', message: 'is not that of a page' }] }
