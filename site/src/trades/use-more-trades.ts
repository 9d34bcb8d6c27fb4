import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnyTrades, appendTrades, TRADES_PER_PAGE, type TradeSource } from './read-trades.ts'

/** Loads the trades that follow. */
export function useMoreTrades<List extends AnyTrades>({ queryKey, readPage }: TradeSource<List>) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')

  async function load(next: string) {
    if (state === 'loading') return
    setState('loading')
    try {
      const page = await readPage({ before: next, limit: TRADES_PER_PAGE })
      // If the list was fetched again meanwhile, it may continue elsewhere.
      queryClient.setQueryData<List>(queryKey, known =>
        known?.next === next ? appendTrades(known, page) : known,
      )
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return { state, load }
}
