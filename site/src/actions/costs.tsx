import { Facts } from '../components/facts.tsx'
import { formatExactly } from '../lib/format.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'
import type { ActionState, Row } from './use-action.ts'

const NATIVE_DECIMALS = 9

type Reviewed = Pick<
  Extract<ActionState, { kind: 'review' }>,
  'rows' | 'income' | 'estimate' | 'balanceLamports'
>

/**
 * What the wallet pays, and what a simulation of the transactions says. The lines add up to the change of its
 * balance.
 */
export function Costs({ rows, income, estimate }: Omit<Reviewed, 'balanceLamports'>) {
  const simulated = rows.filter(({ simulation }) => simulation)
  const runs = simulated.every(({ simulation }) => simulation?.outcome === 'ok')
  const isPartial = simulated.length < rows.length
  const all = sumCosts(rows)
  const first = sumCosts(simulated)
  return (
    <div className={styles.costs}>
      <Facts
        facts={[
          ['Payout reported by the service', income],
          ['You send', all.moved > 0n && toSol(all.moved)],
          ['You receive', all.moved < 0n && toSol(-all.moved)],
          ['Network fee', toSol(all.fee)],
          [
            'Rent and program fees',
            all.rent === undefined
              ? estimate && `About ${toSol(estimate.rentLamports)}`
              : `${most(rows)}${toSol(all.rent)}`,
          ],
          describeChange(rows, { estimate, income }),
          ['Simulation', runs && describeSimulated(isPartial)],
        ]}
      />
      {isPartial && first.change !== undefined && (
        <details className={styles.detail}>
          <summary>The first transaction alone</summary>
          <Facts
            facts={[
              ['You send', first.moved > 0n && toSol(first.moved)],
              ['Network fee', toSol(first.fee)],
              ['Rent and program fees', first.rent !== undefined && toSol(first.rent)],
              [BALANCE_CHANGE, toSigned(first.change)],
            ]}
          />
        </details>
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

// Transactions that don't wait for each other are simulated alone, and one may do what another one has done already.
const most = (rows: readonly Row[]) => (rows.length > 1 ? 'At most ' : '')

const toSol = (lamports: bigint): string => `${formatExactly(lamports, NATIVE_DECIMALS)} SOL`

const toSigned = (lamports: bigint): string =>
  lamports < 0n ? `−${toSol(-lamports)}` : `+${toSol(lamports)}`

const describeSimulated = (isPartial: boolean): string =>
  isPartial ? 'The first transaction runs without an error. The others build on it.' : 'Runs without an error'
