import type { Network } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../../lib/query-keys.ts'

/** Reads balances and positions again when someone comes back to the page: they may have traded elsewhere. */
export function useReadOnReturn(network: Network, address: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const read = () => {
      if (document.visibilityState !== 'visible') return
      // Coming back can cause both events.
      for (const queryKey of [queryKeys.market(network, address), queryKeys.balances(network)])
        void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }
    document.addEventListener('visibilitychange', read)
    window.addEventListener('focus', read)
    return () => {
      document.removeEventListener('visibilitychange', read)
      window.removeEventListener('focus', read)
    }
  }, [queryClient, network, address])
}
