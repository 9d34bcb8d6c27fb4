import type { BuiltAction, Expected } from './action.ts'
import type { Row } from './action-state.ts'
import { describeCost, toSol } from './format-costs.ts'
import { sumCosts } from './sum-costs.ts'

/** One amount at the top of the sheet. */
export interface PaymentLine {
  label: string
  amount: string
  note?: string
  warning?: string
}

/** The amounts that are paid and received or, if there are none, the costs. */
export function listPayments(
  {
    rows,
    income,
    estimate,
  }: { rows: readonly Row[]; income?: string | undefined; estimate?: BuiltAction['estimate'] },
  expects?: Expected,
): PaymentLine[] {
  const named = rows.flatMap(({ review }) => review.steps.flatMap(({ payment }) => payment ?? []))
  const lines: PaymentLine[] = named.map(({ label, amount, isLeast }) =>
    isLeast && expects ? { ...expects, note: `At least ${amount}, or nothing is traded` } : { label, amount },
  )
  if (expects && !named.some(({ isLeast }) => isLeast)) lines.push(expects)
  const { moved } = sumCosts(rows)
  if (named.length === 0 && moved !== 0n)
    lines.push(
      moved > 0n ? { label: 'You send', amount: toSol(moved) } : { label: 'You get', amount: toSol(-moved) },
    )
  if (income !== undefined)
    lines.push({ label: 'You get', amount: income, note: 'As the service reports it' })
  if (lines.length > 0) return lines
  const cost = describeCost(rows, estimate)
  return cost === undefined ? [] : [{ label: 'Total cost', amount: cost }]
}
