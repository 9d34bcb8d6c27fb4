import { formatAmount } from '@slipway/client'
import { Facts } from '../components/facts.tsx'
import type { BuiltAction } from './action.ts'
import { sumCosts } from './sum-costs.ts'
import styles from './transaction-rows.module.css'
import type { Row } from './use-action.ts'

const NATIVE_DECIMALS = 9

/** What the wallet pays, and what a simulation of the transactions says. The lines add up to the change of its balance. */
export function Costs({
  rows,
  income,
  estimate,
}: {
  rows: readonly Row[]
  income?: string | undefined
  estimate?: BuiltAction['estimate']
}) {
  const simulated = rows.filter(({ simulation }) => simulation)
  const failure = rows.find(({ simulation }) => simulation?.outcome === 'fails')?.simulation
  const doubt = rows.find(({ simulation }) => simulation?.outcome === 'unknown')?.simulation
  const isPartial = simulated.length < rows.length
  const all = sumCosts(rows)
  const first = sumCosts(simulated)
  // Transactions that don't wait for each other are simulated alone, and one may do what another one has done already.
  const most = rows.length > 1 ? 'At most ' : ''
  return (
    <div className={styles.costs}>
      <Facts
        facts={[
          ['Paid out, says the service', income],
          ['You send', all.moved > 0n && toSol(all.moved)],
          ['You receive', all.moved < 0n && toSol(-all.moved)],
          ['Network fee', `${all.isFeeExact ? '' : 'At most '}${toSol(all.fee)}`],
          [
            'Rent and program fees',
            all.rent === undefined ? estimate && `About ${estimate.rent}` : `${most}${toSol(all.rent)}`,
          ],
          [
            'Change of your balance',
            all.change === undefined
              ? estimate && `About ${estimate.total}`
              : `${most}${toSigned(all.change)}`,
          ],
          ['Simulation', failure || doubt ? undefined : describeSimulated(isPartial)],
        ]}
      />
      {isPartial && first.change !== undefined && (
        <details className={styles.detail}>
          <summary>The first transaction alone</summary>
          <Facts
            facts={[
              ['You send', first.moved > 0n && toSol(first.moved)],
              ['Network fee', first.isFeeExact && toSol(first.fee)],
              ['Rent and program fees', first.rent !== undefined && toSol(first.rent)],
              ['Change of your balance', toSigned(first.change)],
            ]}
          />
        </details>
      )}
      {failure?.outcome === 'fails' && (
        <p role="alert" className={styles.failure}>
          It would fail: {failure.reason}
        </p>
      )}
      {!failure && doubt?.outcome === 'unknown' && (
        <p role="alert" className={styles.failure}>
          It could not be simulated: {doubt.reason}
        </p>
      )}
    </div>
  )
}

const toSol = (lamports: bigint): string => `${formatAmount(lamports, NATIVE_DECIMALS)} SOL`

const toSigned = (lamports: bigint): string =>
  lamports < 0n ? `−${toSol(-lamports)}` : `+${toSol(lamports)}`

const describeSimulated = (isPartial: boolean): string =>
  isPartial ? 'The first transaction runs without an error. The others build on it.' : 'Runs without an error'
