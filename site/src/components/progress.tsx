import { formatShare } from '../lib/format.ts'
import styles from './progress.module.css'

/** How far towards a goal, from 0 to 1. Drawn without style attributes, which the site's policy forbids. */
export function Progress({
  share,
  label,
  status = 'live',
}: {
  share: number
  label: string
  status?: string
}) {
  const filled = Math.min(1, Math.max(0, share))
  return (
    <svg
      className={`${styles.progress} ${styles[status]}`}
      role="img"
      aria-label={`${label}: ${formatShare(share)}`}
      width="100%"
      height="6"
    >
      <rect width="100%" height="6" rx="3" className={styles.track} />
      <rect width={`${(filled * 100).toFixed(2)}%`} height="6" rx="3" className={styles.fill} />
    </svg>
  )
}
