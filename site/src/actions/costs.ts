import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { formatExactly, formatSaid, formatUnits, NATIVE_DECIMALS, shorten, toSol } from '../lib/format.ts'
import type { Outlook, Review } from '../transactions/intent.ts'
import type { Simulation } from '../transactions/simulate.ts'
import type { Action, BuiltAction, Income } from './action.ts'
import type { Row } from './action-state.ts'

/** What transactions cost the connected wallet, in lamports. */
interface Costs {
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

interface CostParts {
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

export const toSigned = (lamports: bigint): string =>
  lamports < 0n ? `−${toSol(-lamports)}` : `+${toSol(lamports)}`

// Transactions that don't wait for each other are simulated alone, and one may do what another one has done already.
export const most = (rows: readonly unknown[]): string => (rows.length > 1 ? 'At most ' : '')

/** What only the simulation knows, as names and values. False for what is nothing. */
export const listParts = (
  { ownDeposits, otherDeposits, returnedDeposits, programFees }: CostParts,
  most = '',
): Record<string, string | false> => ({
  'Rent, returned when you close the account': ownDeposits > 0n && `${most}${toSol(ownDeposits)}`,
  'Rent for other accounts': otherDeposits > 0n && `${most}${toSol(otherDeposits)}`,
  'Program fees': programFees > 0n && `${most}${toSol(programFees)}`,
  'Rent returned': returnedDeposits > 0n && toSigned(returnedDeposits),
})

/** What leaves the wallet in all, as far as it is known. */
function describeCost(rows: readonly Row[], estimate: BuiltAction['estimate']): string | undefined {
  const { change } = sumCosts(rows)
  if (change === undefined)
    return estimate && `About ${formatUnits(estimate.totalLamports, NATIVE_DECIMALS)} SOL`
  return change < 0n ? `${most(rows)}${toSol(-change)}` : undefined
}

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

/** One amount at the top of the sheet. */
export interface PaymentLine {
  label: string
  amount: string
  /** The amount with all its digits, if it has more. */
  exact?: string
  note?: string
  /** Whether the note is a warning. */
  isDoubtful?: boolean
  /** Whether it is a part of the amounts around it. */
  isFee?: boolean
}

/** What is paid and received, or the costs if nothing is. */
export function listPayments(
  {
    rows,
    income,
    fee,
    estimate,
    outlook,
  }: {
    rows: readonly Row[]
    income?: BuiltAction['income']
    fee?: BuiltAction['fee']
    estimate?: BuiltAction['estimate']
    outlook?: Outlook | undefined
  },
  { expects, paymentNote }: Pick<Action, 'expects' | 'paymentNote'>,
  wallet: string,
): PaymentLine[] {
  const named = rows.flatMap(({ review }) => review.steps.flatMap(({ payment }) => payment ?? []))
  const lines: PaymentLine[] = named.map(({ isLeast, ...payment }) =>
    isLeast && expects ? { ...expects, note: `At least ${payment.amount}, or nothing is traded` } : payment,
  )
  if (outlook) lines.push(outlook.expects)
  const { moved } = sumCosts(rows)
  if (named.length === 0 && moved !== 0n)
    lines.push(
      moved > 0n ? { label: 'You send', amount: toSol(moved) } : { label: 'You get', amount: toSol(-moved) },
    )
  if (income) lines.push(describeIncome(rows, income, wallet))
  const [first, ...rest] = lines
  if (first)
    return [
      { ...first, ...(paymentNote !== undefined && { note: paymentNote }) },
      ...(fee ? [{ ...fee, isFee: true }] : []),
      ...rest,
    ]
  const cost = describeCost(rows, estimate)
  return cost === undefined ? [] : [{ label: 'You pay in total', amount: cost }]
}

function describeIncome(
  rows: readonly Row[],
  income: NonNullable<BuiltAction['income']>,
  wallet: string,
): PaymentLine {
  const to = income[0]?.to
  const { text: note, isDoubtful, simulated = income } = checkIncome(rows, income, wallet) ?? {}
  return {
    label: to === undefined ? 'You get' : `${shorten(to)} gets`,
    amount: formatIncome(simulated, isDoubtful),
    exact: formatIncome(simulated, true),
    ...(note !== undefined && { note }),
    ...(isDoubtful && { isDoubtful }),
  }
}
