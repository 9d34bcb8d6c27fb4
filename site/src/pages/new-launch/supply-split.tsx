import { formatCount, formatPart } from '../../lib/format.ts'
import styles from './supply-split.module.css'

/** Where the supply goes: a bar, and the numbers. */
export function SupplySplit({ parts }: { parts: { name: string; tokens: number }[] }) {
  const shown = parts.filter(({ tokens }) => tokens > 0)
  const total = shown.reduce((sum, { tokens }) => sum + tokens, 0)
  let from = 0
  return (
    <div className={styles.split}>
      <svg width="100%" height="10" aria-hidden="true">
        {shown.map(({ name, tokens }, at) => {
          const x = from
          from += tokens / total
          return (
            <rect
              key={name}
              x={`${(x * 100).toFixed(2)}%`}
              width={`${((tokens / total) * 100).toFixed(2)}%`}
              height="10"
              className={styles[`part${at}`]}
            />
          )
        })}
      </svg>
      <ul>
        {shown.map(({ name, tokens }, at) => (
          <li key={name}>
            <span className={`${styles.mark} ${styles[`part${at}`]}`} />
            <span>{name}</span>
            <span className={styles.tokens}>{formatCount(Math.round(tokens))}</span>
            <span className={styles.share}>{formatPart(tokens / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
