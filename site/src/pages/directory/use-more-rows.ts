import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { LaunchFilter } from '../../lib/launch-filter.ts'
import { appendRows, type LaunchRows, readRows } from '../../lib/launch-rows.ts'
import { ROWS_PER_PAGE } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'

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
