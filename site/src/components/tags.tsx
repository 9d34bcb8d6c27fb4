import type { ReactNode } from 'react'
import styles from './tags.module.css'

/** Short words, each in a box of its own. Those beyond `max` are counted. */
export function Tags({ tags, max = 12, label }: { tags: readonly string[]; max?: number; label: string }) {
  const shown = [...new Set(tags)]
  const left = shown.length - max
  return (
    <ul className={styles.tags} aria-label={label}>
      {shown.slice(0, max).map(tag => (
        <Tag key={tag}>
          <bdi>{tag}</bdi>
        </Tag>
      ))}
      {left > 0 && <li className={styles.more}>+{left}</li>}
    </ul>
  )
}

const Tag = ({ children }: { children: ReactNode }) => <li className={styles.tag}>{children}</li>
