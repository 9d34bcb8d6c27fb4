import type { Review } from '../transactions/intent.ts'
import type { Simulation } from '../transactions/simulate.ts'

/** What transactions cost the connected wallet, in lamports. */
export interface Costs {
  fee: bigint
  /** The amount that the steps move out of the wallet; negative if into it. */
  moved: bigint
  /** The change of the wallet's balance by simulation. Undefined unless all transactions were simulated. */
  change: bigint | undefined
  /** The parts of the change that only a simulation knows. Undefined with it. */
  parts: CostParts | undefined
  /** The least that the wallet needs: only the first simulation counts, as others may pay the same rent again. */
  neededMin: bigint
}

export interface CostParts {
  /** Deposits for the wallet's own token accounts, which come back when they are closed. */
  ownDeposits: bigint
  otherDeposits: bigint
  returnedDeposits: bigint
  /** What programs take for themselves. */
  programFees: bigint
  /** What the wallet gets beyond the moved amount: a payout whose amount the bytes don't name. */
  received: bigint
}

/** The parts add up: `change` is what is received and returned, minus everything else. */
export function sumCosts(rows: readonly { review: Review; simulation?: Simulation }[]): Costs {
  const fee = sum(rows.map(({ review }) => review.feeLamports))
  const moved = sum(rows.map(({ review }) => movedBy(review)))
  const simulated = rows.flatMap(({ simulation }) => (simulation?.outcome === 'ok' ? simulation : []))
  const change =
    simulated.length === rows.length
      ? sum(simulated.map(({ walletChangeLamports }) => walletChangeLamports))
      : undefined
  const first = rows[0]
  const firstRent =
    first?.simulation?.outcome === 'ok' ? -first.simulation.walletChangeLamports - costOf(first.review) : 0n
  return {
    fee,
    moved,
    change,
    parts: change === undefined ? undefined : partsOf(simulated, -change - fee - moved),
    neededMin: fee + moved + firstRent,
  }
}

/** `rest` is what is paid besides the fee and the moved amount. It is negative if a payout exceeds it. */
function partsOf(simulated: readonly Extract<Simulation, { outcome: 'ok' }>[], rest: bigint): CostParts {
  const total = (name: 'ownDeposits' | 'otherDeposits' | 'returnedDeposits') =>
    sum(simulated.map(({ accounts }) => accounts[name]))
  const [ownDeposits, otherDeposits, returnedDeposits] = [
    total('ownDeposits'),
    total('otherDeposits'),
    total('returnedDeposits'),
  ]
  const unexplained = rest - ownDeposits - otherDeposits + returnedDeposits
  return {
    ...{ ownDeposits, otherDeposits, returnedDeposits },
    programFees: unexplained > 0n ? unexplained : 0n,
    received: unexplained < 0n ? -unexplained : 0n,
  }
}

const movedBy = ({ steps }: Review): bigint => sum(steps.map(({ movedLamports }) => movedLamports ?? 0n))

const costOf = (review: Review): bigint => review.feeLamports + movedBy(review)

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
