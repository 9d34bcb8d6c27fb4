import type { LaunchStatus, ListLaunchesRequest, Network } from '@slipway/client'
import { LAUNCH_MECHANICS, LAUNCH_SORTS, LAUNCH_STATUSES } from '../server/protocol.ts'
import { parseNetwork } from './networks.ts'

/** What the directory shows. It is in the address, so that it can be shared. */
export interface LaunchFilter {
  network: Network
  status: LaunchStatus | undefined
  mechanic: Mechanic | undefined
  sort: LaunchSort
  text: string
  /** Where the list begins; at its start if undefined. Only browsers without script go on from there. */
  cursor: string | undefined
}

export type LaunchSort = NonNullable<ListLaunchesRequest['sort']>
export type Mechanic = NonNullable<ListLaunchesRequest['mechanic']>

const STATUSES: readonly LaunchStatus[] = LAUNCH_STATUSES
export const SORTS: readonly LaunchSort[] = LAUNCH_SORTS
export const MECHANICS: readonly Mechanic[] = LAUNCH_MECHANICS
const TEXT_LENGTH_MAX = 64

export function parseLaunchFilter(search: URLSearchParams, networks: readonly string[]): LaunchFilter {
  return {
    network: parseNetwork(search, networks),
    status: oneOf(STATUSES, search.get('status')),
    mechanic: oneOf(MECHANICS, search.get('mechanic')),
    sort: oneOf(SORTS, search.get('sort')) ?? 'activity',
    text: (search.get('q') ?? '').trim().slice(0, TEXT_LENGTH_MAX),
    cursor: search.get('cursor') || undefined,
  }
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find(value => value === text)

/** The address of a filter; what is the default is left out. */
export function directoryHref(filter: LaunchFilter, networks: readonly string[]): string {
  const search = new URLSearchParams()
  if (filter.status) search.set('status', filter.status)
  if (filter.mechanic) search.set('mechanic', filter.mechanic)
  if (filter.sort !== 'activity') search.set('sort', filter.sort)
  if (filter.network !== networks[0]) search.set('network', filter.network)
  if (filter.text) search.set('q', filter.text)
  if (filter.cursor) search.set('cursor', filter.cursor)
  return search.size > 0 ? `/?${search}` : '/'
}

export const toLaunchRequest = ({ network, status, mechanic, sort, text }: LaunchFilter) =>
  ({ network, status, mechanic, sort, ...(text && { query: text }) }) satisfies ListLaunchesRequest

/** Whether nothing is left out, and the list begins at its start. */
export const isEverything = ({ status, mechanic, text, cursor }: LaunchFilter): boolean =>
  !status && !mechanic && !text && !cursor
