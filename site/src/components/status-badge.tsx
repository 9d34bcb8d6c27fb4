import type { LaunchStatus } from '@slipway/client'
import styles from './status-badge.module.css'

const LABELS = {
  upcoming: 'Upcoming',
  live: 'Live',
  closed: 'Closed',
  missed: 'Goal missed',
  graduated: 'Graduated',
}

export function StatusBadge({ status }: { status: LaunchStatus | 'closed' | 'missed' }) {
  return <span className={`${styles.badge} ${styles[status]}`}>{LABELS[status]}</span>
}
