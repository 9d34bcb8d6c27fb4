import { useIsHydrated } from '../lib/now.ts'
import styles from './owner-line.module.css'

/** A quiet way for those who may change something, among the many who only read it. */
export function OwnerLine({
  question,
  action,
  onClick,
}: {
  question: string
  action: string
  onClick(): void
}) {
  if (!useIsHydrated()) return null
  return (
    <p className={styles.line}>
      {question}{' '}
      <button type="button" className="text-button" onClick={onClick}>
        {action}
      </button>
    </p>
  )
}
