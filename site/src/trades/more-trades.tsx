import { Button } from '../components/button.tsx'
import type { AnyTrades, TradeSource } from './read-trades.ts'
import styles from './trade-table.module.css'
import { useMoreTrades } from './use-more-trades.ts'

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
