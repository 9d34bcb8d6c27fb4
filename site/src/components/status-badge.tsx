import type { LaunchStatus } from '@slipway/client'
import styles from './status-badge.module.css'

const LABELS: Record<LaunchStatus, string> = { upcoming: 'Upcoming', live: 'Live', graduated: 'Graduated' }

export function StatusBadge({ status }: { status: LaunchStatus }) {
  return <span className={`${styles.badge} ${styles[status]}`}>{LABELS[status]}</span>
}
