import { useEffect, useState } from 'react'
import { useSite } from '../../lib/site-context.ts'
import type { IndexedLaunch } from './filter.ts'

/** No timer runs longer than this. */
const SLEEP_MS_MAX = 60_000

/** The current time, as of the last start of a launch. It changes only when one starts. */
export function useNextStart(launches: readonly IndexedLaunch[] | undefined): number {
  const { serverNowMs } = useSite()
  const [startedMs, setStartedMs] = useState(serverNowMs)
  useEffect(() => {
    if (!launches) return undefined
    const nowMs = Date.now()
    let nextMs = nowMs + SLEEP_MS_MAX
    for (const { startMs } of launches) if (startMs > startedMs && startMs < nextMs) nextMs = startMs
    const timer = setTimeout(() => setStartedMs(Date.now()), Math.max(0, nextMs - nowMs))
    return () => clearTimeout(timer)
  }, [launches, startedMs])
  return startedMs
}
