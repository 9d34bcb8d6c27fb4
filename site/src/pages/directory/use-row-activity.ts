import type { LaunchFigures, LaunchStatus, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { KnownFigures } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'

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

/** A margin around the visible area, so that figures arrive before a row does. */
const MARGIN = '200px 0px'
/** Rows that only pass by while scrolling cause no requests. */
const SETTLED_MS = 250

/** One observer for everything. */
let observer: IntersectionObserver | undefined
const listeners = new WeakMap<Element, (isInView: boolean) => void>()

function observe(element: Element, listener: (isInView: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    listeners.delete(element)
  }
}

/** Whether an element is in view, and has been for a moment. */
function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (!element.current) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = observe(element.current, isNear => {
      clearTimeout(timer)
      if (isNear) timer = setTimeout(() => setInView(true), SETTLED_MS)
      else setInView(false)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [element])
  return isInView
}
