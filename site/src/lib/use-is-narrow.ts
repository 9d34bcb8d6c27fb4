import { useSyncExternalStore } from 'react'

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
