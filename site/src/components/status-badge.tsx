import type { LaunchStatus } from '@slipway/client'
import styles from './status-badge.module.css'

const LABELS = { upcoming: 'Upcoming', live: 'Live', closed: 'Closed', graduated: 'Graduated' }

export function StatusBadge({ status }: { status: LaunchStatus | 'closed' }) {
  return <span className={`${styles.badge} ${styles[status]}`}>{LABELS[status]}</span>
}
