import type { LaunchData, LaunchStatus, Network } from '@slipway/client'
import { statusAt } from '../../lib/launches.ts'
import { parseNetwork } from '../../lib/networks.ts'

/** What the directory shows. It is in the address, so that it can be shared. */
export interface Filter {
  network: Network
  status: LaunchStatus | undefined
  text: string
}

const STATUSES: readonly string[] = ['upcoming', 'live', 'graduated']
const TEXT_LENGTH_MAX = 64

export function parseFilter(search: URLSearchParams, networks: readonly string[]): Filter {
  const status = search.get('status') ?? ''
  return {
    network: parseNetwork(search, networks),
    status: STATUSES.includes(status) ? (status as LaunchStatus) : undefined,
    text: (search.get('q') ?? '').trim().slice(0, TEXT_LENGTH_MAX),
  }
}

/** The address of a filter; what is the default is left out. */
export function directoryHref(filter: Filter, networks: readonly string[], page = 1): string {
  const search = new URLSearchParams()
  if (filter.status) search.set('status', filter.status)
  if (filter.network !== networks[0]) search.set('network', filter.network)
  if (filter.text) search.set('q', filter.text)
  if (page > 1) search.set('page', `${page}`)
  return search.size > 0 ? `/?${search}` : '/'
}

/** A launch with what filtering needs, computed once. */
export interface IndexedLaunch {
  data: LaunchData
  address: string
  startMs: number
  /** Name, symbol and addresses in lower case. */
  text: string
}

export const indexLaunches = (launches: readonly LaunchData[]): IndexedLaunch[] => launches.map(indexLaunch)

const indexed = new WeakMap<LaunchData, IndexedLaunch>()

function indexLaunch(data: LaunchData): IndexedLaunch {
  const known = indexed.get(data)
  if (known) return known
  const { launch, baseToken } = data
  const made: IndexedLaunch = {
    data,
    address: launch.genesisAddress,
    startMs: Date.parse(launch.startTime),
    text: `${baseToken.name}\n${baseToken.symbol}\n${launch.genesisAddress}\n${baseToken.address}`.toLowerCase(),
  }
  indexed.set(data, made)
  return made
}

export type StatusCounts = Record<'all' | LaunchStatus, number>

/** The launches that match, in their order, and how many there are of each status. */
export function applyFilter(
  launches: readonly IndexedLaunch[],
  { status, text }: Filter,
  nowMs: number,
): { matches: LaunchData[]; counts: StatusCounts } {
  const wanted = text.toLowerCase()
  const counts: StatusCounts = { all: 0, upcoming: 0, live: 0, graduated: 0 }
  const matches: LaunchData[] = []
  for (const launch of launches) {
    if (wanted && !launch.text.includes(wanted)) continue
    const current = statusAt(launch.data, nowMs)
    counts.all += 1
    counts[current] += 1
    if (status === undefined || status === current) matches.push(launch.data)
  }
  return { matches, counts }
}
