import { Check } from 'lucide-react'
import { Facts } from '../components/facts.tsx'
import { most, toSigned, toSol } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'
import type { ActionState, Row } from './use-action.ts'

type Reviewed = Pick<
  Extract<ActionState, { kind: 'review' }>,
  'rows' | 'income' | 'estimate' | 'balanceLamports'
>

/** What it costs besides the payment. With the payment, the lines add up to the change of the wallet's balance. */
export function Costs({ rows, income, estimate }: Omit<Reviewed, 'balanceLamports'>) {
  const simulated = rows.filter(({ simulation }) => simulation)
  const runs = simulated.every(({ simulation }) => simulation?.outcome === 'ok')
  const all = sumCosts(rows)
  const rent =
    all.rent === undefined
      ? estimate && `About ${toSol(estimate.rentLamports)}`
      : all.rent > 0n && `${most(rows)}${toSol(all.rent)}`
  return (
    <div className={styles.costs}>
      <Facts
        facts={[
          ['Network fee', toSol(all.fee)],
          ['Rent and program fees', rent],
          describeChange(rows, { estimate, income }),
        ]}
      />
      {runs && (
        <p className={styles.simulated}>
          <Check size={16} strokeWidth={1.5} aria-hidden="true" />
          {describeSimulated(simulated.length < rows.length)}
        </p>
      )}
    </div>
  )
}

/** Shown before signing, however long the list of transactions is: why they can't run, or what they cost. */
export function Warning({ rows, income, estimate, balanceLamports }: Reviewed) {
  const simulations = rows.flatMap(({ simulation }) => simulation ?? [])
  const failure = simulations.find(({ outcome }) => outcome === 'fails')
  if (failure?.outcome === 'fails')
    return (
      <p role="alert" className={styles.failure}>
        It would fail: {failure.reason}
      </p>
    )
  const shortage = describeShortage({ rows, estimate, balanceLamports })
  if (shortage)
    return (
      <p role="alert" className={styles.failure}>
        {shortage}
      </p>
    )
  const doubt = simulations.find(({ outcome }) => outcome === 'unknown')
  if (doubt?.outcome === 'unknown')
    return (
      <p role="alert" className={styles.failure}>
        It could not be simulated: {doubt.reason}
      </p>
    )
  const [name, change] = describeChange(rows, { estimate, income })
  if (rows.length === 1 || change === undefined) return null
  return (
    <p className={styles.total}>
      <span>{name}</span> {change}
    </p>
  )
}

/** How the wallet's balance changes. If the payout goes elsewhere or is in a token, the change is the cost. */
function describeChange(
  rows: readonly Row[],
  { estimate, income }: Pick<Reviewed, 'estimate' | 'income'>,
): [name: string, text: string | undefined] {
  const { change } = sumCosts(rows)
  if (change === undefined) return [BALANCE_CHANGE, estimate && `About ${toSigned(-estimate.totalLamports)}`]
  if (change < 0n && income !== undefined) return ['Cost to you', `${most(rows)}${toSol(-change)}`]
  return [BALANCE_CHANGE, `${rows.length > 1 && change > 0n ? 'About ' : most(rows)}${toSigned(change)}`]
}
const BALANCE_CHANGE = 'Change in your balance'

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
    ? 'The first transaction passed a simulation. The others can’t be simulated until it is confirmed.'
    : 'Passed a simulation without errors.'
