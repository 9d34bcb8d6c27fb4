import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { formatExactly, formatSaid } from '../lib/format.ts'
import type { Income } from './action.ts'
import type { Row } from './action-state.ts'
import { sumCosts } from './sum-costs.ts'

/** What is known of a payout that the service reports, because the bytes don't name its amount. */
interface CheckedIncome {
  /** What to say below it. */
  text: string
  /** Whether the simulation agrees. */
  isChecked?: boolean
  /** Whether the text is a warning. */
  isDoubtful?: boolean
  /** What the simulation shows, if it shows something else. */
  simulated?: readonly Income[]
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
): CheckedIncome | undefined {
  if (rows.some(({ simulation }) => simulation?.outcome === 'fails')) return undefined
  if (rows.some(({ simulation }) => simulation?.outcome === 'unknown'))
    return { text: 'As the service reports it. It could not be simulated.', isDoubtful: true }
  if (rows.some(({ simulation }) => !simulation))
    return { text: 'As the service reports it. It can’t be simulated yet.' }
  const shown = income.map(part => ({ ...part, units: simulatedUnits(rows, part, income, wallet) }))
  const reported = (at: number) => income[at]?.units ?? 0n
  if (shown.every(({ units }, at) => units === reported(at)))
    return { text: 'The simulation shows the same amount.', isChecked: true }
  if (shown.every(({ units }, at) => hasGrown(units, reported(at))))
    return { text: 'The simulation shows slightly more.', isChecked: true }
  if (shown.every((part, at) => isLessFee(part, reported(at))))
    return { text: 'The simulation shows the same amount, less a program’s fee.', isChecked: true }
  return { text: `The service reports ${formatIncome(income, true)}.`, isDoubtful: true, simulated: shown }
}

/** What to say above the button if the simulation contradicts the service, and whether less arrives. */
export function findContradiction(
  { rows, income }: { rows: readonly Row[]; income?: readonly Income[] | undefined },
  wallet: string,
): { text: string; isLess: boolean } | undefined {
  const { text, simulated } = (income && checkIncome(rows, income, wallet)) ?? {}
  if (!income || !simulated) return undefined
  return {
    text: `The simulation shows that ${formatIncome(simulated, true)} would arrive. ${text}`,
    isLess: simulated.some(({ units }, at) => units < (income[at]?.units ?? 0n)),
  }
}

function simulatedUnits(
  rows: readonly Row[],
  { mint, to }: Income,
  income: readonly Income[],
  wallet: string,
): bigint {
  let units = mint === undefined ? (sumCosts(rows).parts?.received ?? 0n) : 0n
  // In an account that another key may spend from, SOL stays wrapped. It counts once.
  const isSeparate = mint === undefined && income.some(part => part.mint === WRAPPED_NATIVE_MINT)
  if (isSeparate) return units
  for (const { simulation } of rows)
    for (const change of simulation?.outcome === 'ok' ? simulation.accounts.tokens : [])
      if (change.mint === (mint ?? WRAPPED_NATIVE_MINT) && change.owner === (to ?? wallet))
        units += change.change
  return units
}

const isLessFee = ({ units, isFromAgent }: Income, reported: bigint): boolean =>
  units === reported ||
  (isFromAgent === true && units > 0n && units < reported && reported - units <= PROGRAM_FEE_MAX)

const hasGrown = (shown: bigint, reported: bigint): boolean =>
  shown >= reported && (shown - reported) * 10_000n <= reported * GROWTH_MAX_BPS

/** As people say it. A warning has all digits. */
export const formatIncome = (income: readonly Income[], isExact = false): string =>
  income
    .map(
      ({ units, decimals, symbol }) => `${(isExact ? formatExactly : formatSaid)(units, decimals)} ${symbol}`,
    )
    .join(' and ')
