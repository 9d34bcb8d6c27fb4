import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { PageHead } from '../../components/page-head.tsx'
import { StaleNotice } from '../../components/stale-notice.tsx'
import { Toolbar } from '../../components/toolbar.tsx'
import { Unreachable } from '../../components/unreachable.tsx'
import { plural } from '../../lib/format.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { useTitle } from '../../lib/title.ts'
import { CreateLaunchLink } from '../new-launch/create-launch-link.tsx'
import { definePage } from '../page.ts'
import styles from './directory.module.css'
import { DirectoryFilters } from './directory-filters.tsx'
import { directoryHref, type Filter, parseFilter, type StatusCounts } from './filter.ts'
import { firstRowsKey, loadFigures, loadFirstRows, ROWS_PER_PAGE } from './first-rows.ts'
import { LaunchList, LaunchListSkeleton } from './launch-list.tsx'
import { NothingFound } from './nothing-found.tsx'
import { Spotlight } from './spotlight.tsx'
import { useDirectory } from './use-directory.ts'

const DESCRIPTION = 'Token launches: what is open, what opens next, and what each has raised.'

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

function Directory() {
  const { networks } = useSite().settings
  const search = useSearch()
  const filter = useMemo(() => parseFilter(new URLSearchParams(search), networks), [search, networks])
  const isHydrated = useIsHydrated()
  const { shown, isComplete, error, retry } = useDirectory(filter)
  useTitle('Launches')
  const isEverything = filter.text === '' && filter.status === undefined

  if (!shown && error)
    return (
      <Unreachable error={error} onRetry={retry}>
        Launches could not be loaded. Nothing is lost; the list comes back with the service.
      </Unreachable>
    )
  return (
    <>
      <PageHead title="Launches" summary={shown ? <Summary counts={shown.counts} filter={filter} /> : ' '}>
        <CreateLaunchLink />
      </PageHead>
      {error && <StaleNotice error={error} />}
      {isEverything && shown && shown.spotlight.length > 0 && (
        <Spotlight launches={shown.spotlight} network={filter.network} />
      )}
      <section aria-labelledby="all-launches">
        <Toolbar>
          <h2 id="all-launches" className={styles.heading}>
            {filter.text ? 'Results' : 'All launches'}
          </h2>
          <DirectoryFilters filter={filter} counts={shown?.counts} />
        </Toolbar>
        {!shown && <LaunchListSkeleton />}
        {shown && shown.matchCount === 0 && <NothingFound filter={filter} />}
        {shown && shown.matchCount > 0 && (
          <LaunchList rows={shown.rows} network={filter.network} isComplete={isComplete} />
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
