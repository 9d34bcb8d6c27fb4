import type { LaunchTrade, Network } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { TimeAgo } from '../components/figures.tsx'
import { explorerUrl } from '../lib/links.ts'
import { useSite } from '../lib/site-context.ts'
import { type AnyTrades, appendTrades, TRADES_PER_PAGE, type TradeSource } from './read-trades.ts'
import styles from './trade-table.module.css'

/** `next` is where the list continues; null at its end. */
export function MoreTrades<List extends AnyTrades>({
  source,
  next,
}: {
  source: TradeSource<List>
  next: string | null
}) {
  const more = useMoreTrades(source)
  if (next === null) return null
  return (
    <div className={styles.more}>
      <Button onClick={() => void more.load(next)} aria-busy={more.state === 'loading'}>
        Show more
      </Button>
      {more.state === 'failed' && <span role="status">They could not be loaded. Try again.</span>}
    </div>
  )
}

/** Loads the trades that follow. */
function useMoreTrades<List extends AnyTrades>({ queryKey, readPage }: TradeSource<List>) {
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

/** The time of a trade, which links to its transaction. */
export function TimeCell({ trade: { signature, time }, network }: { trade: LaunchTrade; network: Network }) {
  const { settings } = useSite()
  return (
    <td className={styles.time}>
      <a
        href={explorerUrl(`tx/${signature}`, network, settings)}
        target="_blank"
        rel="noopener"
        className={`reach ${styles.transaction}`}
      >
        <TimeAgo at={time} />
        <ArrowUpRight size={14} strokeWidth={1.5} aria-label="(view transaction, opens in a new tab)" />
      </a>
    </td>
  )
}
