import { Facts } from '../components/facts.tsx'
import type { Step } from '../transactions/intent.ts'
import { toSigned, toSol } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'
import type { Row } from './use-action.ts'

/** Everything that most people skip, in one place: the steps around a payment, full addresses, and partial costs. */
export function SheetDetails({ rows }: { rows: readonly Row[] }) {
  const first = rows.filter(({ simulation }) => simulation)
  const { moved, fee, rent, change } = sumCosts(first)
  return (
    <details className={styles.detail}>
      <summary>Details</summary>
      {rows.map(({ review }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
        <section key={at}>
          {rows.length > 1 && <h3 className={styles.number}>Transaction {at + 1}</h3>}
          <StepDetails steps={review.steps} isShort={rows.length > 1} />
        </section>
      ))}
      {first.length < rows.length && change !== undefined && (
        <section>
          <h3 className={styles.number}>The first transaction alone</h3>
          <Facts
            facts={[
              ['You send', moved > 0n && toSol(moved)],
              ['Network fee', toSol(fee)],
              ['Rent and program fees', rent !== undefined && toSol(rent)],
              ['Change in your balance', toSigned(change)],
            ]}
          />
        </section>
      )}
    </details>
  )
}

/** The text of a step that the sheet shows above is not repeated. */
const StepDetails = ({ steps, isShort }: { steps: readonly Step[]; isShort: boolean }) => (
  <ol>
    {steps.map(({ text, detail, isMinor }) => (
      <li key={`${text} ${detail}`}>
        {isMinor && !isShort && <bdi className={styles.minor}>{text}</bdi>}
        {detail && <bdi>{detail}</bdi>}
      </li>
    ))}
  </ol>
)
