import { formatUnits } from '../lib/format.ts'
import { NATIVE_DECIMALS, toSol } from '../lib/native.ts'
import type { BuiltAction } from './action.ts'
import type { Row } from './action-state.ts'
import { type CostParts, sumCosts } from './sum-costs.ts'

export const toSigned = (lamports: bigint): string =>
  lamports < 0n ? `−${toSol(-lamports)}` : `+${toSol(lamports)}`

// Transactions that don't wait for each other are simulated alone, and one may do what another one has done already.
export const most = (rows: readonly unknown[]): string => (rows.length > 1 ? 'At most ' : '')

/** What only the simulation knows, as names and values. False for what is nothing. */
export const listParts = (
  { ownDeposits, otherDeposits, returnedDeposits, programFees }: CostParts,
  most = '',
): [name: string, value: string | false][] => [
  ['Rent, returned when you close the account', ownDeposits > 0n && `${most}${toSol(ownDeposits)}`],
  ['Rent for other accounts', otherDeposits > 0n && `${most}${toSol(otherDeposits)}`],
  ['Program fees', programFees > 0n && `${most}${toSol(programFees)}`],
  ['Rent returned', returnedDeposits > 0n && toSigned(returnedDeposits)],
]

/** What leaves the wallet in all, as far as it is known. */
export function describeCost(rows: readonly Row[], estimate: BuiltAction['estimate']): string | undefined {
  const { change } = sumCosts(rows)
  if (change === undefined)
    return estimate && `About ${formatUnits(estimate.totalLamports, NATIVE_DECIMALS)} SOL`
  return change < 0n ? `${most(rows)}${toSol(-change)}` : undefined
}
