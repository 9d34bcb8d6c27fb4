import type { LaunchData } from '@slipway/client'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'

/**
 * The rows to show. While the reader points at the list, has the focus in it or has scrolled into it, rows change but none
 * moves; those that would move are counted.
 */
export function useHeldOrder(rows: readonly LaunchData[], list: RefObject<HTMLElement | null>) {
  const isHeld = useIsHeld(list)
  const shownOrder = useRef<readonly string[]>([])
  const [releases, setReleases] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a release shows the new order at once.
  const result = useMemo(() => {
    const order = rows.map(addressOf)
    if (!isHeld || shownOrder.current.length === 0 || !sharesRows(shownOrder.current, order)) {
      shownOrder.current = order
      return { shown: rows, waitingCount: 0 }
    }
    const byAddress = new Map(rows.map(row => [addressOf(row), row]))
    const shown = shownOrder.current.flatMap(address => byAddress.get(address) ?? [])
    const waitingCount = countMoved(shown.map(addressOf), order)
    return { shown, waitingCount }
  }, [rows, isHeld, releases])
  return {
    ...result,
    release() {
      shownOrder.current = []
      setReleases(count => count + 1)
      list.current?.parentElement?.scrollIntoView({ block: 'start' })
    },
  }
}

const addressOf = ({ launch }: LaunchData) => launch.genesisAddress

/** Another filter shows other rows: nothing of the old order is worth keeping. */
function sharesRows(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before)
  const kept = after.reduce((count, address) => count + (known.has(address) ? 1 : 0), 0)
  return kept >= after.length - MOVES_MAX && kept >= before.length - MOVES_MAX
}
const MOVES_MAX = 50

/** How many rows are new at the top or have risen there. */
function countMoved(shown: readonly string[], order: readonly string[]): number {
  const places = new Map(shown.map((address, at) => [address, at]))
  let moved = 0
  let next = 0
  for (const address of order) {
    const place = places.get(address)
    if (place === undefined || place < next) moved += 1
    else if (place > next + moved) moved += 1
    else next = place + 1
    if (moved > MOVES_MAX) break
  }
  return moved
}

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
