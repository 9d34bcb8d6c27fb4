import type { LaunchOutline } from '@slipway/launch-model/plan/outline-launch'
import { toUnits, U64_MAX } from '@slipway/launch-model/plan/to-units'
import type { LaunchInput } from '@slipway/schema/create-launch'
import type { ErrorDetail } from '@slipway/schema/errors'
import type { LaunchBasis } from './read-launch-basis.ts'

/** The program refuses smaller purchases. */
const BUY_MIN = 1_000n

/** What is wrong with amounts of the quote token, whose decimals are on the chain. */
export function checkQuoteAmounts(
  { decimals }: Pick<LaunchInput, 'decimals'>,
  { primaries }: LaunchOutline,
  { quoteDecimals }: Pick<LaunchBasis, 'quoteDecimals'>,
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  /** The amount, if it is positive and fits into 64 bits. */
  const parse = (path: string, tokens: number): bigint | undefined => {
    const units = toUnits(tokens, quoteDecimals)
    if (!units) details.push({ path, message: 'must be from one smallest unit to 2^64 - 1 units' })
    return units || undefined
  }
  for (const { allocation, path } of primaries) {
    if (allocation.type === 'launchpoolV2') {
      const threshold = allocation.launchpoolV2.minimumQuoteTokenThreshold
      if (threshold != null) parse(`${path}.minimumQuoteTokenThreshold`, threshold)
      continue
    }
    const { virtualQuoteTokens, virtualBaseTokens, firstBuy } = allocation.bondingCurveV2
    const virtualQuote = parse(`${path}.virtualQuoteTokens`, virtualQuoteTokens)
    const amount = firstBuy?.enabled ? parse(`${path}.firstBuy.amount`, firstBuy.amount) : undefined
    const virtualBase = toUnits(virtualBaseTokens, decimals)
    const onSale = toUnits(allocation.supply, decimals)
    if (!virtualQuote || !virtualBase || !onSale) continue
    // The cost of buying everything, without fees. The program rounds it up.
    const cost = (virtualQuote * onSale + virtualBase - 1n) / virtualBase
    if (cost < BUY_MIN || virtualQuote + cost > U64_MAX)
      details.push({
        path: `${path}.virtualQuoteTokens`,
        message: `buying everything costs ${cost} smallest units: must be at least ${BUY_MIN}, and at most 2^64 - 1 together with virtualQuoteTokens`,
      })
    else if (amount && (amount < BUY_MIN || amount >= cost))
      details.push({
        path: `${path}.firstBuy.amount`,
        message: `must be at least ${BUY_MIN} smallest units, and less than ${cost}, which would buy everything`,
      })
  }
  return details
}
