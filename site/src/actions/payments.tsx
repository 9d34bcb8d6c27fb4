import type { PaymentLine } from './list-payments.ts'
import styles from './payments.module.css'

/** What is paid and what arrives, before everything else. */
export function Payments({ lines }: { lines: readonly PaymentLine[] }) {
  if (lines.length === 0) return null
  return (
    <dl className={styles.payments}>
      {lines.map(({ label, amount, exact, note, isDoubtful, isFee }) => (
        <div key={label} className={isFee ? styles.fee : undefined}>
          <dt>{label}</dt>
          <dd>
            <bdi title={exact}>{amount}</bdi>
            {note && (
              <span className={styles.note} data-doubtful={isDoubtful && 'yes'}>
                <bdi>{note}</bdi>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
