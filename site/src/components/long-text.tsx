import { formatCount } from '../lib/format.ts'
import { cut } from '../lib/parse-json.ts'
import styles from './long-text.module.css'

const LINES_MAX = 24

/**
 * A text that a stranger wrote. Only its beginning is shown if it is long; the rest is one click away, without script
 * too.
 */
export function LongText({ text, lengthMax }: { text: string; lengthMax: number }) {
  const start = cut(text.split('\n', LINES_MAX).join('\n'), lengthMax)
  if (start === text)
    return (
      <p dir="auto" className={styles.text}>
        {text}
      </p>
    )
  return (
    <div className={styles.long}>
      <p dir="auto" className={styles.text}>
        {start}
      </p>
      <details className={styles.rest}>
        <summary className="reach">All {formatCount(text.length)} characters</summary>
        <p dir="auto" className={styles.text}>
          {text}
        </p>
      </details>
    </div>
  )
}
