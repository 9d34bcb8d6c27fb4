import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isEverything, type LaunchFilter } from '../../lib/launch-filter.ts'
import { launchCountsQuery, launchListQuery, spotlightQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'

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
