import type { LaunchTrade, Network } from '@slipway/client'
import { ArrowUpRight } from 'lucide-react'
import { TimeAgo } from '../components/time.tsx'
import { explorerUrl } from '../lib/explorer.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './trade-table.module.css'

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
