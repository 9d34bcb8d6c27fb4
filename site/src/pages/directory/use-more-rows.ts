import type { LaunchData, Network } from '@slipway/client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { appendRows, type LaunchRows, readRows } from '../../lib/launch-rows.ts'
import {
  directoryHref,
  isEverything,
  type LaunchFilter,
  parseLaunchFilter,
  statusAt,
} from '../../lib/launches.ts'
import {
  activityQuery,
  launchCountsQuery,
  launchListQuery,
  ROWS_PER_PAGE,
  spotlightQuery,
} from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { type LoadContext, type LoadedPage, loadOptional } from '../page.ts'

/** How long a failure is shown. Then rows follow by themselves again. */
const RETRY_MS = 5_000
/** The list is rarely fetched again while a page of it is. */
const ATTEMPTS = 3

/** Loads the rows that follow. They stay while the list is in memory, so that going back finds them. */
export function useMoreRows(filter: LaunchFilter) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const key = queryKeys.launchList(filter)
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [loadCount, setLoadCount] = useState(0)
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])
  useEffect(() => {
    if (state !== 'failed') return undefined
    const timer = setTimeout(setState, RETRY_MS, 'idle')
    return () => clearTimeout(timer)
  }, [state])

  /** Whether rows were added. This looks at the rows in memory, which may not be drawn yet. */
  async function load(rowsMax = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (request.current || !findNext(rowsMax)) return false
    const controller = new AbortController()
    request.current = controller
    setState('loading')
    try {
      const isAdded = await addPage(rowsMax, controller.signal)
      setState('idle')
      return isAdded
    } catch {
      if (!controller.signal.aborted) setState('failed')
      return false
    } finally {
      request.current = undefined
      setLoadCount(count => count + 1)
    }
  }

  /** The cursor of the next page, if there is one and there are fewer rows than this. */
  function findNext(rowsMax: number): string | null {
    const rows = queryClient.getQueryData<LaunchRows>(key)
    return rows && rows.launches.length < rowsMax ? rows.next : null
  }

  async function addPage(rowsMax: number, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const next = findNext(rowsMax)
      if (next === null) return false
      const page = await readRows(slipway, filter, { cursor: next, limit: ROWS_PER_PAGE }, { signal })
      // If the list was fetched again meanwhile, it may continue elsewhere.
      if (queryClient.getQueryData<LaunchRows>(key)?.next !== next) continue
      queryClient.setQueryData<LaunchRows>(key, now => now && appendRows(now, page))
      return true
    }
    return false
  }
  return { state, loadCount, load }
}

/** The matching launches that are loaded, their total number, and the spotlight. */
export function useDirectory(filter: LaunchFilter) {
  const { slipway } = useSite()
  const list = useQuery({ ...launchListQuery(slipway, filter), placeholderData: keepPreviousData })
  const counts = useQuery({ ...launchCountsQuery(slipway, filter), enabled: filter.text === '' })
  const spotlight = useQuery({ ...spotlightQuery(slipway, filter.network), enabled: isEverything(filter) })
  return {
    rows: list.data,
    /** Whether these are the rows of the previous filter. */
    isPrevious: list.isPlaceholderData,
    counts: filter.text === '' ? (counts.data ?? undefined) : undefined,
    spotlight: isEverything(filter) ? (spotlight.data ?? []) : [],
    error: list.error,
    retry: () => void list.refetch(),
  }
}

const DESCRIPTION = 'Token launches: what is open, what opens next, and what each has raised.'
/** On a large screen. */
const ROWS_SEEN = 10
/** The browser asks again; until then these will do. */
const FIGURES_FRESH_MS = 15_000

/**
 * The data that the server sends with the directory: one page of launches, so its size doesn't depend on their
 * number.
 */
export async function loadDirectory(
  context: LoadContext,
  _params: unknown,
  search: URLSearchParams,
): Promise<LoadedPage> {
  const { settings, queryClient, slipway } = context
  const filter = parseLaunchFilter(search, settings.networks)
  const list = launchListQuery(slipway, filter)
  const [rows, counts, spotlight] = await Promise.all([
    queryClient.fetchQuery(list),
    filter.text === '' ? loadOptional(context, launchCountsQuery(slipway, filter)) : [],
    isEverything(filter) ? loadOptional(context, spotlightQuery(slipway, filter.network)) : [],
  ])
  const picked = spotlight.flatMap(([, launches]) => launches as LaunchData[])
  const seen = [...picked, ...rows.launches.slice(0, ROWS_SEEN)]
  return {
    head: {
      title: 'Launches',
      description: DESCRIPTION,
      path: directoryHref(filter, settings.networks),
      isIndexed: filter.text === '' && filter.cursor === undefined,
    },
    data: [
      [list.queryKey, rows],
      ...counts,
      ...spotlight,
      ...(await loadFigures(context, filter.network, seen)),
    ],
  }
}

/** The figures of the first rows. A row is complete without them, so a failure leaves them out. */
async function loadFigures(
  context: LoadContext,
  network: Network,
  launches: readonly LaunchData[],
): Promise<LoadedPage['data']> {
  const opened = launches.filter(data => statusAt(data, context.nowMs) !== 'upcoming')
  const addresses = new Set(opened.map(({ launch }) => launch.genesisAddress))
  const found = await Promise.all(
    [...addresses].map(address =>
      loadOptional(context, {
        ...activityQuery(context.slipway, network, address, 'day'),
        staleTime: FIGURES_FRESH_MS,
      }),
    ),
  )
  return found.flat()
}
