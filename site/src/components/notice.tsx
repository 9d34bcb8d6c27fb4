import type { ReactNode } from 'react'
import styles from './notice.module.css'

/**
 * Says why there is nothing to see, and what to do about it. `kind` is `error` for a failure, and `empty` if nothing
 * exists.
 */
export function Notice({
  kind = 'empty',
  title,
  children,
  action,
  level = 2,
}: {
  kind?: 'empty' | 'error'
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The level of the heading. */
  level?: 1 | 2 | 3
}) {
  const Heading = `h${level}` as const
  return (
    <section className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : undefined}>
      <Water />
      <Heading className={styles.title}>{title}</Heading>
      {children && <p className={styles.text}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </section>
  )
}

/** Calm water when nothing is there, a broken line when something failed. */
function Water() {
  return (
    <svg viewBox="0 0 96 24" width="96" height="24" aria-hidden="true" className={styles.water}>
      <path d="M2 9q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0 15.400 0 15.300 0" />
      <path d="M14 18q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0" />
    </svg>
  )
}
