import type { LaunchTrades, Network } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { appendTrades, fitTrades, TRADES_PER_PAGE } from './read-trades.ts'

/** Loads the trades that follow. */
export function useMoreTrades(network: Network, address: string) {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')

  async function load(next: string) {
    if (state === 'loading') return
    setState('loading')
    try {
      const request = { network, before: next, limit: TRADES_PER_PAGE }
      const page = fitTrades(await slipway.launches.trades(address, request))
      // If the list was fetched again meanwhile, it may continue elsewhere.
      queryClient.setQueryData<LaunchTrades>(queryKeys.trades(network, address), known =>
        known?.next === next ? appendTrades(known, page) : known,
      )
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return { state, load }
}
