import type { ReactNode } from 'react'
import styles from './toolbar.module.css'

/** What a list is called or filtered by, on one line if there is room. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={styles.toolbar}>{children}</div>
)
