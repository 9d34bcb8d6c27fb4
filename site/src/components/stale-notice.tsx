import { useEffect } from 'react'
import { formatClock } from '../lib/format.ts'
import { isLimited, reportOutage, useOutage } from '../lib/outage.ts'
import styles from './stale-notice.module.css'

/** Rendered where data is shown that could not be refreshed. The strip below the header says so. */
export function StaleNotice({ error }: { error?: unknown }) {
  const kind = isLimited(error) ? 'limited' : 'unreachable'
  useEffect(() => reportOutage({ sinceMs: Date.now(), kind }), [kind])
  return null
}

/** Says why the page does not update. It lies over the page, so that nothing moves when it appears. */
export function StaleStrip() {
  const outage = useOutage()
  return (
    <div role="status" className={styles.place}>
      {outage && (
        <p className={outage.kind === 'slow' ? styles.slow : styles.stale}>
          {outage.kind !== 'slow' && `Not updating since ${formatClock(outage.sinceMs)}. `}
          {TEXTS[outage.kind]}
        </p>
      )}
    </div>
  )
}

const TEXTS = {
  unreachable: 'The service is not answering.',
  limited: 'Too many requests. Trying again soon.',
  slow: 'The service is slow to answer.',
  offline: 'You are offline.',
}
