import type { ReactNode } from 'react'
import styles from './toolbar.module.css'

/** The title and filters of a list, on one line if there is room. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={styles.toolbar}>{children}</div>
)
