import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

/** Makes sure that what is signed is what was shown: an answer about this very amount. */
export function useExactAnswer<Data, Key extends QueryKey>(
  /** Undefined if it is missing, or about an earlier amount. */
  shown: Data | undefined,
  query: FetchQueryOptions<Data, Error, Data, Key>,
) {
  const queryClient = useQueryClient()
  const [isFetching, setFetching] = useState(false)

  /** Undefined if there is none. */
  async function read(): Promise<Data | undefined> {
    if (shown !== undefined) return shown
    setFetching(true)
    const fetched = await queryClient.fetchQuery(query).catch(() => undefined)
    setFetching(false)
    return fetched
  }
  return { isFetching, read }
}
