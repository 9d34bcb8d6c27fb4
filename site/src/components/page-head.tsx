import type { ReactNode } from 'react'
import styles from './page-head.module.css'

/** The title of a section, a line about it, and its main action. */
export function PageHead({
  title,
  summary,
  children,
}: {
  title: string
  summary?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <div className={styles.text}>
        <h1>{title}</h1>
        {summary !== undefined && <p role="status">{summary}</p>}
      </div>
      {children}
    </header>
  )
}
