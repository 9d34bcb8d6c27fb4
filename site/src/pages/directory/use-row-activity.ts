import type { LaunchStatus, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useInView } from './use-in-view.ts'

/** The figures of a launch while it is in view. */
export function useRowActivity(
  element: RefObject<Element | null>,
  network: Network,
  address: string,
  status: LaunchStatus,
) {
  const { slipway } = useSite()
  const isInView = useInView(element)
  const isHydrated = useIsHydrated()
  const { data, isError } = useQuery({
    ...activityQuery(slipway, network, address, 'day'),
    enabled: isInView && status !== 'upcoming',
    staleTime: 60_000,
    retry: false,
  })
  // Without script, no more data will arrive, so nothing is pending.
  return { activity: data, isPending: isHydrated && !data && !isError }
}
