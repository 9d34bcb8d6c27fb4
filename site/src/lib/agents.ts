import type { AgentPage, AgentRecord, ListAgentsRequest, Network } from '@slipway/client'
import { parseNetwork, withNetwork } from './networks.ts'
import { cut, isObject, parseList, parseText, parseTexts } from './parse-json.ts'

/** The fields of an agent that a list shows. Documents and cards may be large, so they are left out. */
export interface ListedAgent {
  address: string
  name: string
  description: string
  image: string | null
  /** Names of its services, each once. */
  services: string[]
  /** The names of its first skills. */
  skills: string[]
  skillCount: number
  walletAddress: string
  createdAt: string
  /** How many wallets besides the owner's can spend what is in its wallet. */
  delegates: number
  hasToken: boolean
  /** Whether its document was read. Without it, little more than the name is known. */
  isDescribed: boolean
  /** Whether its services and skills are too long for a list, so that only its page has them. */
  isShortened: boolean
  hasDocument: boolean
  isActive: boolean
  isVerified: boolean
  isSpotlighted: boolean
}

export interface ListedAgents {
  agents: ListedAgent[]
  total: number
  totalPages: number
}

const NAME_LENGTH_MAX = 120
const DESCRIPTION_LENGTH_MAX = 240
const SERVICE_LENGTH_MAX = 24
const SKILL_LENGTH_MAX = 60
const SKILLS_LISTED = 3

export const toListedAgents = ({ agents, total, totalPages }: AgentPage): ListedAgents => ({
  agents: agents.map(toListedAgent),
  total,
  totalPages,
})

/** Agents whose documents could be read come first. The API can't sort by that, so this holds for one page. */
export const describedFirst = (agents: readonly ListedAgent[]): ListedAgent[] => [
  ...agents.filter(({ isDescribed }) => isDescribed),
  ...agents.filter(({ isDescribed }) => !isDescribed),
]

function toListedAgent(record: AgentRecord): ListedAgent {
  const { mintAddress, name, description, image, metadata, a2aCard, walletAddress, createdAt } = record
  const skills = readSkills(a2aCard ?? {})
  const truncated = parseTexts(record.truncated)
  return {
    address: mintAddress,
    name: cut(name, NAME_LENGTH_MAX),
    description: cut(description, DESCRIPTION_LENGTH_MAX),
    image,
    services: serviceNames({ ...metadata, a2aCard }),
    skills: skills
      .slice(0, SKILLS_LISTED)
      .flatMap(skill => parseText(skill.name) ?? parseText(skill.id) ?? [])
      .map(skill => cut(skill, SKILL_LENGTH_MAX)),
    skillCount: skills.length,
    walletAddress,
    createdAt,
    delegates: record.delegates,
    hasToken: record.agentToken !== null,
    isDescribed: metadata !== null || truncated.includes('metadata'),
    isShortened: truncated.includes('metadata'),
    hasDocument: record.agentMetadataUri !== null || truncated.includes('agentMetadataUri'),
    isActive: record.isActive,
    isVerified: record.verifiedAt !== null,
    isSpotlighted: record.spotlightedAt !== null,
  }
}

function serviceNames(document: Record<string, unknown>): string[] {
  const names = readServices(document).map(({ name }) => cut(name, SERVICE_LENGTH_MAX))
  return [...new Set(names)]
}

/**
 * The skills of a card, as their author wrote them. A card needs at least one, so a card that was built
 * for an agent without skills lists the agent itself. That entry is left out.
 */
export const readSkills = (card: Record<string, unknown>): Record<string, unknown>[] =>
  parseList(card.skills)
    .filter(isObject)
    .filter(
      ({ id, name, description }) => id !== 'agent' || name !== card.name || description !== card.description,
    )

export interface Service {
  name: string
  endpoint: string
  version: string | undefined
}

/**
 * The services in a registration document. Drafts of the standard called them `endpoints`. One that leads to the
 * agent's own card is left out, because the card is not an endpoint.
 */
export function readServices(document: Record<string, unknown>): Service[] {
  const list = Array.isArray(document.services) ? document.services : document.endpoints
  // The URL of a card that its author wrote is the agent's endpoint.
  const url = isObject(document.a2aCard) ? parseText(document.a2aCard.url) : undefined
  const card = url?.endsWith('.json') ? url : undefined
  return parseList(list).flatMap(service => {
    if (!isObject(service)) return []
    const name = parseText(service.name)
    const endpoint = parseText(service.endpoint)
    return name && endpoint && endpoint !== card
      ? [{ name, endpoint, version: parseText(service.version) }]
      : []
  })
}

/** Where an agent is on this site. */
export const agentHref = (address: string, network: Network, networks: readonly string[]): string =>
  withNetwork(`/agents/${address}`, network, networks)

/** The name that people read; some agents have none. */
export const agentTitle = ({ name }: { name: string }): string =>
  cut(name.trim(), NAME_LENGTH_MAX) || 'Unnamed agent'

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

/** What the common protocols are for. Documents write their names in various ways. */
const WORDS: Record<string, string> = {
  a2a: 'Other agents can talk to it (Agent2Agent)',
  mcp: 'AI applications can use its tools (Model Context Protocol)',
  web: 'A website for people',
  email: 'An address for e-mail',
}

/** What a service of an agent is for; undefined if its name is not a common one. */
export const describeService = (name: string): string | undefined => {
  const key = name.trim().toLowerCase()
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
}
