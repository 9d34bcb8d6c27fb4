import { formatExactly } from '../lib/format.ts'
import type { BuiltAction } from './action.ts'
import type { Row } from './action-state.ts'
import { sumCosts } from './sum-costs.ts'

const NATIVE_DECIMALS = 9

export const toSol = (lamports: bigint): string => `${formatExactly(lamports, NATIVE_DECIMALS)} SOL`

export const toSigned = (lamports: bigint): string =>
  lamports < 0n ? `−${toSol(-lamports)}` : `+${toSol(lamports)}`

// Transactions that don't wait for each other are simulated alone, and one may do what another one has done already.
export const most = (rows: readonly unknown[]): string => (rows.length > 1 ? 'At most ' : '')

/** What leaves the wallet in all, as far as it is known. */
export function describeCost(rows: readonly Row[], estimate: BuiltAction['estimate']): string | undefined {
  const { change } = sumCosts(rows)
  if (change === undefined) return estimate && `About ${toSol(estimate.totalLamports)}`
  return change < 0n ? `${most(rows)}${toSol(-change)}` : undefined
}
