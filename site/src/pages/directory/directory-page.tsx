import type { LaunchData, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { NETWORK_NAMES, plural } from '../../lib/format.ts'
import { statusAt } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery, launchesQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useTitle } from '../../lib/title.ts'
import { definePage, type LoadContext, type LoadedPage, loadOptional } from '../page.ts'
import styles from './directory.module.css'
import {
  applyFilter,
  directoryHref,
  type Filter,
  indexLaunches,
  parseFilter,
  type StatusCounts,
} from './filter.ts'
import { LaunchList, LaunchListSkeleton } from './launch-list.tsx'
import { Spotlight } from './spotlight.tsx'
import { useNextStart } from './use-next-start.ts'

/** What the server sends of the directory: the first rows of what was asked for. The browser fetches the rest. */
interface FirstRows {
  rows: LaunchData[]
  matchCount: number
  counts: StatusCounts
  spotlight: LaunchData[]
  page: number
}

const ROWS_PER_PAGE = 50
const SPOTLIGHT_MAX = 3
/** On a large screen. */
const ROWS_SEEN = 10
/** The browser asks again; until then these will do. */
const FIGURES_FRESH_MS = 15_000
const DESCRIPTION = 'Token launches on this network: what is open, what opens next, and what each has raised.'

const firstRowsKey = ({ network, status, text }: Filter) => ['first-rows', network, status ?? '', text]

export const directoryPage = definePage({
  path: '/',
  Component: Directory,
  async load(context, _params, search) {
    const { networks } = context.settings
    const filter = parseFilter(search, networks)
    const page = Math.max(1, Math.min(10_000, Number.parseInt(search.get('page') ?? '1', 10) || 1))
    const first = await loadFirstRows(context, filter, page)
    return {
      head: {
        title: 'Launches',
        description: DESCRIPTION,
        path: directoryHref(filter, networks, page),
        isIndexed: filter.text === '',
      },
      data: [[firstRowsKey(filter), first], ...(await loadFigures(context, filter.network, first))],
    }
  },
})

async function loadFirstRows(
  { queryClient, slipway, nowMs }: LoadContext,
  filter: Filter,
  page: number,
): Promise<FirstRows> {
  const launches = await queryClient.fetchQuery({
    ...launchesQuery(slipway, filter.network),
    staleTime: 2_000,
  })
  const { matches, counts } = applyFilter(indexLaunches(launches), filter, nowMs)
  return {
    rows: matches.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE),
    matchCount: matches.length,
    counts,
    spotlight: pickSpotlight(launches),
    page,
  }
}

/** The figures of what is seen first. A row is complete without them, so a failure leaves them out. */
async function loadFigures(
  context: LoadContext,
  network: Network,
  { rows, spotlight }: FirstRows,
): Promise<LoadedPage['data']> {
  const seen = new Map(
    [...spotlight, ...rows.slice(0, ROWS_SEEN)].map(data => [data.launch.genesisAddress, data]),
  )
  const opened = [...seen.values()].filter(data => statusAt(data, context.nowMs) !== 'upcoming')
  const found = await Promise.all(
    opened.map(({ launch }) =>
      loadOptional(context, {
        ...activityQuery(context.slipway, network, launch.genesisAddress, 'day'),
        staleTime: FIGURES_FRESH_MS,
      }),
    ),
  )
  return found.flat()
}

/** Newest start first. The order does not depend on activity, so that cards never change places under the reader. */
const pickSpotlight = (launches: readonly LaunchData[]) =>
  launches
    .filter(({ launch }) => launch.spotlight)
    .sort(({ launch: a }, { launch: b }) =>
      a.startTime === b.startTime
        ? a.genesisAddress < b.genesisAddress
          ? -1
          : 1
        : a.startTime < b.startTime
          ? 1
          : -1,
    )
    .slice(0, SPOTLIGHT_MAX)

function Directory() {
  const { slipway, settings } = useSite()
  const search = useSearch()
  const { networks } = settings
  const filter = useMemo(() => parseFilter(new URLSearchParams(search), networks), [search, networks])
  const isHydrated = useIsHydrated()
  const all = useQuery({ ...launchesQuery(slipway, filter.network), enabled: isHydrated })
  const first = useQuery<FirstRows>({ queryKey: firstRowsKey(filter), enabled: false })
  useTitle('Launches')

  const index = useMemo(() => all.data && indexLaunches(all.data), [all.data])
  const startedMs = useNextStart(index)
  const found = useMemo(() => {
    if (!index || !all.data) return undefined
    const { matches, counts } = applyFilter(index, filter, startedMs)
    return { rows: matches, matchCount: matches.length, counts, spotlight: pickSpotlight(all.data), page: 1 }
  }, [index, all.data, filter, startedMs])
  const shown: FirstRows | undefined = found ?? first.data
  const isEverything = filter.text === '' && filter.status === undefined

  if (!shown && all.isError) return <Unreachable onRetry={() => void all.refetch()} />
  return (
    <>
      <header className={styles.head}>
        <h1>Launches</h1>
        <p className={styles.summary}>{shown ? <Summary counts={shown.counts} filter={filter} /> : ' '}</p>
      </header>
      {isEverything && shown && shown.spotlight.length > 0 && (
        <Spotlight launches={shown.spotlight} network={filter.network} />
      )}
      <section aria-labelledby="all-launches">
        <div className={styles.tools}>
          <h2 id="all-launches" className={styles.heading}>
            {filter.text ? 'Results' : 'All launches'}
          </h2>
          <Filters filter={filter} counts={shown?.counts} />
        </div>
        {all.isError && <Stale />}
        {!shown && <LaunchListSkeleton />}
        {shown && shown.matchCount === 0 && <NothingFound filter={filter} />}
        {shown && shown.matchCount > 0 && (
          <LaunchList rows={shown.rows} network={filter.network} isComplete={found !== undefined} />
        )}
        {shown && !isHydrated && <Pages filter={filter} page={shown.page} matchCount={shown.matchCount} />}
      </section>
    </>
  )
}

function Summary({ counts, filter }: { counts: StatusCounts; filter: Filter }) {
  if (filter.text)
    return (
      <>
        {plural(counts.all, 'match', 'matches')} for <bdi>“{filter.text}”</bdi>
      </>
    )
  return (
    <>
      <b>{plural(counts.live, 'launch', 'launches')}</b> live, <b>{counts.upcoming}</b> upcoming,{' '}
      <b>{counts.graduated}</b> graduated
    </>
  )
}

function Filters({ filter, counts }: { filter: Filter; counts: StatusCounts | undefined }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<Filter>) => directoryHref({ ...filter, ...change }, networks)
  const statuses = [
    { text: 'All', status: undefined, count: counts?.all },
    { text: 'Upcoming', status: 'upcoming', count: counts?.upcoming },
    { text: 'Live', status: 'live', count: counts?.live },
    { text: 'Graduated', status: 'graduated', count: counts?.graduated },
  ] as const
  return (
    <div className={styles.filters}>
      <Segmented
        label="Status"
        choices={statuses.map(({ text, status, count }) => ({
          text,
          count,
          href: hrefOf({ status }),
          isCurrent: filter.status === status,
        }))}
      />
      {networks.length > 1 && (
        <Segmented
          label="Network"
          choices={networks.map(network => ({
            text: NETWORK_NAMES[network] ?? network,
            href: hrefOf({ network: network as Filter['network'] }),
            isCurrent: filter.network === network,
          }))}
        />
      )}
    </div>
  )
}

function NothingFound({ filter }: { filter: Filter }) {
  const { networks } = useSite().settings
  const other = networks.find(network => network !== filter.network)
  const networkName = NETWORK_NAMES[filter.network] ?? filter.network
  if (filter.text === '' && filter.status === undefined)
    return (
      <Notice level={3} title={`No launches on ${networkName} yet`}>
        A launch appears here as soon as it is registered.
      </Notice>
    )
  return (
    <Notice
      level={3}
      title={filter.text ? 'Nothing matches' : `Nothing ${filter.status} on ${networkName}`}
      action={
        <>
          {filter.status && (
            <Link href={directoryHref({ ...filter, status: undefined }, networks)}>Any status</Link>
          )}
          {filter.text && (
            <Link href={directoryHref({ ...filter, text: '' }, networks)}>Clear the search</Link>
          )}
          {other && (
            <Link href={directoryHref({ ...filter, network: other as Filter['network'] }, networks)}>
              Look on {NETWORK_NAMES[other] ?? other}
            </Link>
          )}
        </>
      }
    >
      {filter.text ? 'Any part of a name, a symbol or an address will do.' : 'Try another status or network.'}
    </Notice>
  )
}

function Unreachable({ onRetry }: { onRetry(): void }) {
  return (
    <Notice
      kind="error"
      level={1}
      title="The service is not answering"
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      Launches could not be loaded. Nothing is lost; the list comes back with the service.
    </Notice>
  )
}

const Stale = () => (
  <p role="status" className={styles.stale}>
    Not updating: the service is not answering. What you see is from before.
  </p>
)

/** For browsers without script: with it, the list holds everything. */
function Pages({ filter, page, matchCount }: { filter: Filter; page: number; matchCount: number }) {
  const { networks } = useSite().settings
  const last = Math.ceil(matchCount / ROWS_PER_PAGE)
  if (last <= 1) return null
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {page > 1 && <Link href={directoryHref(filter, networks, page - 1)}>Newer</Link>}
      <span>
        Page {page} of {last}
      </span>
      {page < last && <Link href={directoryHref(filter, networks, page + 1)}>Older</Link>}
    </nav>
  )
}
