import type { Review } from '../transactions/intent.ts'
import type { Simulation } from '../transactions/simulate.ts'

/** What transactions cost the connected wallet, in lamports. */
export interface Costs {
  fee: bigint
  /** The amount that the steps move out of the wallet; negative if into it. */
  moved: bigint
  /** The change of the wallet's balance by simulation. Undefined unless all transactions were simulated. */
  change: bigint | undefined
  /** The rest of the change: rent of new accounts and fees of programs. Undefined if it can't be known. */
  rent: bigint | undefined
  /** The least that the wallet needs: only the first simulation counts, as others may pay the same rent again. */
  neededMin: bigint
}

/** The parts add up: `change` is minus the sum of `fee`, `moved` and `rent`. */
export function sumCosts(rows: readonly { review: Review; simulation?: Simulation }[]): Costs {
  const fee = sum(rows.map(({ review }) => review.feeLamports))
  const moved = sum(rows.map(({ review }) => movedBy(review)))
  const changes = rows.flatMap(({ simulation }) =>
    simulation?.outcome === 'ok' ? simulation.walletChangeLamports : [],
  )
  const change = changes.length === rows.length ? sum(changes) : undefined
  const rest = change === undefined ? undefined : -change - fee - moved
  const first = rows[0]
  const firstRent =
    first?.simulation?.outcome === 'ok' ? -first.simulation.walletChangeLamports - costOf(first.review) : 0n
  return {
    fee,
    moved,
    change,
    // A negative rest means that a claim pays out an amount that its bytes don't name, or that the node is wrong.
    // Then only the change is shown.
    rent: rest !== undefined && rest >= 0n ? rest : undefined,
    neededMin: fee + moved + firstRent,
  }
}

const movedBy = ({ steps }: Review): bigint => sum(steps.map(({ movedLamports }) => movedLamports ?? 0n))

const costOf = (review: Review): bigint => review.feeLamports + movedBy(review)

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
