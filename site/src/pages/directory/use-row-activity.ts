import type { LaunchFigures, LaunchStatus, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { KnownFigures } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useInView } from './use-in-view.ts'

/** The figures of a launch; how they changed follows while it is in view. */
export function useRowActivity(
  element: RefObject<Element | null>,
  network: Network,
  address: string,
  status: LaunchStatus,
  /** From when the list was loaded. */
  known?: LaunchFigures,
): { activity: KnownFigures | undefined; isPending: boolean } {
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
  return { activity: data ?? known, isPending: isHydrated && !data && !known?.current && !isError }
}
