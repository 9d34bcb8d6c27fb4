import { shorten } from '../lib/format.ts'
import { toSol } from '../lib/native.ts'
import type { Outlook } from '../transactions/intent.ts'
import type { Action, BuiltAction } from './action.ts'
import type { Row } from './action-state.ts'
import { checkIncome, formatIncome } from './check-income.ts'
import { describeCost } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'

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
