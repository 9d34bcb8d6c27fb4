import type { Network } from '@slipway/client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { walletListQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { HoldingList, Holdings } from '../../lib/wallets.ts'

export interface Shown {
  wallet: string
  network: Network
  holdings: Holdings
}

/** One of the lists: its start, and as much more as the reader has asked for. */
export function useWholeList<List extends HoldingList>(
  list: List,
  { wallet, network, holdings }: Shown,
  keyOf: (entry: Holdings[List][number]) => string,
) {
  const { slipway } = useSite()
  const [isWanted, setWanted] = useState(false)
  const start = holdings.next[list]
  const isEnabled = isWanted && start !== null
  const rest = useInfiniteQuery({
    ...walletListQuery(slipway, network, wallet, list, start),
    enabled: isEnabled,
    // The list may continue elsewhere after it was fetched again.
    placeholderData: keepPreviousData,
  })
  const pages = [holdings, ...(isEnabled ? (rest.data?.pages ?? []) : [])]
  const entries = pages.flatMap(page => page[list] as Holdings[List][number][])
  return {
    // One that has moved meanwhile is not shown twice.
    entries: [...new Map(entries.map(entry => [keyOf(entry), entry])).values()],
    pages,
    hasMore: isEnabled ? !rest.data || rest.hasNextPage : start !== null,
    isLoading: isEnabled && (rest.isLoading || rest.isFetchingNextPage),
    isFailed: isEnabled && rest.isError,
    showMore() {
      if (!isEnabled) setWanted(true)
      else if (rest.data) void rest.fetchNextPage()
      else void rest.refetch()
    },
  }
}
