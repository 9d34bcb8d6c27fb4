import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** The title of the window, after the page was changed without loading a new one. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Slipway`
  }, [title])
}

/** A value once it has stayed the same for this long. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** As wide as one column of a page. */
export const NARROW = '(max-width: 60rem)'

export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    watchNarrow,
    () => matchMedia(NARROW).matches,
    () => false,
  )

function watchNarrow(listener: () => void): () => void {
  const media = matchMedia(NARROW)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/**
 * A page that a link opens starts at its top, with the focus on its heading. Going back is left to the browser, which
 * restores the position. The result must be called when a page is shown, which may be some time after its link was
 * followed.
 */
export function usePageStart(): () => void {
  const pushedPath = useRef<string>(undefined)

  useEffect(() => {
    const notePush = () => {
      pushedPath.current = location.pathname
    }
    const notePop = () => {
      pushedPath.current = undefined
    }
    // The router dispatches the first of them.
    addEventListener('pushState', notePush)
    addEventListener('popstate', notePop)
    return () => {
      removeEventListener('pushState', notePush)
      removeEventListener('popstate', notePop)
    }
  }, [])

  return useCallback(() => {
    if (pushedPath.current !== location.pathname) return
    pushedPath.current = undefined
    scrollTo(0, 0)
    focusHeading()
  }, [])
}

function focusHeading() {
  // Someone who searches may go on typing.
  if (document.activeElement?.closest('search')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  const target = heading ?? document.querySelector('main')
  target?.focus({ preventScroll: true })
}
