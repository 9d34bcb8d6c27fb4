import styles from './stale-notice.module.css'

/** Above data that is shown although it could not be refreshed. */
export const StaleNotice = () => (
  <p role="status" className={styles.stale}>
    Not updating: the service is not answering. What you see is from before.
  </p>
)
