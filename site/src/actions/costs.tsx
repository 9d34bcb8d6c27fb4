import { Check } from 'lucide-react'
import { Facts } from '../components/facts.tsx'
import { toSol } from '../lib/native.ts'
import { describeImpact, EXTREME_IMPACT_BPS } from '../lib/price-impact.ts'
import type { ActionState } from './action-state.ts'
import { findContradiction } from './check-income.ts'
import { listParts, most, toSigned } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'

type Reviewed = Pick<
  Extract<ActionState, { kind: 'review' }>,
  'rows' | 'income' | 'estimate' | 'expiry' | 'impact' | 'balanceLamports'
>

/** What it costs besides the payment. With the payment, the lines add up to the change of the wallet's balance. */
export function Costs({
  rows,
  income,
  estimate,
  expiry,
  isSent,
}: Pick<Reviewed, 'rows' | 'income' | 'estimate' | 'expiry'> & {
  /** The outcome of each transaction then says more than its simulation. */
  isSent: boolean
}) {
  const simulated = rows.filter(({ simulation }) => simulation)
  const runs = simulated.every(({ simulation }) => simulation?.outcome === 'ok')
  const all = sumCosts(rows)
  return (
    <div className={styles.costs}>
      <Facts
        facts={[
          ['Network fee', toSol(all.fee)],
          ['Rent and program fees', !all.parts && estimate && `About ${toSol(estimate.rentLamports)}`],
          ...(all.parts ? listParts(all.parts, most(rows)) : []),
          ['Change in your balance', describeChange({ rows, income, estimate })],
          ['Expires after', expiry],
        ]}
      />
      {runs && !isSent && (
        <p className={styles.simulated}>
          <Check size={16} strokeWidth={1.5} aria-hidden="true" />
          {describeSimulated(simulated.length < rows.length)}
        </p>
      )}
    </div>
  )
}

/** Shown right above the button: why the transactions can't run, and what is bad about them. */
export function Warnings({ wallet, ...reviewed }: Reviewed & { wallet: string }) {
  const { impact } = reviewed
  const texts = [
    findProblem(reviewed),
    findContradiction(reviewed, wallet)?.text,
    impact && describeImpact(impact),
  ].filter(text => text !== undefined)
  return texts.map(text => (
    <p key={text} role="alert" className={styles.failure}>
      {text}
    </p>
  ))
}

function findProblem({ rows, estimate, balanceLamports }: Reviewed): string | undefined {
  const simulations = rows.flatMap(({ simulation }) => simulation ?? [])
  const failure = simulations.find(({ outcome }) => outcome === 'fails')
  if (failure?.outcome === 'fails') return `It would fail: ${failure.reason}`
  const shortage = describeShortage({ rows, estimate, balanceLamports })
  if (shortage) return shortage
  const doubt = simulations.find(({ outcome }) => outcome === 'unknown')
  return doubt?.outcome === 'unknown' ? `It could not be simulated: ${doubt.reason}` : undefined
}

/** Whether a trade or a payout is so bad that the button must say so. */
export const isExtreme = (reviewed: Reviewed, wallet: string): boolean =>
  (reviewed.impact?.bps ?? 0) >= EXTREME_IMPACT_BPS || findContradiction(reviewed, wallet)?.isLess === true

function describeChange({
  rows,
  income,
  estimate,
}: Pick<Reviewed, 'rows' | 'income' | 'estimate'>): string | undefined {
  const { change, fee } = sumCosts(rows)
  // The lines above say the same, and a minus beside what arrives would look like a loss.
  if (change === -fee || (income && change !== undefined && change < 0n)) return undefined
  if (change === undefined) return estimate && `About ${toSigned(-estimate.totalLamports)}`
  // Transactions that are simulated alone may each count the same rent.
  return `${rows.length > 1 ? 'About ' : ''}${toSigned(change)}`
}

/** Whether signing makes sense: nothing is known to fail, and the wallet can pay for all transactions. */
export const canSign = (reviewed: Reviewed): boolean =>
  reviewed.rows.every(({ simulation }) => simulation?.outcome !== 'fails') && !describeShortage(reviewed)

/**
 * What the wallet has and what it needs, if it has too little. Otherwise the first transactions of several would be
 * executed, and a later one, such as the first buy of a finalized launch, would fail.
 */
function describeShortage({ rows, estimate, balanceLamports }: Reviewed): string | undefined {
  const { neededMin } = sumCosts(rows)
  const total = estimate?.totalLamports ?? 0n
  const needed = total > neededMin ? total : neededMin
  if (balanceLamports === undefined || needed <= balanceLamports) return undefined
  const amount = `${needed === total ? 'about' : 'at least'} ${toSol(needed)}`
  return `You have ${toSol(balanceLamports)}. This takes ${amount}.`
}

const describeSimulated = (isPartial: boolean): string =>
  isPartial
    ? 'The first transaction passed a simulation. The rest can’t be simulated until the first is confirmed.'
    : 'Passed a simulation without errors.'
