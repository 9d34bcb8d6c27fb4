import type {
  LaunchActivity,
  LaunchActivityValues,
  LaunchData,
  LaunchFigures,
  LaunchStatus,
  ListLaunchesRequest,
  Network,
} from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { LAUNCH_MECHANICS, LAUNCH_SORTS, STANDINGS } from '../server/protocol.ts'
import { parseNetwork, withNetwork } from './networks.ts'
import { cut } from './parse-json.ts'

/** Derived from the times, so that it changes at the right second without a request. */
export function statusAt({ launch }: Pick<LaunchData, 'launch'>, nowMs: number): LaunchStatus {
  if (launch.graduatedAt !== null) return 'graduated'
  return nowMs < Date.parse(launch.startTime) ? 'upcoming' : 'live'
}

/** What people call the state of a launch. */
export type Standing = LaunchStatus | 'closed'

/** What people call it: a sale that is over is not live, though it counts as live until it graduates. */
export function standingAt(
  data: Pick<LaunchData, 'launch'>,
  nowMs: number,
  /** The status, if a time later than `nowMs` has decided it. */
  status: LaunchStatus = statusAt(data, nowMs),
): Standing {
  return status === 'live' && Date.parse(data.launch.endTime) <= nowMs ? 'closed' : status
}

/** Whether it closed with so little that everyone gets a refund. */
export const hasMissedGoal = (data: LaunchData, figures: Figures | undefined, nowMs: number): boolean =>
  wordsOf(data.launch.mechanic).isShared === true &&
  standingAt(data, nowMs) === 'closed' &&
  figures !== undefined &&
  BigInt(figures.raised) < BigInt(figures.goal ?? 0)

/** Where a launch is on this site. */
export const launchHref = (address: string, network: Network, networks: readonly string[]): string =>
  withNetwork(`/launches/${address}`, network, networks)

/** Where people take part on that page. */
export const TAKE_PART_ID = 'take-part'

const NAME_LENGTH_MAX = 80

/** The name that people read; some tokens have none. */
export const titleOf = ({
  baseToken,
}: {
  baseToken: Pick<LaunchData['baseToken'], 'name' | 'symbol'>
}): string => cut(baseToken.name || baseToken.symbol || 'Unnamed', NAME_LENGTH_MAX)

/** Whether people pay into it at no fixed price, so that what was raised matters more than the price. */
export const isRaise = (mechanic: string): boolean => wordsOf(mechanic).raises === true

/** Whether deposits still decide each share and the price. */
export const isOpenPool = ({ launch }: LaunchData, nowMs: number): boolean =>
  wordsOf(launch.mechanic).isShared === true &&
  launch.graduatedAt === null &&
  nowMs < Date.parse(launch.endTime)

/** What the time of a wallet's next claim is called. */
export const nameNextClaim = (
  { claimable, claimed }: { claimable: string; claimed: string },
  isGraduated: boolean,
): string =>
  claimed !== '0' || claimable !== '0' ? 'More to claim' : isGraduated ? 'Claims open' : 'Earliest claim'

/** Newest activity first; equal times by address, as the API does. */
export function compareLaunches(a: LaunchData, b: LaunchData): number {
  if (a.launch.lastActivityAt !== b.launch.lastActivityAt)
    return a.launch.lastActivityAt < b.launch.lastActivityAt ? 1 : -1
  return a.launch.genesisAddress < b.launch.genesisAddress ? -1 : 1
}

/** The figures of a launch, once the service has read them. */
export interface Figures extends LaunchActivityValues {
  quoteMint: string
  quoteDecimals: number
  baseDecimals: number
  /** In the smallest unit of the quote token. */
  goal: string | null
  /** Wallets that its fees go to. */
  creatorWallets: string[]
}

/** What a list knows of a launch's figures; its page knows more. */
export type KnownFigures = LaunchFigures & Partial<Omit<LaunchActivity, keyof LaunchFigures>>

export function figuresOf(activity: KnownFigures | undefined): Figures | undefined {
  if (!activity?.current) return undefined
  const { current, quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets = [] } = activity
  if (quoteMint == null || !isKnown(quoteDecimals) || !isKnown(baseDecimals)) return undefined
  return { ...current, quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets }
}

const isKnown = (decimals: number | null): decimals is number => Number.isInteger(decimals)

/** A figure over time, oldest first, up to now or to where the figures end. */
export function seriesOf(
  { points = [], current, endedAt = null, quoteDecimals }: KnownFigures,
  figure: 'raised' | 'price',
  nowMs: number,
): { ms: number; value: number }[] {
  const read = (values: LaunchActivityValues) => figureValue(values, figure, quoteDecimals)
  const series = points.map(point => ({ ms: Date.parse(point.time), value: read(point) }))
  const lastMs = series.at(-1)?.ms ?? 0
  if (current && endedAt === null && nowMs > lastMs) series.push({ ms: nowMs, value: read(current) })
  return series.filter(({ value }) => Number.isFinite(value))
}

/** In whole tokens; not a number if there is no price. */
export const figureValue = (
  { raised, price }: LaunchActivityValues,
  figure: 'raised' | 'price',
  quoteDecimals: number | null,
): number =>
  figure === 'raised' ? Number(raised) / 10 ** (quoteDecimals ?? Number.NaN) : Number(price ?? Number.NaN)

/** What a token cost in the sale on average, without fees; undefined if none was sold. */
export function averagePrice({
  raised,
  sold,
  quoteDecimals,
  baseDecimals,
}: Pick<Figures, 'raised' | 'sold' | 'quoteDecimals' | 'baseDecimals'>): number | undefined {
  const [paid, tokens] = [Number(raised) / 10 ** quoteDecimals, Number(sold) / 10 ** baseDecimals]
  return paid > 0 && tokens > 0 ? paid / tokens : undefined
}

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
