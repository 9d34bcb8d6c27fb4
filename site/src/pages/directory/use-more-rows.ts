import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LaunchFilter, toLaunchRequest } from '../../lib/launch-filter.ts'
import { appendRows, type LaunchRows } from '../../lib/launch-rows.ts'
import { ROWS_PER_PAGE, readLaunchPage } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'

/** How long a failure is shown. Then rows follow by themselves again. */
const RETRY_MS = 5_000

/** Loads the rows that follow. They stay while the list is in memory, so that going back finds them. */
export function useMoreRows(filter: LaunchFilter) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
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
    const key = queryKeys.launchList(filter)
    const rows = queryClient.getQueryData<LaunchRows>(key)
    const next = rows?.next ?? null
    if (!rows || next === null || rows.launches.length >= rowsMax || request.current) return false
    const controller = new AbortController()
    request.current = controller
    setState('loading')
    try {
      const page = await readLaunchPage(
        slipway,
        { ...toLaunchRequest(filter), cursor: next, limit: ROWS_PER_PAGE },
        { signal: controller.signal },
      )
      // If the list was fetched again meanwhile, it may continue elsewhere.
      const isNext = queryClient.getQueryData<LaunchRows>(key)?.next === next
      if (isNext) queryClient.setQueryData<LaunchRows>(key, now => now && appendRows(now, page))
      setState('idle')
      return isNext
    } catch {
      if (!controller.signal.aborted) setState('failed')
      return false
    } finally {
      request.current = undefined
      setLoadCount(count => count + 1)
    }
  }
  return { state, loadCount, load }
}
