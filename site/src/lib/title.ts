import { useEffect } from 'react'

/** The title of the window, after the page was changed without loading a new one. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Slipway`
  }, [title])
}
