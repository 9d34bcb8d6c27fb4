import type { BuiltDeposit, BuiltWithdrawal } from '@slipway/client'
import { fail, fitPosition, objectOf, unitsOf } from '../../../lib/fit-answers.ts'
import type { Outlook } from '../../../transactions/intent.ts'

export type Way = 'deposit' | 'withdraw'
/** What a deposit or a withdrawal would do, as the service says it. */
export type Preview = Partial<BuiltDeposit & BuiltWithdrawal> & {
  /** What a deposit is for, from the chain. Undefined if the chain can't be read. */
  outlook?: Outlook | undefined
}

/** Throws if an amount is missing: people sign what it says. */
export function fitPreview(value: unknown, way: Way): Preview {
  const { position, partial, cost, receives, receivesAtLeast, ...rest } = objectOf(value)
  const fitted = { ...rest, position: fitPosition(position as BuiltDeposit['position']) } as Preview
  if (way === 'withdraw') {
    if (unitsOf(receives) === '') fail()
    return {
      ...fitted,
      receives: unitsOf(receives),
      receivesAtLeast: unitsOf(receivesAtLeast) || unitsOf(receives),
    }
  }
  const given = objectOf(cost)
  const [paid, fee, penalty, credited] = [given.paid, given.fee, given.penalty, given.credited].map(
    unitsOf,
  ) as [string, string, string, string]
  if ([paid, fee, penalty, credited].includes('')) fail()
  return { ...fitted, cost: { paid, fee, penalty, credited }, partial: partial === true }
}
