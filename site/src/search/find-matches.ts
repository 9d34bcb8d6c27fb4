import { type Agent, type LaunchData, type Network, type Slipway, SlipwayError } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { agentHref, agentsHref, agentTitle, type ListedAgent, toListedAgents } from '../lib/agents.ts'
import { checkAgent, checkLaunch } from '../lib/check-answers.ts'
import { formatCount, networkName, shorten } from '../lib/format.ts'
import { readLaunchPage } from '../lib/launch-rows.ts'
import { directoryHref, launchHref, titleOf } from '../lib/launches.ts'
import { isAddress } from '../lib/links.ts'
import { walletHref } from '../lib/wallets.ts'

/** Something that was found, and where it is on this site. */
export interface Match {
  href: string
  title: string
  note: string
  /** Named where the service has several networks. */
  network?: string
  picture?: { address: string; image: string | null }
}

export interface MatchGroup {
  /** What it is or, after these, the network that it is on. */
  name: string
  matches: Match[]
}
type Kind = 'Launches' | 'Agents'

export interface Matches {
  /** Without empty ones. */
  groups: MatchGroup[]
  /** What could not be searched, such as `Agents on Devnet`. */
  failed: string[]
}

export interface SearchParts {
  slipway: Pick<Slipway, 'launches' | 'tokens' | 'agents'>
  networks: readonly Network[]
  signal: AbortSignal
}

const SHOWN: Record<Kind, number> = { Launches: 6, Agents: 4 }
const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g

/** The address in a text, such as in a link that was pasted. */
export const findAddress = (text: string): string | undefined => text.match(ADDRESS)?.find(isAddress)

/** Searches everything on all networks. Rejects only if nothing could be searched. */
export async function findMatches(parts: SearchParts, text: string): Promise<Matches> {
  const address = findAddress(text)
  const found = await (address ? findByAddress(parts, address) : findByName(parts, text))
  parts.signal.throwIfAborted()
  const failures = found.flatMap(one => ('error' in one ? one : []))
  if (failures.length === found.length && failures[0]) throw failures[0].error
  const listsOf = (name: Kind, on: readonly Network[]) =>
    found.flatMap(one => ('lists' in one && one.name === name && on.includes(one.network) ? one.lists : []))
  const matchesOf = (name: Kind, on: readonly Network[]) => listMatches(listsOf(name, on), SHOWN[name])
  // An address is only on one of the networks. A name is often on several, of which the others matter less.
  const [first, others] = address
    ? [parts.networks, []]
    : [parts.networks.slice(0, 1), parts.networks.slice(1)]
  const groups: MatchGroup[] = [
    { name: 'Launches', matches: matchesOf('Launches', first) },
    { name: 'Agents', matches: matchesOf('Agents', first) },
    {
      name: 'Wallets',
      matches: address ? parts.networks.map(network => walletMatch(parts, network, address)) : [],
    },
    ...others.map(network => ({
      name: networkName(network),
      matches: [...matchesOf('Launches', [network]), ...matchesOf('Agents', [network])],
    })),
  ]
  return {
    groups: groups.filter(({ matches }) => matches.length > 0),
    failed: [...new Set(failures.map(({ what }) => what))],
  }
}

/** What one request has found: the best first, and where all of them are. */
interface Found {
  best: Match[]
  all?: (total: string) => Match
  /** How many there are, if there may be more than are shown. */
  total?: number
}
type Outcome = { name: Kind; network: Network; lists: Found } | { what: string; error: unknown }

/** The best matches, and links to the remaining ones. */
function listMatches(lists: readonly Found[], max: number): Match[] {
  const shown = lists.flatMap(({ best }) => best).slice(0, max)
  const ways = lists.flatMap(({ best, total = best.length, all }) =>
    all && total > best.filter(match => shown.includes(match)).length ? all(formatCount(total)) : [],
  )
  return [...shown, ...ways]
}

/** If one request fails, the others' results are kept. A missing item is not a failure. */
async function attempt(
  { networks }: SearchParts,
  name: Kind,
  network: Network,
  find: () => Promise<Found>,
): Promise<Outcome> {
  try {
    return { name, network, lists: await find() }
  } catch (error) {
    if (error instanceof SlipwayError && error.status === 404) return { name, network, lists: { best: [] } }
    return { what: networks.length > 1 ? `${name} on ${networkName(network)}` : name, error }
  }
}

function findByName(parts: SearchParts, text: string): Promise<Outcome[]> {
  const { slipway, networks, signal } = parts
  return Promise.all(
    networks.flatMap(network => [
      attempt(parts, 'Launches', network, async () => {
        const request = { network, query: text, limit: SHOWN.Launches }
        const { launches, total } = await readLaunchPage(slipway, request, { signal })
        const best = launches.map(data => launchMatch(parts, network, data))
        return { best, total, all: count => allLaunches(parts, network, text, count) }
      }),
      attempt(parts, 'Agents', network, async () => {
        const page = await slipway.agents.list({ network, query: text, pageSize: SHOWN.Agents }, { signal })
        const { agents, total } = toListedAgents(page)
        const best = agents.map(agent => agentMatch(parts, network, agent, text))
        return { best, total, all: count => allAgents(parts, network, text, count) }
      }),
    ]),
  )
}

/** A launch, the mint of launches, or an agent: addresses are unique. */
function findByAddress(parts: SearchParts, address: string): Promise<Outcome[]> {
  const { slipway, networks, signal } = parts
  return Promise.all(
    networks.flatMap(network => [
      attempt(parts, 'Launches', network, async () => {
        const launch = checkLaunch(await slipway.launches.get(address, { network, signal }), address)
        return { best: [launchMatch(parts, network, launch)] }
      }),
      attempt(parts, 'Launches', network, async () => {
        const { launches, ...token } = await slipway.tokens.get(address, { network, signal })
        return { best: launches.map(launch => mintMatch(parts, network, { launch, ...token })) }
      }),
      attempt(parts, 'Agents', network, async () => {
        const agent = checkAgent(await slipway.agents.get(address, { network, signal }), address)
        return { best: [agentMatch(parts, network, agent)] }
      }),
    ]),
  )
}

const nameOf = ({ networks }: SearchParts, network: Network) =>
  networks.length > 1 ? { network: networkName(network) } : {}

function launchMatch(parts: SearchParts, network: Network, data: LaunchData): Match {
  const { launch, baseToken } = data
  const address = launch.genesisAddress
  return {
    href: launchHref(address, network, parts.networks),
    title: titleOf(data),
    note: [baseToken.symbol, wordsOf(launch.mechanic).title].filter(Boolean).join(' · '),
    picture: { address, image: baseToken.image },
    ...nameOf(parts, network),
  }
}

function mintMatch(parts: SearchParts, network: Network, data: LaunchData): Match {
  const match = launchMatch(parts, network, data)
  return { ...match, note: `${match.note} · mint ${shorten(data.baseToken.address)}` }
}

const LEAD_LENGTH = 24

/** A description from just before the first of these words; all of it if the name has one of them. */
function quoteMatch(description: string, name: string, text: string): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const places = words.map(word => description.toLowerCase().indexOf(word)).filter(at => at > LEAD_LENGTH)
  if (places.length === 0 || words.some(word => name.toLowerCase().includes(word))) return description
  const at = Math.min(...places)
  const lead = description.slice(at - LEAD_LENGTH, at)
  return `…${lead.slice(lead.indexOf(' ') + 1)}${description.slice(at)}`
}

function agentMatch(
  parts: SearchParts,
  network: Network,
  {
    address,
    name,
    description,
    image,
  }: Pick<ListedAgent | Agent, 'address' | 'name' | 'description' | 'image'>,
  text = '',
): Match {
  const title = agentTitle({ name })
  return {
    href: agentHref(address, network, parts.networks),
    title,
    note: (description && quoteMatch(description, title, text)) || 'Agent',
    picture: { address, image: image ?? null },
    ...nameOf(parts, network),
  }
}

const walletMatch = (parts: SearchParts, network: Network, address: string): Match => ({
  href: walletHref(address, network, parts.networks),
  title: shorten(address, 6),
  note: 'What this wallet has here',
  ...nameOf(parts, network),
})

const allLaunches = (parts: SearchParts, network: Network, text: string, count: string): Match => ({
  href: directoryHref(
    { network, text, sort: 'activity', status: undefined, mechanic: undefined, cursor: undefined },
    parts.networks,
  ),
  title: `All ${count} launches`,
  note: 'In the directory',
  ...nameOf(parts, network),
})

const allAgents = (parts: SearchParts, network: Network, text: string, count: string): Match => ({
  href: agentsHref({ network, text, flags: [], sort: 'latest', page: 1 }, parts.networks),
  title: `All ${count} agents`,
  note: 'In the list of agents',
  ...nameOf(parts, network),
})
