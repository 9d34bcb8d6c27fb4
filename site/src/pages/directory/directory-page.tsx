import { useMemo, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { PageHead, Toolbar } from '../../components/layout.tsx'
import { plural } from '../../lib/format.ts'
import { changeFilter, directoryHref, type LaunchFilter, parseLaunchFilter } from '../../lib/launch-filter.ts'
import { useSite } from '../../lib/site-context.ts'
import { useTitle } from '../../lib/title.ts'
import { CreateLaunchLink } from '../new-launch/started-launches.tsx'
import { definePage } from '../page.ts'
import styles from './directory.module.css'
import { DirectoryFilters } from './directory-filters.tsx'
import { LaunchList, LaunchListSkeleton } from './launch-list.tsx'
import { loadDirectory } from './load-directory.ts'
import { NothingFound } from './nothing-found.tsx'
import { ShowMore } from './show-more.tsx'
import { Spotlight } from './spotlight.tsx'
import { type StatusCounts, sumOf } from './status-counts.ts'
import { useDirectory } from './use-directory.ts'

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
          <p className={styles.back}>
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
