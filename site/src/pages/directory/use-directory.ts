import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIsHydrated } from '../../lib/now.ts'
import { launchesQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { applyFilter, type Filter, indexLaunches } from './filter.ts'
import { type FirstRows, firstRowsKey, pickSpotlight } from './first-rows.ts'
import { useNextStart } from './use-next-start.ts'

/** The launches that match, newest activity first: what the server sent, then all of them, kept up to date. */
export function useDirectory(filter: Filter) {
  const { slipway } = useSite()
  const isHydrated = useIsHydrated()
  const all = useQuery({ ...launchesQuery(slipway, filter.network), enabled: isHydrated })
  const first = useQuery<FirstRows>({ queryKey: firstRowsKey(filter), enabled: false })
  const index = useMemo(() => all.data && indexLaunches(all.data), [all.data])
  const startedMs = useNextStart(index)
  const found = useMemo((): FirstRows | undefined => {
    if (!index || !all.data) return undefined
    const { matches, counts } = applyFilter(index, filter, startedMs)
    const spotlight = pickSpotlight(all.data, startedMs)
    return { rows: matches, matchCount: matches.length, counts, spotlight, page: 1 }
  }, [index, all.data, filter, startedMs])
  return {
    shown: found ?? first.data,
    /** Whether `shown` has every row. */
    isComplete: found !== undefined,
    error: all.error,
    retry: () => void all.refetch(),
  }
}
