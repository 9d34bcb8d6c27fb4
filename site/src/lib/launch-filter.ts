import type { ListLaunchesRequest, Network } from '@slipway/client'
import { LAUNCH_MECHANICS, LAUNCH_SORTS, STANDINGS } from '../server/protocol.ts'
import type { Standing } from './launches.ts'
import { parseNetwork } from './networks.ts'

/** What the directory shows. It is in the address, so that it can be shared. */
export interface LaunchFilter {
  network: Network
  status: Standing | undefined
  mechanic: Mechanic | undefined
  sort: DirectorySort
  text: string
  /** Where the list begins; at its start if undefined. Only browsers without script go on from there. */
  cursor: string | undefined
}

type LaunchSort = NonNullable<ListLaunchesRequest['sort']>
/** `status` puts launches that people can take part in first. The API can't sort by that, so the page joins its lists. */
export type DirectorySort = LaunchSort | 'status'
export type Mechanic = NonNullable<ListLaunchesRequest['mechanic']>

const SORTS: readonly DirectorySort[] = ['status', ...LAUNCH_SORTS]
export const MECHANICS: readonly Mechanic[] = LAUNCH_MECHANICS
const TEXT_LENGTH_MAX = 64

/** Each list has an order of its own. */
export const STANDING_SORTS = {
  live: 'activity',
  upcoming: 'ending',
  closed: 'ending',
  graduated: 'activity',
} as const satisfies Record<Standing, LaunchSort>

/** The API counts a sale as live until it graduates. People call it closed once it has ended. */
const STANDING_REQUESTS = {
  live: { status: 'live', closed: false },
  upcoming: { status: 'upcoming' },
  closed: { status: 'live', closed: true },
  graduated: { status: 'graduated' },
} as const satisfies Record<Standing, ListLaunchesRequest>

type ListedBy = Pick<LaunchFilter, 'status' | 'text'>

const defaultSort = ({ status, text }: ListedBy): DirectorySort =>
  status ? STANDING_SORTS[status] : text ? 'activity' : 'status'

/** The orders to choose from. Only the whole list has several statuses to put in order. */
export const sortsOf = ({ status, text }: ListedBy): DirectorySort[] =>
  SORTS.filter(sort => sort !== 'status' || (!status && !text))

export function parseLaunchFilter(search: URLSearchParams, networks: readonly string[]): LaunchFilter {
  const listedBy = {
    status: oneOf(STANDINGS, search.get('status')),
    text: (search.get('q') ?? '').trim().slice(0, TEXT_LENGTH_MAX),
  }
  return {
    ...listedBy,
    network: parseNetwork(search, networks),
    mechanic: oneOf(MECHANICS, search.get('mechanic')),
    sort: oneOf(sortsOf(listedBy), search.get('sort')) ?? defaultSort(listedBy),
    cursor: search.get('cursor') || undefined,
  }
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find(value => value === text)

/** The changed filter, from the start of its list. If the order was the default one, it is so again. */
export function changeFilter(filter: LaunchFilter, change: Partial<LaunchFilter>): LaunchFilter {
  const changed = { ...filter, cursor: undefined, ...change }
  const isUsual = filter.sort === defaultSort(filter) && !change.sort
  return isUsual || !sortsOf(changed).includes(changed.sort)
    ? { ...changed, sort: defaultSort(changed) }
    : changed
}

/** The address of a filter; what is the default is left out. */
export function directoryHref(filter: LaunchFilter, networks: readonly string[]): string {
  const search = new URLSearchParams()
  if (filter.status) search.set('status', filter.status)
  if (filter.mechanic) search.set('mechanic', filter.mechanic)
  if (filter.sort !== defaultSort(filter)) search.set('sort', filter.sort)
  if (filter.network !== networks[0]) search.set('network', filter.network)
  if (filter.text) search.set('q', filter.text)
  if (filter.cursor) search.set('cursor', filter.cursor)
  return search.size > 0 ? `/?${search}` : '/'
}

/** The lists that the page shows one after another; usually one. */
export function toLaunchRequests({
  network,
  status,
  mechanic,
  sort,
  text,
}: LaunchFilter): ListLaunchesRequest[] {
  const rest = { network, mechanic, ...(text && { query: text }) }
  if (sort !== 'status') return [{ ...rest, ...(status && STANDING_REQUESTS[status]), sort }]
  return STANDINGS.map(standing => ({
    ...rest,
    ...STANDING_REQUESTS[standing],
    sort: STANDING_SORTS[standing],
  }))
}

/** Whether nothing is left out, and the list begins at its start. */
export const isEverything = ({ status, mechanic, text, cursor }: LaunchFilter): boolean =>
  !status && !mechanic && !text && !cursor
