import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * A page that a link opens starts at its top, with the focus on its heading. Going back is left to the browser, which restores
 * the position.
 */
export function usePageStart(path: string) {
  const pushedPath = useRef<string>(undefined)
  const shownPath = useRef(path)

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

  useLayoutEffect(() => {
    if (path === shownPath.current) return
    shownPath.current = path
    if (pushedPath.current !== location.pathname) return
    pushedPath.current = undefined
    scrollTo(0, 0)
    focusHeading()
  }, [path])
}

function focusHeading() {
  // Someone who searches may go on typing.
  if (document.activeElement?.closest('search')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  const target = heading ?? document.querySelector('main')
  target?.focus({ preventScroll: true })
}
