import type { ReactNode } from 'react'
import styles from './action-bar.module.css'

/** On a narrow page: the figure that people decide by, and the button of the page's main action. Stays at the bottom. */
export const ActionBar = ({ standing, children }: { standing: ReactNode; children: ReactNode }) => (
  <div className={styles.bar}>
    <p className={styles.standing}>{standing}</p>
    {children}
  </div>
)
