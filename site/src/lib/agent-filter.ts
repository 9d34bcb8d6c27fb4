import type { ListAgentsRequest, Network } from '@slipway/client'
import { parseNetwork } from './networks.ts'

/** Which agents are shown. It is in the address, so that it can be shared. */
export interface AgentFilter {
  network: Network
  text: string
  /** In the order of `AGENT_FLAGS`. */
  flags: AgentFlag[]
  sort: 'latest' | 'oldest'
  page: number
}

export const AGENT_FLAGS = ['active', 'token', 'services', 'verified', 'spotlight'] as const
export type AgentFlag = (typeof AGENT_FLAGS)[number]

const AGENTS_PER_PAGE = 24
export const TEXT_LENGTH_MAX = 100
/** Pages beyond this are expensive to find. */
const PAGE_MAX = 10_000

const PARAMETERS = {
  active: 'activeOnly',
  token: 'hasAgentToken',
  services: 'hasServices',
  verified: 'verified',
  spotlight: 'spotlight',
} as const satisfies Record<AgentFlag, keyof ListAgentsRequest>

export function parseAgentFilter(search: URLSearchParams, networks: readonly string[]): AgentFilter {
  const flags = (search.get('filter') ?? '').split(',')
  const page = Number.parseInt(search.get('page') ?? '1', 10)
  return {
    network: parseNetwork(search, networks),
    text: (search.get('q') ?? '').trim().slice(0, TEXT_LENGTH_MAX),
    flags: AGENT_FLAGS.filter(flag => flags.includes(flag)),
    sort: search.get('sort') === 'oldest' ? 'oldest' : 'latest',
    page: Math.min(PAGE_MAX, Math.max(1, page || 1)),
  }
}

/** The address of a filter; what is the default is left out. */
export function agentsHref({ network, text, flags, sort, page }: AgentFilter, networks: readonly string[]) {
  const search = new URLSearchParams()
  if (network !== networks[0]) search.set('network', network)
  if (text) search.set('q', text)
  if (flags.length > 0) search.set('filter', flags.join(','))
  if (sort !== 'latest') search.set('sort', sort)
  if (page > 1) search.set('page', `${page}`)
  return search.size > 0 ? `/agents?${search}` : '/agents'
}

export const toRequest = ({ network, text, flags, sort, page }: AgentFilter): ListAgentsRequest => ({
  network,
  sort,
  page,
  pageSize: AGENTS_PER_PAGE,
  ...(text && { query: text }),
  ...Object.fromEntries(flags.map(flag => [PARAMETERS[flag], true])),
})
