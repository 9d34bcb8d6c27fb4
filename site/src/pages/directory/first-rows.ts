import type { LaunchData, LaunchStatus, Network } from '@slipway/client'
import { statusAt } from '../../lib/launches.ts'
import { activityQuery, launchesQuery } from '../../lib/queries.ts'
import { type LoadContext, type LoadedPage, loadOptional } from '../page.ts'
import { applyFilter, type Filter, indexLaunches, type StatusCounts } from './filter.ts'

/** What the server sends of the directory: the first rows of what was asked for. The browser fetches the rest. */
export interface FirstRows {
  rows: LaunchData[]
  matchCount: number
  counts: StatusCounts
  spotlight: LaunchData[]
  page: number
}

export const ROWS_PER_PAGE = 50
/** Bounds the page; operators pick fewer. */
const SPOTLIGHT_MAX = 12
/** On a large screen. */
const ROWS_SEEN = 10
/** The browser asks again; until then these will do. */
const FIGURES_FRESH_MS = 15_000

export const firstRowsKey = ({ network, status, text }: Filter) => ['first-rows', network, status ?? '', text]

export async function loadFirstRows(
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
    spotlight: pickSpotlight(launches, nowMs),
    page,
  }
}

/** The figures of what is seen first. A row is complete without them, so a failure leaves them out. */
export async function loadFigures(
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

const STATUS_ORDER: Record<LaunchStatus, number> = { live: 0, upcoming: 1, graduated: 2 }

/** Live ones first, then the newest start. The order does not depend on activity, so that cards keep their places. */
export function pickSpotlight(launches: readonly LaunchData[], nowMs: number): LaunchData[] {
  const orderOf = (data: LaunchData) => STATUS_ORDER[statusAt(data, nowMs)]
  return launches
    .filter(({ launch }) => launch.spotlight)
    .sort((a, b) => orderOf(a) - orderOf(b) || compareStarts(a, b))
    .slice(0, SPOTLIGHT_MAX)
}

function compareStarts({ launch: a }: LaunchData, { launch: b }: LaunchData): number {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime ? 1 : -1
  return a.genesisAddress < b.genesisAddress ? -1 : 1
}
