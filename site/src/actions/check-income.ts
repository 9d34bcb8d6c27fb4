import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { formatExactly, formatSaid } from '../lib/format.ts'
import type { Income } from './action.ts'
import type { Row } from './action-state.ts'
import { sumCosts } from './sum-costs.ts'

/** What to say below a payout that the service reports, because the bytes don't name its amount. */
interface IncomeNote {
  text: string
  /** Whether the simulation shows a different amount. */
  isDoubtful?: boolean
}

/** What the program of agents takes from its owner for each transfer is not told from the payout. */
const PROGRAM_FEE_MAX = 100_000n
/** Fees and payouts over time grow between the service's answer and the simulation. */
const GROWTH_MAX_BPS = 100n

/** Compares a reported payout with what the simulations show. */
export function checkIncome(
  rows: readonly Row[],
  income: readonly Income[],
  wallet: string,
): IncomeNote | undefined {
  if (rows.some(({ simulation }) => simulation?.outcome === 'fails')) return undefined
  if (rows.some(({ simulation }) => simulation?.outcome === 'unknown'))
    return { text: 'As the service reports it. It could not be simulated.', isDoubtful: true }
  if (rows.some(({ simulation }) => !simulation))
    return { text: 'As the service reports it. It can’t be simulated yet.' }
  const shown = income.map(part => ({ ...part, units: simulatedUnits(rows, part, wallet) }))
  const reported = (at: number) => income[at]?.units ?? 0n
  if (shown.every(({ units }, at) => units === reported(at)))
    return { text: 'The simulation shows the same amount.' }
  if (shown.every(({ units }, at) => hasGrown(units, reported(at))))
    return { text: 'The simulation shows slightly more.' }
  if (shown.every(({ units, mint }, at) => isLessFee(units, reported(at), mint)))
    return { text: 'The simulation shows the same amount, less a program’s fee.' }
  return {
    text: `As the service reports it. The simulation shows ${formatIncome(shown, true)}.`,
    isDoubtful: true,
  }
}

function simulatedUnits(rows: readonly Row[], { mint, to }: Income, wallet: string): bigint {
  // In an account that another key may spend from, SOL stays wrapped.
  let units = mint === undefined ? (sumCosts(rows).parts?.received ?? 0n) : 0n
  for (const { simulation } of rows)
    for (const change of simulation?.outcome === 'ok' ? simulation.accounts.tokens : [])
      if (change.mint === (mint ?? WRAPPED_NATIVE_MINT) && change.owner === (to ?? wallet))
        units += change.change
  return units
}

const isLessFee = (shown: bigint, reported: bigint, mint: string | undefined): boolean =>
  shown === reported || (mint === undefined && shown < reported && reported - shown <= PROGRAM_FEE_MAX)

const hasGrown = (shown: bigint, reported: bigint): boolean =>
  shown >= reported && (shown - reported) * 10_000n <= reported * GROWTH_MAX_BPS

/** SOL is exact, so that it adds up with the costs. Tokens are as people say them, if not asked for exactly. */
export const formatIncome = (income: readonly Income[], isExact = false): string =>
  income
    .map(({ units, decimals, symbol, mint }) => {
      const format = isExact || mint === undefined ? formatExactly : formatSaid
      return `${format(units, decimals)} ${symbol}`
    })
    .join(' and ')
