import type { Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useMemo, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { OtherNetwork, Segmented } from '../../components/choices.tsx'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { PageHead, Toolbar } from '../../components/layout.tsx'
import { Menu } from '../../components/menu.tsx'
import { Notice } from '../../components/notice.tsx'
import { type AgentFilter, agentsHref } from '../../lib/agents.ts'
import { networkName, plural } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import {
  changeFilter,
  type DirectorySort,
  directoryHref,
  isEverything,
  type LaunchFilter,
  MECHANICS,
  parseLaunchFilter,
  type Standing,
  sortsOf,
} from '../../lib/launches.ts'
import { isAddress } from '../../lib/links.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { CreateLaunchLink } from '../new-launch/started-launches.tsx'
import { definePage } from '../page.ts'
import styles from './directory.module.css'
import { LaunchList, LaunchListSkeleton } from './launch-list.tsx'
import { ShowMore } from './show-more.tsx'
import { Spotlight } from './spotlight.tsx'
import { loadDirectory, useDirectory } from './use-more-rows.ts'

export const directoryPage = definePage({ path: '/', Component: Directory, load: loadDirectory })

function Directory() {
  const { networks } = useSite().settings
  const search = useSearch()
  const filter = useMemo(() => parseLaunchFilter(new URLSearchParams(search), networks), [search, networks])
  const list = useRef<HTMLUListElement>(null)
  const { rows, isPrevious, counts, spotlight, error, retry } = useDirectory(filter)
  useTitle('Launches')
  const name = directoryHref(filter, networks)
  const unknownStatus = filter.status ? undefined : new URLSearchParams(search).get('status')?.slice(0, 40)

  if (!rows && error)
    return (
      <Unreachable error={error} onRetry={retry}>
        Launches could not be loaded. Nothing is lost; the list comes back with the service.
      </Unreachable>
    )
  // Without the counts, lists that the page has not reached are unknown.
  const total = rows && Math.max(rows.launches.length, totalOf(filter, counts, rows.total))
  return (
    <>
      <PageHead
        title="Launches"
        summary={<Summary text={filter.text} total={isPrevious ? undefined : rows?.total} />}
      >
        <CreateLaunchLink />
      </PageHead>
      {error && <StaleNotice error={error} />}
      {spotlight.length > 0 && <Spotlight launches={spotlight} network={filter.network} />}
      <section aria-labelledby="all-launches">
        <Toolbar>
          <h2 id="all-launches" className={styles.heading}>
            {headingOf(filter)}
            {filter.text && rows?.launches.length !== 0 && (
              <Link href={directoryHref(changeFilter(filter, { text: '' }), networks)}>Clear the search</Link>
            )}
          </h2>
          <DirectoryFilters filter={filter} counts={counts} />
        </Toolbar>
        {unknownStatus && (
          <p className={styles.note}>
            No launch has the status <bdi>“{unknownStatus}”</bdi>, so all are shown.
          </p>
        )}
        {filter.cursor && (
          <p className="bottom-4">
            <Link href={directoryHref({ ...filter, cursor: undefined }, networks)}>
              Back to the start of the list
            </Link>
          </p>
        )}
        {/* A list without rows has nothing to show while the next one is on its way. */}
        {(!rows || (isPrevious && rows.launches.length === 0)) && <LaunchListSkeleton />}
        {rows?.launches.length === 0 && !isPrevious && <NothingFound filter={filter} />}
        {rows && total !== undefined && rows.launches.length > 0 && (
          <>
            <LaunchList
              {...{
                rows: rows.launches,
                figures: rows.figures,
                total,
                network: filter.network,
                list,
                isPrevious,
              }}
              name={isPrevious ? '' : name}
            />
            {!isPrevious && <ShowMore key={name} {...{ filter, rows, total, list }} />}
          </>
        )}
      </section>
    </>
  )
}

const HEADINGS = {
  live: 'Live launches',
  upcoming: 'Upcoming launches',
  closed: 'Closed launches',
  graduated: 'Graduated launches',
}

const headingOf = ({ text, status }: LaunchFilter): string =>
  text ? 'Results' : status ? HEADINGS[status] : 'All launches'

/** Events keep the counts current. The total of a page is from when it was loaded. */
function totalOf({ status, text }: LaunchFilter, counts: StatusCounts | undefined, total: number): number {
  if (!counts || text) return total
  return status ? counts[status] : sumOf(counts)
}

/** Screen readers announce it, so it never gives the total of the previous filter. */
function Summary({ text, total }: { text: string; total: number | undefined }) {
  if (!text)
    return 'New tokens on Solana, and how their sales are going. You sign every transaction in your own wallet.'
  if (total === undefined) return 'Searching…'
  return (
    <>
      {plural(total, 'match', 'matches')} for <bdi>“{text}”</bdi>
    </>
  )
}

const SORT_NAMES: Record<DirectorySort, string> = {
  status: 'Live first',
  activity: 'Latest activity',
  newest: 'Newest',
  raised: 'Most raised',
  progress: 'Furthest along',
  ending: 'Ending soonest',
}

/** Every choice is a link, so that it is in the address and works without script. */
export function DirectoryFilters({
  filter,
  counts,
}: {
  filter: LaunchFilter
  counts: StatusCounts | undefined
}) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<LaunchFilter>) => directoryHref(changeFilter(filter, change), networks)
  const statuses = [
    { text: 'All', status: undefined, count: counts && sumOf(counts) },
    { text: 'Live', status: 'live', count: counts?.live },
    { text: 'Upcoming', status: 'upcoming', count: counts?.upcoming },
    { text: 'Closed', status: 'closed', count: counts?.closed },
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
      <div className={styles.menus}>
        {networks.length > 1 && (
          <Menu
            label="Network"
            choices={(networks as Network[]).map(network => ({
              text: networkName(network),
              href: hrefOf({ network }),
              isCurrent: filter.network === network,
            }))}
          />
        )}
        <Menu
          label="Kind"
          choices={[undefined, ...MECHANICS].map(mechanic => ({
            text: mechanic ? wordsOf(mechanic).title : 'All kinds',
            href: hrefOf({ mechanic }),
            isCurrent: filter.mechanic === mechanic,
          }))}
        />
        <Menu
          label="Sort"
          choices={sortsOf(filter).map(sort => ({
            text: sort === 'ending' && filter.status === 'closed' ? 'Last closed' : SORT_NAMES[sort],
            href: hrefOf({ sort }),
            isCurrent: filter.sort === sort,
          }))}
        />
      </div>
    </div>
  )
}

/** Says why the list is empty, and what to change. */
export function NothingFound({ filter }: { filter: LaunchFilter }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<LaunchFilter>) => directoryHref(changeFilter(filter, change), networks)
  const place = networkName(filter.network)
  if (isEverything(filter))
    return (
      <Notice level={3} title={`No launches on ${place} yet`}>
        A launch appears here as soon as it is registered.
      </Notice>
    )
  const { text, status, mechanic } = filter
  const kind = mechanic ? `${wordsOf(mechanic).noun}s` : 'launches'
  return (
    <Notice
      level={3}
      title={text ? 'Nothing matches' : `No ${status ? `${status} ` : ''}${kind} on ${place}`}
      action={
        <>
          {status && <Link href={hrefOf({ status: undefined })}>Any status</Link>}
          {mechanic && <Link href={hrefOf({ mechanic: undefined })}>Any kind</Link>}
          {text && <Link href={hrefOf({ text: '' })}>Clear the search</Link>}
          {isAddress(text) ? (
            <Link href={walletHref(text, filter.network, networks)}>Open this address as a wallet</Link>
          ) : (
            text && (
              <Link href={agentsHref({ ...ANY_AGENT, network: filter.network, text }, networks)}>
                Search agents
              </Link>
            )
          )}
          <OtherNetwork current={filter.network} hrefOf={network => hrefOf({ network })} />
        </>
      }
    >
      {text
        ? 'Search covers names, symbols and addresses. Small typos in a name or a symbol are fine.'
        : 'Try another status, kind or network.'}
    </Notice>
  )
}

const ANY_AGENT = { flags: [], sort: 'latest', page: 1 } as const satisfies Partial<AgentFilter>

export type StatusCounts = Record<Standing, number>

export const sumOf = ({ upcoming, live, closed, graduated }: StatusCounts): number =>
  upcoming + live + closed + graduated
