import type { ReactNode } from 'react'
import styles from './action-bar.module.css'

/** On a narrow page: the figure that people decide by, and the button of the page's main action. Stays at the bottom. */
export const ActionBar = ({
  id,
  standing,
  children,
}: {
  /** For links that lead to it. */
  id?: string
  standing: ReactNode
  children: ReactNode
}) => (
  <section id={id} className={styles.bar} aria-label="What you can do" tabIndex={-1}>
    <p className={styles.standing}>{standing}</p>
    {children}
  </section>
)
