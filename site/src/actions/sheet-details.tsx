import { Facts } from '../components/facts.tsx'
import { toSol } from '../lib/native.ts'
import type { Step } from '../transactions/intent.ts'
import type { Row } from './action-state.ts'
import { listParts, toSigned } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'
import { isTold } from './transaction-rows.tsx'

/** Everything that most people skip, in one place: the steps around a payment, full addresses, and partial costs. */
export function SheetDetails({ rows }: { rows: readonly Row[] }) {
  const first = rows.filter(({ simulation }) => simulation)
  const { moved, fee, parts, change } = sumCosts(first)
  return (
    <details className={styles.detail}>
      <summary>Details</summary>
      {rows.map(({ review, group }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
        <section key={at}>
          {rows.length > 1 && <h3 className={styles.number}>Transaction {at + 1}</h3>}
          <StepDetails
            steps={review.steps}
            isShown={step => (group ? isTold(step) : rows.length > 1 || !step.isMinor)}
          />
        </section>
      ))}
      {first.length < rows.length && change !== undefined && parts && (
        <section>
          <h3 className={styles.number}>The first transaction alone</h3>
          <Facts
            facts={[
              ['You send', moved > 0n && toSol(moved)],
              ['Network fee', toSol(fee)],
              ...listParts(parts),
              ['Change in your balance', toSigned(change)],
            ]}
          />
        </section>
      )}
    </details>
  )
}

/** The text of a step that the sheet shows above is not repeated. */
const StepDetails = ({ steps, isShown }: { steps: readonly Step[]; isShown(step: Step): boolean }) => (
  <ol>
    {steps.map(step => (
      <li key={`${step.text} ${step.detail}`}>
        {!isShown(step) && <bdi className={styles.minor}>{step.text}</bdi>}
        {step.detail && <bdi>{markAddresses(step.detail)}</bdi>}
      </li>
    ))}
  </ol>
)

const ADDRESS = /(?<![\w/-])([1-9A-HJ-NP-Za-km-z]{32,44})(?![\w-])/

/** Every second part is what the expression matches. */
const markAddresses = (text: string) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
  text.split(ADDRESS).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
