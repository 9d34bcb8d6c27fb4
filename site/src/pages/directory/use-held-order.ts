import type { LaunchData } from '@slipway/client'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

/**
 * The rows to show. While the reader points at the list, has the focus in it or has scrolled into it, rows change but
 * none moves; those that would move are counted.
 */
export function useHeldOrder(
  rows: readonly LaunchData[],
  list: RefObject<HTMLElement | null>,
  /** Another list shows other rows: nothing of the order before is worth keeping. */
  listName: string,
) {
  const isHeld = useIsHeld(list)
  const [held, setHeld] = useState({ listName, order: rows.map(addressOf) })
  const result = useMemo(
    () =>
      isHeld && held.listName === listName
        ? holdOrder(held.order, rows)
        : { shown: rows as LaunchData[], waitingCount: 0 },
    [isHeld, held, listName, rows],
  )
  const order = result.shown.map(addressOf)
  // React allows a component to correct its own state while it renders.
  if (held.listName !== listName || !isSame(held.order, order)) setHeld({ listName, order })
  return {
    ...result,
    release() {
      setHeld({ listName, order: rows.map(addressOf) })
      list.current?.parentElement?.scrollIntoView({ block: 'start' })
    },
  }
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((address, at) => address === b[at])

function useIsHeld(list: RefObject<HTMLElement | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const state = { isPointed: false, isFocused: false, isScrolled: false }
    const update = (change: Partial<typeof state>) => {
      Object.assign(state, change)
      setHeld(state.isPointed || state.isFocused || state.isScrolled)
    }
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (list.current?.contains(target) ?? false)
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') update({ isPointed: isInside(event.target) })
    }
    const onFocus = (event: FocusEvent) => update({ isFocused: isInside(event.target) })
    const onBlur = () => update({ isFocused: false })
    const onLeave = () => update({ isPointed: false })
    const onScroll = () => update({ isScrolled: (list.current?.getBoundingClientRect().top ?? 1) < 0 })
    document.addEventListener('pointermove', onMove, { passive: true })
    document.documentElement.addEventListener('pointerleave', onLeave)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    document.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      document.removeEventListener('pointermove', onMove)
      document.documentElement.removeEventListener('pointerleave', onLeave)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
      document.removeEventListener('scroll', onScroll)
    }
  }, [list])
  return isHeld
}

export const addressOf = ({ launch }: LaunchData): string => launch.genesisAddress

/**
 * Rows in the order in which they are shown, and how many would rise or arrive above. Those that were loaded below
 * follow at the end, and those that are gone are left out.
 */
export function holdOrder(
  order: readonly string[],
  rows: readonly LaunchData[],
): { shown: LaunchData[]; waitingCount: number } {
  const places = new Map(order.map((address, at) => [address, at]))
  const byAddress = new Map(rows.map(row => [addressOf(row), row]))
  const lastKnown = rows.findLastIndex(row => places.has(addressOf(row)))
  const kept = order.flatMap(address => byAddress.get(address) ?? [])
  const added = rows.slice(lastKnown + 1)
  const newPlaces = rows.slice(0, lastKnown + 1).flatMap(row => places.get(addressOf(row)) ?? [])
  const arrivals = lastKnown + 1 - newPlaces.length
  return { shown: [...kept, ...added], waitingCount: arrivals + countRisen(newPlaces) }
}

/** How many must move up, at least, to turn the old order into the new one: those above a row that was before them. */
function countRisen(places: readonly number[]): number {
  let lowest = Number.POSITIVE_INFINITY
  let risen = 0
  for (const place of places.toReversed()) {
    if (place > lowest) risen += 1
    else lowest = place
  }
  return risen
}

/** As `--calm` and `--ease` in the styles. */
const RISE: KeyframeAnimationOptions = { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** Lets the elements of a list glide from where they were when their order changes. */
export function useRise(list: RefObject<HTMLElement | null>, order: unknown) {
  const tops = useRef(new Map<Element, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: positions are compared after each change of the order.
  useLayoutEffect(() => {
    const elements = [...(list.current?.children ?? [])] as HTMLElement[]
    const before = tops.current
    tops.current = new Map(elements.map(element => [element, element.offsetTop]))
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const [element, top] of tops.current) {
      const moved = (before.get(element) ?? top) - top
      if (moved !== 0) element.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], RISE)
    }
  }, [list, order])
}
