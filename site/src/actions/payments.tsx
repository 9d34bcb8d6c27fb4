import type { PaymentLine } from './list-payments.ts'
import styles from './payments.module.css'

/** What is paid and what arrives, before everything else. */
export function Payments({ lines }: { lines: readonly PaymentLine[] }) {
  if (lines.length === 0) return null
  return (
    <dl className={styles.payments}>
      {lines.map(({ label, amount, note, warning }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{amount}</bdi>
            {note && (
              <span className={styles.note}>
                <bdi>{note}</bdi>
              </span>
            )}
            {warning && <strong className={styles.warning}>{warning}</strong>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
