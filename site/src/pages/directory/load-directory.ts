import type { LaunchData, Network } from '@slipway/client'
import { directoryHref, isEverything, parseLaunchFilter } from '../../lib/launch-filter.ts'
import { statusAt } from '../../lib/launches.ts'
import { activityQuery, launchCountsQuery, launchListQuery, spotlightQuery } from '../../lib/queries.ts'
import { type LoadContext, type LoadedPage, loadOptional } from '../page.ts'

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
