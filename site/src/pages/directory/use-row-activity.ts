import type { LaunchStatus, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'

/** Rows that are only passed by while scrolling ask for nothing. */
const SETTLED_MS = 250

export function useRowActivity(network: Network, address: string, status: LaunchStatus) {
  const { slipway } = useSite()
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  const isHydrated = useIsHydrated()
  const { data, isError } = useQuery({
    ...activityQuery(slipway, network, address, 'day'),
    enabled: isSettled && status !== 'upcoming',
    staleTime: 60_000,
    retry: false,
  })
  // Without script nothing more will come, so nothing is pending.
  return { activity: data, isPending: isHydrated && !data && !isError }
}
