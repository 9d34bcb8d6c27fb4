import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LaunchFilter, toLaunchRequest } from '../../lib/launch-filter.ts'
import { appendRows, type LaunchRows } from '../../lib/launch-rows.ts'
import { ROWS_PER_PAGE, readLaunchPage } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'

/** Loads the rows that follow. They stay while the list is in memory, so that going back finds them. */
export function useMoreRows(filter: LaunchFilter, next: string | null) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])

  /** Whether rows were added. */
  async function load(): Promise<boolean> {
    if (next === null || state === 'loading') return false
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
      queryClient.setQueryData<LaunchRows>(queryKeys.launchList(filter), rows =>
        rows?.next === next ? appendRows(rows, page) : rows,
      )
      setState('idle')
      return true
    } catch {
      if (!controller.signal.aborted) setState('failed')
      return false
    }
  }
  return { state, load }
}
