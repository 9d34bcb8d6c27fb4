import type { SlipwayError } from '@slipway/client'
import { explainDetail } from '../../lib/explain-detail.ts'
import { formatExactly } from '../../lib/format.ts'
import { findUnitsFault, parseUnits } from '../../lib/parse-units.ts'
import type { Asset } from './move-funds.ts'

/** From here on, JSON numbers can't represent every amount. */
const LAMPORTS_END = 2n ** 53n

export function findAmountFault(
  text: string,
  { mint, decimals }: Asset,
  isSubmitted: boolean,
): string | undefined {
  if (text.trim() === '') return isSubmitted ? 'Enter an amount.' : undefined
  const isTooLarge = mint === '' && (parseUnits(text, decimals) ?? 0n) >= LAMPORTS_END
  return isTooLarge ? 'Enter less than 9,007,199.254740992 SOL.' : findUnitsFault(text, decimals)
}

/** Warns if the payer is known to have less. */
export function findShortage(
  units: bigint | undefined,
  { symbol, decimals }: Asset,
  [who, most]: [who: string, most: string | undefined],
): string | undefined {
  if (units === undefined || most === undefined || units <= BigInt(most)) return undefined
  return `${who} only ${formatExactly(most, decimals)} ${symbol}.`
}

export type Refusals = { amount?: string; memo?: string }

/** The API's faults, at the fields that they are about. */
export function assignDetails({ details = [] }: SlipwayError): Refusals {
  const refusals: Refusals = {}
  for (const { path: where, message } of details) {
    const path = `${where}`
    if (path === 'memo') refusals.memo ??= explainDetail(message)
    else
      refusals.amount ??=
        path === 'amount' ? explainDetail(message) : `The service refused ${path}: ${message}.`
  }
  return refusals
}
