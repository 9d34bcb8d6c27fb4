import { Link } from 'wouter'
import { formatCount } from '../lib/format.ts'
import styles from './segmented.module.css'

/** One of a few choices, each a link, so that the choice is in the address and works without script. */
export function Segmented({
  label,
  choices,
}: {
  label: string
  choices: { text: string; href: string; isCurrent: boolean; count?: number | undefined }[]
}) {
  return (
    <nav aria-label={label} className={styles.segmented}>
      {choices.map(({ text, href, isCurrent, count }) => (
        <Link key={text} href={href} replace aria-current={isCurrent ? 'true' : undefined}>
          {text}
          {count !== undefined && <span className={styles.count}> {formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
