import type { LaunchInput } from '@slipway/schema/create-launch'
import type { ErrorDetail } from '@slipway/schema/errors'
import { assetSignerAddress } from '../../chain/addresses/addresses.ts'
import { addressBytes } from '../../chain/addresses/base58.ts'
import { isOnCurve } from '../../chain/addresses/program-address.ts'
import type { LaunchOutline } from './outline-launch.ts'
import type { LaunchBasis } from './read-launch-basis.ts'
import { toUnits } from './to-units.ts'

/** The program refuses smaller purchases. */
const BUY_MIN = 1_000n

/** What is wrong with amounts of the quote token, whose decimals are on the chain, and with the first buyer. */
export function checkQuoteAmounts(
  { decimals }: Pick<LaunchInput, 'decimals'>,
  { primaries }: LaunchOutline,
  { quoteDecimals, agent }: Pick<LaunchBasis, 'quoteDecimals' | 'agent'>,
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
    if (!firstBuy?.enabled) continue
    const amount = parse(`${path}.firstBuy.amount`, firstBuy.amount)
    const virtualBase = toUnits(virtualBaseTokens, decimals)
    const onSale = toUnits(allocation.supply, decimals)
    if (amount && virtualQuote && virtualBase && onSale) {
      const all = (virtualQuote * (virtualBase + onSale)) / virtualBase - virtualQuote
      if (amount < BUY_MIN || amount >= all)
        details.push({
          path: `${path}.firstBuy.amount`,
          message: `must be at least ${BUY_MIN} smallest units, and less than ${all}, which would buy everything`,
        })
    }
    const isAgent = agent !== undefined && firstBuy.buyer === assetSignerAddress(agent.asset)
    if (!isAgent && !isOnCurve(addressBytes(firstBuy.buyer)))
      details.push({
        path: `${path}.firstBuy.buyer`,
        message: "must be a key that can sign, or the agent's wallet",
      })
  }
  return details
}
