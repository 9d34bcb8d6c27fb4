import type { ReactNode } from 'react'
import styles from './waiting.module.css'

/** What a part is waiting for, in words. Without script, it says that the part needs JavaScript. */
export const Waiting = ({ className, children }: { className: string | undefined; children: ReactNode }) => (
  <p role="status" className={`${styles.waiting} ${className ?? ''}`}>
    <span>{children}</span>
  </p>
)
