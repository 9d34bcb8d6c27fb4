import type { LaunchData } from '@slipway/client'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { addressOf, holdOrder } from './hold-order.ts'

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
