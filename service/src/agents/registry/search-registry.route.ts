import { ServiceError } from '@slipway/schema/errors'
import { NETWORKS } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { matchedPart } from '../../store/search-names.ts'
import type { AgentList } from '../agent-list.ts'
import { buildEntry, EXAMPLE_ENTRY, REGISTRY_PATH, RegistryEntry } from './registry-entry.ts'

const PAGE_SIZE_DEFAULT = 10
const PAGE_SIZE_MAX = 100
/** For all pages together. Few callers read further, and each page ranks all results before it. */
const RESULTS_MAX = 200
const TEXT_LENGTH_MAX = 2_000
const SEARCHED_LENGTH_MAX = 200
const FILTERS = ['type', 'publisher', 'tags', 'capabilities', 'metadata.network'] as const
type Filter = Record<string, string | string[]>

const SearchBody = z
  .object({
    query: z
      .object({
        text: z
          .string()
          .min(1)
          .max(TEXT_LENGTH_MAX)
          .meta({ description: 'What you need, in your own words.' }),
        filter: z
          .record(z.string(), z.union([z.string(), z.array(z.string())]))
          .optional()
          .meta({
            description: `Only entries that have one of the values of each field: ${FILTERS.map(name => `\`${name}\``).join(', ')}.`,
          }),
      })
      .meta({ description: 'What is looked for.' }),
    federation: z
      .enum(['auto', 'referrals', 'none'])
      .optional()
      .meta({ description: 'Makes no difference: this registry knows no others.' }),
    pageSize: z
      .int()
      .min(1)
      .max(PAGE_SIZE_MAX)
      .optional()
      .meta({ description: `Results per page; ${PAGE_SIZE_DEFAULT} by default.` }),
    pageToken: z
      .string()
      .regex(/^\d{1,3}$/)
      .optional()
      .meta({ description: 'Continues after the page whose `pageToken` this is.' }),
  })
  .meta({ examples: [{ query: { text: 'find me an agent that watches tides' }, pageSize: 5 }] })

const SearchResult = RegistryEntry.extend({
  score: z.int().min(0).max(100).meta({
    description: 'The part of the words that the entry has, in percent. It says nothing about trust.',
  }),
  source: z.string().meta({ description: 'The registry that has the entry.' }),
}).meta({ id: 'RegistryResult' })

export function searchRegistryEndpoint({
  agentList,
  publicUrl,
}: {
  agentList: AgentList
  publicUrl: string
}): Endpoint {
  const source = `${publicUrl}${REGISTRY_PATH}`
  return defineEndpoint({
    method: 'POST',
    path: `${REGISTRY_PATH}/search`,
    id: 'searchRegistry',
    tag: 'Discovery',
    summary: 'Find agents for a task',
    description: `The agents that have the most words of a sentence in their names, descriptions, skills and services, on all networks. A search finds at most ${RESULTS_MAX} agents. It counts as a read for the rate limits.`,
    body: SearchBody,
    faults: {},
    reportsDetails: true,
    success: {
      description: 'One page of entries, best match first.',
      schema: z.object({
        results: z.array(SearchResult).meta({ description: 'The entries of this page.' }),
        pageToken: z.string().optional().meta({ description: 'Absent on the last page.' }),
      }),
      example: { results: [{ ...EXAMPLE_ENTRY, score: 100, source: 'https://slipway.example/ard' }] },
    },
    errors: ['INVALID_INPUT'],
    async answer({ body: { query, pageSize = PAGE_SIZE_DEFAULT, pageToken = '0' } }) {
      const { text, filter = {} } = query
      const matches = createFilter(filter)
      const [from, to] = [Number(pageToken), Number(pageToken) + pageSize]
      const pages = await Promise.all(
        NETWORKS.map(network =>
          agentList.find({
            network,
            page: 1,
            // One more than the page has, to see whether there is another.
            pageSize: Object.keys(filter).length > 0 ? RESULTS_MAX : Math.min(to + 1, RESULTS_MAX),
            text: [...text].slice(0, SEARCHED_LENGTH_MAX).join(''),
            order: 'latest',
            filter: { services: true },
          }),
        ),
      )
      const results = pages
        .flatMap(({ agents }) => agents.map(agent => buildEntry(agent, publicUrl)))
        .filter(matches)
        .map(entry => ({ ...entry, score: scoreOf(text, entry), source }))
        .sort((a, b) => b.score - a.score)
        .slice(0, RESULTS_MAX)
      return {
        kind: 'json',
        value: { results: results.slice(from, to), ...(results.length > to && { pageToken: `${to}` }) },
      }
    },
  })
}

/** An entry that was found by a similar word has at least one percent. */
const scoreOf = (text: string, { displayName, description, tags, capabilities }: RegistryEntry) =>
  Math.max(
    1,
    Math.round(100 * matchedPart(text, [displayName, description, ...tags, ...capabilities].join(' '))),
  )

function createFilter(filter: Filter): (entry: RegistryEntry) => boolean {
  const wanted = Object.entries(filter).map(([name, values]) => ({ name, values: new Set([values].flat()) }))
  const unknown = wanted.find(({ name }) => !(FILTERS as readonly string[]).includes(name))
  if (unknown)
    throw new ServiceError('INVALID_INPUT', {
      details: [{ path: 'query.filter', message: `may have only ${FILTERS.join(', ')}` }],
    })
  return entry => wanted.every(({ name, values }) => valuesOf(entry, name).some(value => values.has(value)))
}

function valuesOf(entry: RegistryEntry, name: string): string[] {
  if (name === 'publisher') return [entry.identifier.split(':')[2] ?? '']
  if (name === 'metadata.network') return [entry.metadata.network]
  return [entry[name as 'type' | 'tags' | 'capabilities']].flat()
}
