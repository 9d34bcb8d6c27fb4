import type { Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryKeys } from '../lib/query-keys.ts'
import { useSite } from '../lib/site-context.ts'
import { findAddress, findMatches } from './find-matches.ts'

/** A search begins when no key has been pressed for this long. */
const PAUSE_MS = 150
/** One letter matches too much to help. */
export const LENGTH_MIN = 2
const KEPT_MS = 60_000

/** The matches of a text. A search is aborted when the next one replaces it. */
export function useSearchResults(typed: string) {
  const { slipway, settings } = useSite()
  const text = usePaused(typed.trim())
  const isSearched = text.length >= LENGTH_MIN
  const query = useQuery({
    queryKey: queryKeys.search(text),
    queryFn: ({ signal }) => findMatches({ slipway, networks: settings.networks as Network[], signal }, text),
    enabled: isSearched,
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    // The reader is waiting, and can try again.
    retry: false,
  })
  const isCurrent = text === typed.trim()
  return {
    text,
    matches: isSearched ? query.data : undefined,
    /** Whether `matches` are those of the current text. */
    isCurrent: isCurrent && !query.isPlaceholderData && !query.isFetching,
    error: isCurrent && isSearched && query.isError ? query.error : undefined,
    retry: () => void query.refetch(),
  }
}

/** The text at the last pause. Pasted text does not wait. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  const isWhole = findAddress(text) !== undefined
  useEffect(() => {
    if (isWhole) return setPaused(text)
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, isWhole])
  return paused
}
