import { useEffect } from 'react'
import { formatClock } from '../lib/format.ts'
import { isLimited, reportOutage, useOutage } from '../lib/outage.ts'
import styles from './stale-notice.module.css'

/** Rendered where data is shown although it could not be refreshed. The strip below the header says so. */
export function StaleNotice({ error }: { error?: unknown }) {
  const hasReachedLimit = isLimited(error)
  useEffect(() => reportOutage({ sinceMs: Date.now(), isLimited: hasReachedLimit }), [hasReachedLimit])
  return null
}

/** Says why the page does not update. It lies over the page, so that nothing moves when it appears. */
export function StaleStrip() {
  const outage = useOutage()
  return (
    <div role="status" className={styles.place}>
      {outage && (
        <p className={styles.stale}>
          Not updating since {formatClock(outage.sinceMs)}.{' '}
          {outage.isLimited ? 'Too many requests; it tries again soon.' : 'The service is not answering.'}
        </p>
      )}
    </div>
  )
}
